/** Show remarks about the newest turn in the place of the hint. */

import { remarkOf } from "./remarks.js";

export class Commentary {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    this.rev = -1;
  }

  /** Tells about the newest turn; not while a result is still being shown. */
  show() {
    const { game } = this;
    if (game.gate.isClosed || game.snapshot.rev === this.rev) return;
    this.rev = game.snapshot.rev;
    const remark = remarkOf(game.snapshot);
    if (remark === game.remark) return;
    game.remark = remark;
    game.showDraft();
  }
}
