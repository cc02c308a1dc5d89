/** The end of a game on its board: the amazons of a side that cannot move. Pure. */

import { COUNTED } from "../lib/result-words.js";
import { MARKS } from "./occupancy.js";
import { timelineOf } from "./tween.js";

/** The eight sides of a square, to the right and upwards. */
const DIRECTIONS = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
];

/**
 * Returns whether the game on the board is over, the role that lost because it cannot move, and the
 * regions by which it was counted. `past`: an earlier position is shown.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {unknown} past
 */
export function endingOf({ status, outcome, view, count }, past) {
  const over = status === "over" && past === null;
  const owned = over && COUNTED.has(outcome?.reason ?? "") ? (count?.regions ?? []) : [];
  const trapped = over && outcome?.reason === "no_moves" ? (view.to_move ?? null) : null;
  return { over, trapped, owned };
}

/**
 * The motion of new steps, with that of the end of the game: the amazons that cannot move bow. Null
 * shows the state at once.
 *
 * @param {{ effects: Motion[] }[] | null} steps
 * @param {Wire.BoardSnapshot} snapshot
 * @param {{ slides: boolean }} options
 */
export function motionOf(steps, snapshot, options) {
  if (steps === null) return null;
  const ends = endingOf(snapshot, null).trapped !== null;
  /** @type {{ effects: Motion[] }} */
  const bow = { effects: [{ kind: "trap", at: "" }] };
  return timelineOf(ends ? [...steps, bow] : steps, options);
}

/**
 * The amazons that cannot move: tilted, each with a cross and a wedge from every blocked side.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 * @returns {SceneItem[]}
 */
export function trappedItems({ trapped, moment }, { marks }) {
  if (!trapped) return [];
  const phase = moment.find(({ effect }) => effect.kind === "trap");
  const { bow = 1, flash = 0 } = phase ?? {};
  return [...marks]
    .filter(([, mark]) => mark === MARKS[trapped])
    .flatMap(([square]) => [
      ...DIRECTIONS.map(([dx, dy]) => ({
        ...{ layer: "capture", kind: "blocked", square, dx, dy, alpha: bow, grow: flash },
      })),
      { layer: "capture", kind: "trapped", square, alpha: bow },
    ]);
}

/**
 * The squares that were counted, each marked in the colour of the role that owns it.
 *
 * @param {Look} look
 * @returns {SceneItem[]}
 */
export function ownedItems({ owned = [] }) {
  return owned.flatMap(({ role, squares }) =>
    role === null
      ? []
      : squares.split(" ").map((square) => ({ layer: "owned", kind: "owned", square, role })),
  );
}

/**
 * Share of its bow that the amazon on a square has made, from 0 to 1.
 *
 * @param {Look} look
 * @param {Mark} mark
 */
export function bowOfPiece({ trapped, moment }, mark) {
  if (!trapped || mark !== MARKS[trapped]) return 0;
  const phase = moment.find(({ effect }) => effect.kind === "trap");
  return phase ? (phase.bow ?? 0) : 1;
}
