/** Practice on the page of a rule set: small positions on the real board, judged by the rules. */

import { Board } from "../board/board.js";
import { describeSteps } from "../board/board-sentences.js";
import { byId, find, readJson } from "../lib/dom.js";
import { refusalOf } from "../lib/forms.js";
import { untilReconnect } from "../lib/reconnect.js";
import { refusalSentence } from "../lib/refusals.js";
import { t } from "../lib/text.js";
import { Troops } from "../troops/troops.js";
import { markSolved, solvedOf } from "./progress.js";
import { VerdictBox } from "./verdict-box.js";

const root = byId("practice");

/** @type {Lesson[]} */
const lessons = readJson("lessons-data");

const { key = "", family = "", url = "" } = root.dataset;

/** @param {string} id */
const part = (id) => byId(id);

/**
 * Names of the sides for screen readers.
 *
 * @type {Record<string, Wire.ByRole<string>>}
 */
const SIDES = {
  pincer: { white: t("Triangles"), black: t("Circles") },
  amazons: { white: t("White"), black: t("Black") },
};

/**
 * @param {BoardEvents} events
 * @returns {Surface}
 */
function surfaceFor(events) {
  if (key === "blotto")
    return new Troops(part("troops"), part("rounds"), { near: "white" }, events);
  const snapshot = /** @type {Wire.BoardSnapshot} */ (lessons[0].snapshot);
  return new Board(part("board"), { snapshot, near: "white" }, events);
}

export class Practice {
  /**
   * `onSolved()` is called after each position that is solved.
   *
   * @param {{ onSolved?: () => void }} [options]
   */
  constructor({ onSolved = () => {} } = {}) {
    this.onSolved = onSolved;
    /** @type {{ index: number } | null} */
    this.attempt = null;
    /** @type {Wire.Snapshot | null} */
    this.shown = null;
    /** @type {string | null} */
    this.solution = null;
    this.index = 0;
    this.answered = false;
    this.verdict = new VerdictBox(part("verdict"));
    this.surface = surfaceFor({
      onDraftChange: () => this.showDraft(),
      onTurn: (actions) => this.go(actions),
      onPremove: () => {},
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
    /**
     * @param {string} id
     * @param {() => void} handler
     */
    const press = (id, handler) => part(id).addEventListener("click", handler);
    part("lessons").addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("[data-lesson]");
      if (button) this.open(Number(button.dataset.lesson));
    });
    press("lesson-undo", () => this.undo());
    press("lesson-keep", () => this.surface.keep());
    press("lesson-play", () => this.surface.submit());
    press("lesson-again", () => this.again());
    press("lesson-show", () =>
      this.verdict.say(t("One solution: {turn}", { turn: this.solution })),
    );
    press("lesson-next", () => this.open(this.next(), { focus: true }));
    part("lesson-typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(/** @type {HTMLInputElement} */ (part("lesson-type")));
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

  /**
   * Plays a typed turn.
   *
   * @param {HTMLInputElement} field
   */
  async type(field) {
    if (this.answered) this.again();
    const { ok, say } = await this.surface.type(field.value);
    if (ok) field.value = "";
    part("lesson-typed-say").textContent = say ?? "";
  }

  /* A position. */

  /**
   * @param {number} index
   * @param {{ focus?: boolean }} [options]
   */
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
    if (key === "blotto") /** @type {Troops} */ (this.surface).onward();
    this.surface.show(this.snapshot, { burns: [], steps: null, same: false, own: false });
    this.showLessons();
    this.showDraft();
  }

  /**
   * Sends a composed turn to the server, and shows its verdict.
   *
   * @param {string[]} actions
   */
  async go(actions) {
    const attempt = { index: this.index };
    this.attempt = attempt;
    this.surface.send();
    const reply = await this.ask(actions);
    if (this.attempt !== attempt) return; // another position has been opened meanwhile
    this.attempt = null;
    if (reply.snapshot) this.showVerdict(reply);
    else this.showRefusal(reply);
    this.showLessons();
    this.showDraft();
    part("lesson-next").parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string[]} actions */
  async ask(actions) {
    const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"))
      .value;
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "X-CSRFToken": token,
    };
    const request = { method: "POST", headers, body: JSON.stringify({ actions }) };
    try {
      const answer = await fetch(`${url}${this.index + 1}/try`, request);
      return answer.ok ? await answer.json() : { say: await refusalOf(answer) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { say: untilReconnect(t("Not connected. Nothing was played.")) };
    }
  }

  /** @param {TryReply} reply */
  showVerdict({ verdict, snapshot, steps, solution }) {
    const burns = steps.flatMap(({ effects }) =>
      effects
        .filter(({ kind }) => kind === "place")
        .map((effect) => /** @type {Wire.Place} */ (effect).at),
    );
    const isSolved = verdict === "solved";
    this.answered = true;
    this.shown = snapshot;
    this.solution = solution;
    this.surface.settle();
    this.surface.show(snapshot, { burns, steps, same: false, own: key !== "blotto" });
    if (isSolved) {
      markSolved(key, this.lesson.slug);
      this.onSolved();
    }
    const head = isSolved ? t("Solved") : t("Legal, but not the task");
    const text = isSolved ? this.lesson.solved : this.lesson.missed;
    this.verdict.show(verdict, head, text, describeSteps(steps, this.names(), key));
  }

  /** @param {TryReply} reply */
  showRefusal(reply) {
    this.surface.refuse(reply.squares ?? []);
    this.surface.show(this.snapshot, { burns: [], steps: null, same: true, own: false });
    this.verdict.show(
      "illegal",
      t("Not played"),
      refusalSentence({ ...reply, code: reply.reason }),
    );
  }

  names() {
    const { white, black } = this.snapshot.seats;
    return SIDES[family] ?? { white: white.name, black: black.name };
  }

  /* The parts around the board. */

  showDraft() {
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

  /** @param {boolean} composing */
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
    next.textContent = last ? t("Back to the first") : t("Next");
    next.className = solved && !last ? "button soft" : "button quiet";
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
        find(button, ".lesson-dot").textContent = done ? "✓" : String(index + 1);
        find(button, ".lesson-state").textContent = done ? t("solved") : "";
        if (index === this.index) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
  }
}

/** @param {[string, boolean]} piece */
function pieceOf([text, bold]) {
  if (!bold) return text;
  const strong = document.createElement("b");
  strong.textContent = text;
  return strong;
}
