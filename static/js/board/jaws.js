/**
 * Where to draw what a capture looks like. The server says which squares a move empties; this finds
 * the runs among them and what stands at the two ends of each, for the wedges and the sentence.
 * It decides nothing: squares that the server did not name are never in a run.
 */

import { nameOf, placeOf } from "./geometry.js";

const AXES = [
  { axis: "row", dx: 1, dy: 0 },
  { axis: "column", dx: 0, dy: 1 },
];
const WALL = "wall";

function extent(marks, square, step, sign) {
  const mark = marks.get(square);
  let { x, y } = placeOf(square);
  const squares = [];
  for (;;) {
    x += step.dx * sign;
    y += step.dy * sign;
    const name = x < 1 || y < 1 ? "" : nameOf(x, y);
    if (marks.get(name) !== mark) return { squares, end: { x, y } };
    squares.push(name);
  }
}

function jawAt({ x, y }, size) {
  const inside = x >= 1 && y >= 1 && x <= size.columns && y <= size.rows;
  return inside ? nameOf(x, y) : WALL;
}

function runThrough(marks, square, step, size) {
  const low = extent(marks, square, step, -1);
  const high = extent(marks, square, step, 1);
  return {
    axis: step.axis,
    squares: [...low.squares.reverse(), square, ...high.squares],
    jaws: [jawAt(low.end, size), jawAt(high.end, size)],
  };
}

/**
 * The captured runs: {axis, squares, jaws: [low, high]}, each jaw "wall" or a square. `marks` is the
 * board as it stands after the move and before the pieces are taken off.
 */
export function runsOf(marks, taken, size) {
  const gone = new Set(taken);
  const runs = new Map();
  for (const square of taken) {
    for (const step of AXES) {
      const run = runThrough(marks, square, step, size);
      const pieces = run.jaws.filter((jaw) => jaw !== WALL);
      const held = pieces.every((jaw) => marks.has(jaw)) && pieces.length > 0;
      if (held && run.squares.every((name) => gone.has(name))) {
        runs.set(`${run.axis} ${run.squares[0]}`, run);
      }
    }
  }
  return [...runs.values()];
}

/** The marks after one step: the piece moved, nothing taken off yet. */
export function stepped(marks, start, end) {
  const after = new Map(marks);
  after.set(end, after.get(start));
  after.delete(start);
  return after;
}
