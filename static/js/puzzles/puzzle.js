/** A puzzle on the real board. The server judges each try; the answer comes with its end. */

import { Board } from "../board/board.js";
import { describeSteps } from "../board/board-sentences.js";
import { VerdictBox } from "../learn/verdict-box.js";
import { byId, find, readJson } from "../lib/dom.js";
import { refusalOf } from "../lib/forms.js";
import { untilReconnect } from "../lib/reconnect.js";
import { refusalSentence } from "../lib/refusals.js";
import { t, tn } from "../lib/text.js";
import { Troops } from "../troops/troops.js";
import { AnswerBox } from "./answer-box.js";

/** @type {Record<string, Wire.ByRole<string>>} Names of the sides for screen readers. */
const SIDES = {
  pincer: { white: t("Triangles"), black: t("Circles") },
  amazons: { white: t("White"), black: t("Black") },
};
const NOTHING = { burns: [], steps: null, same: false, own: false };

export class PuzzlePage {
  constructor() {
    this.root = byId("puzzle");
    /** @type {PuzzleData} */
    this.data = readJson("puzzle-data");
    /** @type {PuzzleProgress} */
    this.progress = this.data;
    /** A turn that was tried stands on the board. @type {Wire.Snapshot | null} */
    this.shown = null;
    this.isWaiting = false;
    this.verdict = new VerdictBox(byId("verdict"));
    this.answer = new AnswerBox();
    this.surface = this.makeSurface();
    this.listen();
    this.begin();
  }

  get isBlotto() {
    return this.data.key === "blotto";
  }

  get snapshot() {
    return this.shown ?? this.data.snapshot;
  }

  /** @returns {Surface} */
  makeSurface() {
    const events = {
      onDraftChange: () => this.showDraft(),
      onTurn: (/** @type {string[]} */ actions) => this.go(actions),
      onPremove: () => {},
    };
    const near = this.data.role;
    if (this.isBlotto) return new Troops(byId("troops"), byId("rounds"), { near }, events);
    const snapshot = /** @type {Wire.BoardSnapshot} */ (this.data.snapshot);
    return new Board(byId("board"), { snapshot, near }, events);
  }

  listen() {
    byId("puzzle-undo").addEventListener("click", () => this.undo());
    byId("puzzle-play").addEventListener("click", () => this.surface.submit());
    byId("puzzle-again").addEventListener("click", () => this.again());
    byId("puzzle-typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(/** @type {HTMLInputElement} */ (byId("puzzle-type")));
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.shown) this.surface.undo();
    });
  }

  /** Shows the position, or the last turn if the puzzle has ended. */
  begin() {
    const { last, end } = this.data;
    if (last && end) {
      this.shown = last.snapshot;
      this.surface.show(last.snapshot, NOTHING);
      this.answer.showEarned(last.earned);
      this.showEnd(end);
    } else {
      this.surface.show(this.snapshot, NOTHING);
    }
    this.answer.show(this.progress);
    this.showDraft();
  }

  undo() {
    if (this.isBlotto) this.surface.clear();
    else this.surface.undo();
  }

  /** @param {HTMLInputElement} field */
  async type(field) {
    if (this.shown) this.again();
    const { ok, say } = await this.surface.type(field.value);
    if (ok) field.value = "";
    byId("puzzle-typed-say").textContent = say ?? "";
  }

  /** Goes back to the position, for another try. */
  again() {
    if (this.progress.end) return;
    this.shown = null;
    this.verdict.clear();
    this.answer.showEarned(null);
    byId("puzzle-typed-say").textContent = "";
    this.surface.settle();
    if (this.isBlotto) /** @type {Troops} */ (this.surface).onward();
    this.surface.show(this.snapshot, NOTHING);
    this.showDraft();
  }

  /** @param {string[]} actions */
  async go(actions) {
    if (this.isWaiting || this.progress.end) return;
    this.isWaiting = true;
    this.surface.send();
    const answer = await this.ask(actions);
    this.isWaiting = false;
    if ("outdated" in answer) this.showOutdated(answer);
    else if ("snapshot" in answer) this.showVerdict(answer);
    else this.showRefusal(/** @type {PuzzleRefusal} */ (answer));
    this.answer.show(this.progress);
    this.showDraft();
    byId("verdict").scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {string[]} actions
   * @returns {Promise<PuzzleAnswer>}
   */
  async ask(actions) {
    const token = /** @type {HTMLInputElement} */ (find(this.root, "[name=csrfmiddlewaretoken]"))
      .value;
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "X-CSRFToken": token,
    };
    const body = JSON.stringify({ actions, tries: this.progress.tries });
    try {
      const answer = await fetch(this.data.url, { method: "POST", headers, body });
      if (answer.ok || answer.status === 409) return await answer.json();
      return { say: await refusalOf(answer) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { say: untilReconnect(t("Not connected. Nothing was played.")) };
    }
  }

  /** @param {PuzzleVerdict} answer */
  showVerdict(answer) {
    const { verdict, snapshot, steps, end, earned } = answer;
    const burns = steps.flatMap(({ effects }) =>
      effects
        .filter(({ kind }) => kind === "place")
        .map((effect) => /** @type {Wire.Place} */ (effect).at),
    );
    this.progress = answer;
    this.shown = snapshot;
    this.surface.settle();
    this.surface.show(snapshot, { burns, steps, same: false, own: !this.isBlotto });
    this.answer.showEarned(earned);
    const heard = describeSteps(steps, this.names(), this.data.key);
    if (end) {
      this.showEnd(end, heard);
      return;
    }
    const left = answer.most - answer.tries;
    const text = tn("{count} try left.", "{count} tries left.", left, { count: left });
    this.verdict.show(verdict, t("Not that one"), text, heard);
  }

  /**
   * @param {PuzzleEnd} end
   * @param {string} [heard]
   */
  showEnd({ result }, heard = "") {
    const { solved } = this.progress;
    const head = solved ? t("Solved") : t("Not solved");
    this.verdict.show(solved ? "solved" : "missed", head, result, heard);
  }

  /** @param {PuzzleRefusal} answer */
  showRefusal(answer) {
    this.surface.refuse(answer.squares ?? []);
    this.surface.show(this.snapshot, { ...NOTHING, same: true });
    const say = refusalSentence({ ...answer, code: answer.reason });
    this.verdict.show("illegal", t("Not played"), say);
  }

  /** Shows the progress made in another tab. @param {PuzzleOutdated} answer */
  showOutdated(answer) {
    this.progress = answer;
    this.surface.settle();
    this.surface.show(this.snapshot, { ...NOTHING, same: true });
    if (answer.end) this.showEnd(answer.end);
    else this.verdict.show("illegal", t("Not played"), answer.outdated);
  }

  names() {
    const { white, black } = this.data.snapshot.seats;
    return SIDES[this.root.dataset.family ?? ""] ?? { white: white.name, black: black.name };
  }

  /** Shows the status and the buttons of the composed turn. */
  showDraft() {
    if (!this.surface) return;
    const isOver = this.progress.end !== null;
    const isComposing = !this.shown && !this.isWaiting && !isOver;
    byId("composing").hidden = !isComposing;
    byId("puzzle-acts").hidden = isOver;
    byId("puzzle-typed").hidden = isOver;
    byId("puzzle-again").hidden = !this.shown || isOver;
    if (!isComposing) {
      for (const id of ["puzzle-undo", "puzzle-play"]) byId(id).hidden = true;
      return;
    }
    const { status, back, ready } = this.surface.read(this.snapshot);
    const hasBegun = back !== null;
    if (hasBegun && this.verdict.element.dataset.verdict === "illegal") this.verdict.clear();
    byId("puzzle-sentence").textContent = status.sentence;
    byId("puzzle-hint").textContent = status.hint.map(([text]) => text).join("");
    byId("puzzle-undo").hidden = !hasBegun;
    byId("puzzle-undo").textContent = back ?? "";
    byId("puzzle-play").hidden = !ready || this.isBlotto;
  }
}
