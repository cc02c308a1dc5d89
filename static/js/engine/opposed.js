/** The same position with the other side to move, for the engine. Pure. */

import { OTHER } from "../lib/game-words.js";

/**
 * Returns the rules' text of a position with the other side to move; null in the middle of a turn, where
 * that makes no sense, and for a text that is no position.
 *
 * In Amazons and Pincer the third word says what has moved in the turn that is under way.
 *
 * @param {string} position
 */
export function opposed(position) {
  const [board, toMove, moved, ...rest] = position.split(" ");
  if (moved !== "-" || (toMove !== "white" && toMove !== "black")) return null;
  return [board, OTHER[toMove], moved, ...rest].join(" ");
}
