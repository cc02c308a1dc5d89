/**
 * Occupancy: which piece stands on which square at a moment, and the runs that a capture takes. Pure.
 *
 * It starts from the server's board, applies the steps of the draft and undoes motion that has not
 * happened yet. The server says which squares a move empties; the capture runs among them only place the
 * wedges and word the sentence: squares that the server did not name are never in a run.
 */

import { marksOf, nameOf, placeOf } from "../drawing/geometry.js";
import { required } from "../lib/required.js";
import { movesOf } from "./path-draft.js";

/** @type {Readonly<Wire.ByRole<string>>} */
/** @type {Wire.ByRole<Mark>} */
export const MARKS = { white: "W", black: "B" };

export const BURNT = "x";

/** @param {Wire.BoardView} view */
export function sizeOf(view) {
  return { columns: view.width, rows: view.height };
}

/**
 * Applies one step of a draft to `marks`: {marks, victims: [{square, mark}], runs}.
 *
 * @param {Marks} marks
 * @param {DraftMove} move
 * @param {BoardSize} size
 */
export function afterStep(marks, { start, end, taken }, size) {
  const moved = moveMark(marks, start, end);
  const victims = taken.map((square) => ({ square, mark: moved.get(square) }));
  const runs = taken.length === 0 ? [] : captureRuns(moved, taken, size);
  taken.forEach((square) => moved.delete(square));
  return { marks: moved, victims, runs };
}

/**
 * The board after every step in the draft: {marks, victims, runs, ends: where moved pieces stand}.
 *
 * @param {Wire.BoardView} view
 * @param {Draft | null} draft
 */
export function afterDraft(view, draft) {
  /** @type {DraftOccupancy} */
  let occupancy = { marks: marksOf(view.board), victims: [], runs: [], ends: [] };
  for (const move of draft ? movesOf(draft) : []) {
    const after = afterStep(occupancy.marks, move, sizeOf(view));
    occupancy = {
      marks: after.marks,
      victims: [...occupancy.victims, ...after.victims],
      runs: [...occupancy.runs, ...after.runs],
      ends: [...occupancy.ends, move.end],
    };
  }
  return occupancy;
}

/** @type {{ [K in "slide" | "place" | "remove"]: (marks: Marks, effect: MotionOf<K>) => void }} */
const UNDO_EFFECT = {
  slide(marks, effect) {
    const mark = marks.get(effect.end);
    if (mark === undefined) return;
    marks.delete(effect.end);
    marks.set(effect.start, mark);
  },
  place(marks, effect) {
    marks.delete(effect.at);
  },
  remove(marks, effect) {
    for (const square of effect.squares) marks.set(square, MARKS[effect.role]);
  },
};

/**
 * Effects under way: what they take out of the marks, and list apart.
 *
 * @type {{ [K in Exclude<MotionKind, "count">]: (occupancy: Occupancy, phase: Phase<MotionOf<K>>) => void }}
 */
const APPLY_PHASE = {
  slide(occupancy, { effect, move = 1 }) {
    const mark = occupancy.marks.get(effect.end);
    if (mark === undefined) return;
    occupancy.marks.delete(effect.end);
    occupancy.moving.push({ mark, start: effect.start, end: effect.end, move });
  },
  place(occupancy, phase) {
    if (phase.landed) occupancy.burning.set(phase.effect.at, phase);
    else {
      occupancy.marks.delete(phase.effect.at);
      occupancy.flights.set(phase.effect.at, phase.flight ?? 1);
    }
  },
  remove(occupancy, phase) {
    occupancy.removing.push(phase);
  },
  raise(occupancy, { effect, lift = 1 }) {
    occupancy.lifts.set(effect.at, lift);
  },
  lower(occupancy, { effect, lift = 0 }) {
    occupancy.lifts.set(effect.at, lift);
  },
  refuse(occupancy, { effect, shift = 0 }) {
    occupancy.shifts.set(effect.at, shift);
  },
  trap() {}, // moves nothing; see ending.js
};

/**
 * @param {Marks} marks
 * @param {Motion} effect
 */
function undoEffect(marks, effect) {
  /** @type {Partial<Record<string, (marks: Marks, effect: never) => void>>} */
  const table = UNDO_EFFECT;
  table[effect.kind]?.(marks, /** @type {never} */ (effect)); // the kind has chosen the function
}

/**
 * @param {Occupancy} occupancy
 * @param {Phase} phase
 */
function applyPhase(occupancy, phase) {
  /** @type {Partial<Record<string, (occupancy: Occupancy, phase: never) => void>>} */
  const table = APPLY_PHASE;
  table[phase.effect.kind]?.(occupancy, /** @type {never} */ (phase));
}

/**
 * The occupancy with the motion of a moment taken out of it: effects not yet begun are undone (from the
 * last one back), those under way are listed apart from the marks.
 *
 * @param {Wire.BoardView} view
 * @param {Draft | null} draft
 * @param {Phase[]} [moment]
 */
export function occupancyAt(view, draft, moment = []) {
  /** @type {Occupancy} */
  const occupancy = {
    ...afterDraft(view, draft),
    moving: [],
    removing: [],
    flights: new Map(),
    burning: new Map(),
    lifts: new Map(),
    shifts: new Map(),
    unseen: new Set(),
  };
  for (const phase of [...moment].reverse()) {
    const { effect, begun, ended } = phase;
    if (!begun) {
      undoEffect(occupancy.marks, effect);
      occupancy.unseen.add(effect);
    } else if (!ended || (phase.cool ?? 1) < 1) applyPhase(occupancy, phase);
  }
  return occupancy;
}

const AXES = [
  { axis: "row", dx: 1, dy: 0 },
  { axis: "column", dx: 0, dy: 1 },
];

const WALL = "wall";

/**
 * @param {Marks} marks
 * @param {Square} square
 * @param {(typeof AXES)[number]} step
 * @param {number} sign
 */
function sameMarks(marks, square, step, sign) {
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

/**
 * @param {Point} place
 * @param {BoardSize} size
 */
function jawAt({ x, y }, size) {
  const inside = x >= 1 && y >= 1 && x <= size.columns && y <= size.rows;
  return inside ? nameOf(x, y) : WALL;
}

/**
 * @param {Marks} marks
 * @param {Square} square
 * @param {(typeof AXES)[number]} step
 * @param {BoardSize} size
 */
function runThrough(marks, square, step, size) {
  const low = sameMarks(marks, square, step, -1);
  const high = sameMarks(marks, square, step, 1);
  return {
    axis: step.axis,
    squares: [...low.squares.reverse(), square, ...high.squares],
    jaws: [jawAt(low.end, size), jawAt(high.end, size)],
  };
}

/**
 * The captured runs: {axis, squares, jaws: [low, high]}, each jaw "wall" or a square. `marks` is the
 * board as it stands after the move and before the pieces are taken off.
 *
 * @param {Marks} marks
 * @param {Square[]} taken
 * @param {BoardSize} size
 */
export function captureRuns(marks, taken, size) {
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

/**
 * The marks after one step: the piece moved, nothing taken off yet.
 *
 * @param {Marks} marks
 * @param {Square} start
 * @param {Square} end
 */
export function moveMark(marks, start, end) {
  const after = new Map(marks);
  after.set(end, required(marks.get(start), `a piece on ${start}`));
  after.delete(start);
  return after;
}
