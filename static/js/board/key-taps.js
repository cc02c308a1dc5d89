/** Taps on squares by keys: like pointer taps, but a tap without effect is explained in a sentence. */

import { untilReconnect } from "../lib/reconnect.js";
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
  if (activeDraft === null) board.events.onRefusedKey?.(idleReason(board));
  else if (board.draft === draft && board.sent === null) {
    const label = board.grid.buttons.get(square).getAttribute("aria-label");
    board.events.onRefusedKey?.(t("{square}: not possible.", { square: label }));
    const signature = signatureOf(board.draft);
    board.events.onRefusedTap?.({ square, draft: activeDraft, board, signature });
  }
}

/**
 * Returns why nothing can be played now by keys or typed.
 *
 * @param {import("./board.js").Board} board
 */
export function idleReason(board) {
  const { past, over, veiled, sent, draft } = board;
  if (past !== null) return t("You’re viewing an earlier move. Go to the latest move to play.");
  if (over) return t("The game is over.");
  if (veiled) return untilReconnect(t("Not connected. You can’t play right now."));
  if (sent !== null) return t("Your move is being sent.");
  return draft ? t("Type a move, such as d1-d7/g7.") : t("It’s not your turn.");
}
