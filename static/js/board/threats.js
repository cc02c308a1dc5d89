/** Captures that one step of Pincer would make, from a position that everybody sees. Pure. */

import { marksOf, nameOf, placeOf } from "../drawing/geometry.js";
import { required } from "../lib/required.js";
import { MARKS } from "./occupancy.js";

const WAYS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];

const WALL = "wall";

/**
 * The contents of each square of a board; beyond its edge is the wall.
 *
 * @param {Marks} marks
 * @param {Wire.BoardView} view
 */
function reader(marks, { width, height }) {
  return (/** @type {number} */ x, /** @type {number} */ y) =>
    x < 1 || y < 1 || x > width || y > height ? WALL : marks.get(nameOf(x, y));
}

/**
 * The enemies that a piece which has come to a square holds against its own side or the wall.
 *
 * @param {(x: number, y: number) => string | undefined} at
 * @param {Point} place
 * @param {Mark} own
 */
function heldFrom(at, { x, y }, own) {
  return WAYS.flatMap(([dx, dy]) => {
    const run = [];
    let [column, row] = [x + dx, y + dy];
    for (; ![undefined, WALL, own].includes(at(column, row)); column += dx, row += dy)
      run.push(nameOf(column, row));
    return at(column, row) === undefined ? [] : run;
  });
}

/**
 * The most that the side to move can take with its next step; empty if it can take nothing.
 *
 * @param {Wire.BoardView} view
 * @returns {Square[]}
 */
export function mostTaken(view) {
  const marks = marksOf(view.board);
  const own = MARKS[required(view.to_move, "the role to move")];
  /** @type {Square[]} */
  let most = [];
  for (const [square, mark] of marks) {
    if (mark !== own || square === view.stepped) continue;
    const { x, y } = placeOf(square);
    const after = reader(new Map([...marks].filter(([name]) => name !== square)), view);
    for (const [dx, dy] of WAYS) {
      const [column, row] = [x + dx, y + dy];
      if (reader(marks, view)(column, row) !== undefined) continue;
      const taken = heldFrom(after, { x: column, y: row }, own);
      if (taken.length > most.length) most = taken;
    }
  }
  return most.sort();
}
