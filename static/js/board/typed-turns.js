/** Turns typed in notation, composed in the same way as by taps. */

import { idleReason } from "./key-taps.js";
import { readNotation } from "./notation.js";

export class TypedTurns {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * Composes typed text: {ok, say}. The same text again, or none, sends a turn that waits. `say` is a
   * sentence about an error or a missing step, or null.
   *
   * @param {string} text
   * @returns {TypedResult}
   */
  type(text) {
    const { board } = this;
    if (text.trim() === "") {
      return board.submit() ? { ok: true, say: null } : { ok: false, say: idleReason(board) };
    }
    if (board.premoves.delay(() => this.typeLate(text))) return { ok: true, say: null };
    const before = board.activeDraft;
    if (before === null) return { ok: false, say: idleReason(board) };
    const made = board.snapshot.view.moved ?? [];
    /** @param {Square} square */
    const knows = (square) => board.grid.has(square);
    const { draft, say } = readNotation(text, { draft: before, made, knows });
    if (draft === null) return { ok: false, say };
    const isSame = board.isReady() && draft.path.join() === before.path.join();
    if (isSame) board.submit();
    else board.setDraft(draft);
    return { ok: true, say };
  }

  /** @param {string} text */
  typeLate(text) {
    const { say } = this.type(text);
    if (say) this.board.events.onSaid?.(say);
  }
}
