/**
 * The part of a round that a page may tell while its fields still open one by one. Pure.
 *
 * All parts of the page that tell a result read the snapshot that `untold` returns until the last
 * field has opened: headline, table, sum, bar, status, title, live regions, and the end of the game.
 */

import { revealDuration } from "./layout.js";

/**
 * Returns whether a round is shown of which not all fields have opened.
 *
 * @param {Revealing | null} revealing
 * @param {number} fields
 */
export function isOpening(revealing, fields) {
  return revealing !== null && revealing.time < revealDuration(fields);
}

/**
 * The snapshot as it would stand if round `index`, from 0, had not been opened yet: no score of it, no
 * sum, no outcome and no claim of one, nobody to place troops. Clocks, seats and the prompt are those of now.
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @param {number} index
 * @returns {Wire.SplitSnapshot}
 */
export function untold(snapshot, index) {
  const { view } = snapshot;
  /** @type {(role: Role) => number[]} */
  const scoresOf = (role) => view.scores[role].slice(0, index);
  /** @type {(role: Role) => number} */
  const totalOf = (role) => scoresOf(role).reduce((sum, score) => sum + score, 0);
  return {
    ...snapshot,
    status: "live",
    outcome: null,
    control: [],
    may: snapshot.may.filter((word) => word !== "claim_decided"),
    last: [],
    commitments: {},
    view: {
      ...view,
      turns: index,
      round: index + 1,
      splits: view.splits.slice(0, index),
      scores: { white: scoresOf("white"), black: scoresOf("black") },
      totals: { white: totalOf("white"), black: totalOf("black") },
    },
  };
}
