/** The page of a rule set: small positions, the real board on them, and what the rules answer. */

import { Board } from "../board/board.js";
import { told } from "../board/speech.js";
import { refusalOf } from "../panel/refusals.js";
import { t } from "../text.js";
import { Troops } from "../troops/troops.js";
import { markSolved, solvedOf } from "./progress.js";
import { VerdictBox } from "./verdict.js";

const root = document.getElementById("practice");
const lessons = JSON.parse(document.getElementById("lessons-data").textContent);
const { key } = root.dataset;
const part = (id) => document.getElementById(id);

/** How the sides are called when what they did is read out. */
const SIDES = {
  pincer: { white: t("The triangle side"), black: t("The circle side") },
  amazons: { white: t("The light side"), black: t("The dark side") },
};

function surroundOf() {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(part("board")).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

function surfaceFor(events) {
  if (key === "blotto") return new Troops(part("troops"), part("rounds"), { near: "white" }, events);
  const { view } = lessons[0].snapshot;
  return new Board(part("board"), { key, view, near: "white", surroundOf }, events);
}

class Practice {
  constructor() {
    this.index = 0;
    this.answered = false;
    this.verdict = new VerdictBox(part("verdict"));
    this.surface = surfaceFor({
      onHand: () => this.showHand(),
      onGo: (actions) => this.go(actions),
      onPlan: () => {},
    });
    this.listen();
    this.open(this.first());
  }

  get lesson() {
    return lessons[this.index];
  }

  get snapshot() {
    return this.shown ?? this.lesson.snapshot;
  }

  listen() {
    const press = (id, deed) => part(id).addEventListener("click", deed);
    part("lessons").addEventListener("click", (event) => {
      const button = event.target.closest("[data-lesson]");
      if (button) this.open(Number(button.dataset.lesson));
    });
    press("lesson-undo", () => this.undo());
    press("lesson-keep", () => this.surface.keep());
    press("lesson-play", () => this.surface.submit());
    press("lesson-again", () => this.again());
    press("lesson-show", () => this.verdict.say(t("One solution: {go}", { go: this.solution })));
    press("lesson-next", () => this.open(this.next(), { focus: true }));
    part("lesson-typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(part("lesson-type"));
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.answered) this.surface.undo();
    });
    addEventListener("hashchange", () => this.open(this.first()));
  }

  /** The position in the address; else the first one that is not solved yet. */
  first() {
    const named = lessons.findIndex(({ slug }) => location.hash === `#${slug}`);
    return named >= 0 ? named : Math.max(0, this.unsolved());
  }

  unsolved() {
    const solved = solvedOf(key);
    return lessons.findIndex(({ slug }) => !solved.has(slug));
  }

  next() {
    return (this.index + 1) % lessons.length;
  }

  undo() {
    if (key === "blotto") this.surface.clear();
    else this.surface.undo();
  }

  /** Plays what was typed, as the board would. */
  type(field) {
    if (this.answered) this.again();
    const { ok, say } = this.surface.type(field.value);
    if (ok) field.value = "";
    part("lesson-typed-say").textContent = say ?? "";
  }

  /* A position. */

  open(index, { focus = false } = {}) {
    if (index !== this.index) history.replaceState(null, "", `#${lessons[index].slug}`);
    this.index = index;
    part("lesson-title").textContent = this.lesson.title;
    part("lesson-task").textContent = this.lesson.task;
    this.again();
    if (focus) part("lesson-title").focus({ preventScroll: true });
  }

  again() {
    this.attempt = null;
    this.answered = false;
    this.shown = null;
    this.solution = null;
    this.verdict.clear();
    part("lesson-typed-say").textContent = "";
    this.surface.settle();
    if (key === "blotto") this.surface.onward();
    this.surface.show(this.snapshot, { burns: [], turns: null, same: false, own: false });
    this.showLessons();
    this.showHand();
  }

  /** Sends a composed go to the rules, and shows what they make of it. */
  async go(actions) {
    const attempt = { index: this.index };
    this.attempt = attempt;
    this.surface.send();
    const reply = await this.ask(actions);
    if (this.attempt !== attempt) return; // another position has been opened meanwhile
    this.attempt = null;
    if (reply.snapshot) this.judged(reply);
    else this.refused(reply);
    this.showLessons();
    this.showHand();
    part("lesson-next").parentElement.scrollIntoView({ block: "nearest" });
  }

  async ask(actions) {
    const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const request = { method: "POST", headers, body: JSON.stringify({ actions }) };
    try {
      const answer = await fetch(`${this.index + 1}/try`, request);
      return answer.ok ? await answer.json() : { say: t("The site did not take that.") };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { say: t("Not connected. Nothing was played.") };
    }
  }

  judged({ verdict, snapshot, turns, solution }) {
    const burns = turns.flatMap(({ effects }) =>
      effects.filter(({ kind }) => kind === "place").map(({ at }) => at),
    );
    const isSolved = verdict === "solved";
    this.answered = true;
    this.shown = snapshot;
    this.solution = solution;
    this.surface.settle();
    this.surface.show(snapshot, { burns, turns, same: false, own: key !== "blotto" });
    if (isSolved) markSolved(key, this.lesson.slug);
    const head = isSolved ? t("Solved") : t("Allowed, but not what was asked for");
    const text = isSolved ? this.lesson.solved : this.lesson.missed;
    this.verdict.show(verdict, head, text, told(turns, this.names(), key));
  }

  refused(reply) {
    this.surface.refuse(reply.squares ?? []);
    this.surface.show(this.snapshot, { burns: [], turns: null, same: true, own: false });
    this.verdict.show("illegal", t("Not played"), refusalOf({ ...reply, code: reply.reason }));
  }

  names() {
    const { white, black } = this.snapshot.seats;
    return SIDES[root.dataset.family] ?? { white: white.name, black: black.name };
  }

  /* What stands around the board. */

  showHand() {
    if (!this.surface) return;
    const waiting = this.attempt !== null;
    const composing = !this.answered && !waiting;
    if (!this.answered) this.showStatus(composing);
    part("composing").hidden = this.answered;
    const missed = this.answered && this.solution !== null;
    part("lesson-again").hidden = !this.answered;
    part("lesson-show").hidden = !missed;
    this.showNext();
  }

  showStatus(composing) {
    const { status, back, ready } = this.surface.read(this.snapshot);
    const begun = back !== null;
    if (begun && this.verdict.element.dataset.verdict === "illegal") this.verdict.clear();
    part("lesson-sentence").textContent = status.sentence;
    part("lesson-hint").replaceChildren(...status.hint.map(pieceOf));
    part("lesson-undo").hidden = !composing || !begun;
    part("lesson-undo").textContent = back ?? "";
    part("lesson-keep").hidden = !composing || !status.keep;
    part("lesson-play").hidden = !composing || !ready || key === "blotto";
  }

  showNext() {
    const next = part("lesson-next");
    const solved = this.answered && this.solution === null;
    const last = this.index === lessons.length - 1;
    next.hidden = false;
    next.textContent = last ? t("To the first") : t("Next");
    next.className = solved && !last ? "button soft" : "button plain";
    ["lesson-undo", "lesson-keep", "lesson-play"].forEach((id) => {
      if (this.answered) part(id).hidden = true;
    });
  }

  showLessons() {
    const solved = solvedOf(key);
    part("lessons")
      .querySelectorAll("[data-lesson]")
      .forEach((button, index) => {
        const done = solved.has(lessons[index].slug);
        button.classList.toggle("done", done);
        button.querySelector(".lesson-dot").textContent = done ? "✓" : String(index + 1);
        button.querySelector(".lesson-state").textContent = done ? t("solved") : "";
        if (index === this.index) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
  }
}

function pieceOf([text, bold]) {
  if (!bold) return text;
  const strong = document.createElement("b");
  strong.textContent = text;
  return strong;
}

new Practice();
