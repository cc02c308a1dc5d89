/** Rooms of an Amazons board: the connected sets of empty squares in a position. Pure. */

import { nameOf, placeOf } from "../drawing/geometry.js";
import { BURNT } from "./occupancy.js";

/**
 * @param {Square} square
 * @param {BoardSize} size
 */
function neighboursOf(square, { columns, rows }) {
  const { x, y } = placeOf(square);
  const found = [];
  for (let column = Math.max(1, x - 1); column <= Math.min(columns, x + 1); column += 1) {
    for (let row = Math.max(1, y - 1); row <= Math.min(rows, y + 1); row += 1) {
      if (column !== x || row !== y) found.push(nameOf(column, row));
    }
  }
  return found;
}

/**
 * The empty squares that are connected to a square.
 *
 * @param {Square} start
 * @param {Marks} marks
 * @param {BoardSize} size
 */
export function roomAround(start, marks, size) {
  /** @type {Set<Square>} */
  const room = new Set();
  const open = [start];
  for (let square = open.pop(); square !== undefined; square = open.pop()) {
    for (const next of neighboursOf(square, size)) {
      if (marks.has(next) || room.has(next)) continue;
      room.add(next);
      open.push(next);
    }
  }
  return room;
}

/**
 * The empty squares that only one side can reach.
 *
 * @param {Mark} mark
 * @param {Marks} marks
 * @param {BoardSize} size
 */
export function ownSquares(mark, marks, size) {
  /** @type {Set<Square>} */
  const ours = new Set();
  /** @type {Set<Square>} */
  const theirs = new Set();
  for (const [square, other] of marks) {
    if (other === BURNT) continue;
    const reached = other === mark ? ours : theirs;
    for (const found of roomAround(square, marks, size)) reached.add(found);
  }
  return new Set([...ours].filter((square) => !theirs.has(square)));
}
