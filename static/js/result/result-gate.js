/** Delays updates that would reveal a result before the page has shown it; see troops/reveal-gate.js. */

export class ResultGate {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    /** Calls that wait until the result may be told. @type {(() => void)[]} */
    this.tasks = [];
  }

  /** The newest snapshot without a result that is still being shown. */
  get snapshot() {
    const { surface, snapshot } = this.game;
    return surface.tellable?.(snapshot) ?? snapshot;
  }

  /**
   * Does something as soon as the page may tell the newest result.
   *
   * @param {() => void} task
   */
  whenTold(task) {
    if (this.game.surface.isOpening) this.tasks.push(task);
    else task();
  }

  /** The result has been shown: updates the page, and runs the waiting calls. */
  open() {
    this.game.tell(this.game.snapshot);
    for (const task of this.tasks.splice(0)) task();
  }
}
