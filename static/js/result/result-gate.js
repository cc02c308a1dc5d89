/**
 * Delays updates that would tell a result before the page has shown it: the fields of a round of Blotto
 * (see troops/reveal-gate.js), or the last motion on a board.
 */

import { OTHER } from "../lib/game-words.js";

export class ResultGate {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    /** Calls that wait until the result may be told. @type {(() => void)[]} */
    this.tasks = [];
  }

  /** Whether a game on a board is over, and told as running while its last motion is shown. */
  get isEnding() {
    const { surface, snapshot, panel } = this.game;
    const isMoving = surface.flips && surface.moving;
    return isMoving && snapshot.status === "over" && panel.shown?.status === "live";
  }

  /** Whether a result is still being shown. */
  get isClosed() {
    return Boolean(this.game.surface.isOpening) || this.isEnding;
  }

  /** The newest snapshot without a result that is still being shown. */
  get snapshot() {
    const { surface, snapshot, panel } = this.game;
    const { clock, you } = snapshot;
    if (!this.isEnding || panel.shown === null) return surface.tellable?.(snapshot) ?? snapshot;
    const control = you ? [OTHER[you]] : panel.shown.control;
    return { ...panel.shown, clock, control, may: [], prompt: null };
  }

  /**
   * Does something as soon as the page may tell the newest result.
   *
   * @param {() => void} task
   */
  whenTold(task) {
    if (this.isClosed) this.tasks.push(task);
    else task();
  }

  /** The result has been shown: updates the page, and runs the waiting calls. */
  open() {
    this.game.tell(this.game.snapshot);
    for (const task of this.tasks.splice(0)) task();
  }
}
