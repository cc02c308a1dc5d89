/** The regions of an Amazons board as they are drawn: with the amazons that stand in them. Pure. */

import { distance, marksOf, middleOf } from "../drawing/geometry.js";

/**
 * A region with its amazons: they can move away, so they bound nothing, and the border goes round them.
 *
 * @param {BoardRegion} region
 * @param {string} board
 * @returns {DrawnRegion}
 */
export function drawnRegion({ role, squares, sure }, board) {
  const empty = squares.split(" ");
  const inside = new Set(empty);
  const amazons = [...marksOf(board)].flatMap(([square, mark]) => (mark === "x" ? [] : [square]));
  // A set takes in what is added while one goes through it: neighbours of neighbours are found too.
  for (const square of inside)
    for (const amazon of amazons) if (distance(square, amazon) === 1) inside.add(amazon);
  return { role, sure, inside, middle: middleOf(empty) };
}
