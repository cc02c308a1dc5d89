/** How a change of the hand is shown as motion. Pure. */

import { heldPiece, movesOf, wordAt } from "./path.js";
import { timelineOf } from "./tween.js";

const played = (...effects) => timelineOf([{ effects }]);

/** A piece is raised, laid down, or slides by the newest step; null if nothing moves. */
export function motionOf(before, hand) {
  const [was, held] = [heldPiece(before), heldPiece(hand)];
  if (held !== null) return played({ kind: "raise", at: held });
  const index = hand.path.length - 1;
  const forward = hand.path.length > before.path.length;
  if (!forward) return was === null ? null : played({ kind: "lower", at: was });
  if (!wordAt(hand, index).startsWith("to")) return null;
  const { start, end } = movesOf(hand).at(-1);
  return played({ kind: "slide", start, end });
}
