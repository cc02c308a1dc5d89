/** Taps on squares by keys: like pointer taps, but a tap without effect is explained in a sentence. */

import { t } from "../lib/text.js";
import { signatureOf } from "./refused-tap.js";

/**
 * @param {import("./board.js").Board} board
 * @param {Square} square
 */
export function tapByKey(board, square) {
  const { draft, activeDraft } = board;
  const isDelayed = board.premoves.isUnknown;
  board.tapSquare(square);
  if (isDelayed) return;
  if (activeDraft === null) board.events.onRefusedKey?.(board.typedTurns.idleReason());
  else if (board.draft === draft && board.sent === null) {
    const label = board.grid.buttons.get(square).getAttribute("aria-label");
    board.events.onRefusedKey?.(t("{square}: not possible.", { square: label }));
    const signature = signatureOf(board.draft);
    board.events.onRefusedTap?.({ square, draft: activeDraft, board, signature });
  }
}
