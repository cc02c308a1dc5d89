/** The points of replies to rounds that were played, and the predictability of the rounds. Pure. */

import { pointsOf } from "./split-table.js";

/** Rounds from which habits and predictability are told. */
export const MIN_ROUNDS = 20;

/** Half the width of a 95 % interval, in standard errors. */
const Z_95 = 1.96;

/**
 * Total points of each split against splits that were played.
 *
 * @param {LabTable} table
 * @param {readonly number[]} played
 * @returns {number[]}
 */
export function replyTotals(table, played) {
  const count = table.splits.length;
  const times = new Int32Array(count);
  for (const index of played) times[index] += 1;
  return table.splits.map((_, reply) => {
    let total = 0;
    for (let other = 0; other < count; other += 1)
      total += times[other] * pointsOf(table, reply, other);
    return total;
  });
}

/**
 * The replies with the most points.
 *
 * @param {readonly number[]} totals
 */
export function bestReplies(totals) {
  const most = Math.max(...totals);
  return totals.flatMap((total, reply) => (total === most ? [reply] : []));
}

/**
 * The points per round of an opponent who knows half of the rounds.
 *
 * The rounds are dealt alternately into two halves; the best reply to one is judged on the other.
 * The best reply in hindsight, judged on the rounds that it was chosen by, would call everybody
 * predictable (two-fold cross-validation: M. Stone, J. R. Stat. Soc. B 36, 1974). Null below
 * `MIN_ROUNDS`.
 *
 * @param {LabTable} table
 * @param {readonly number[]} played
 * @returns {Estimate | null}
 */
export function exploitability(table, played) {
  if (played.length < MIN_ROUNDS) return null;
  const halves = [0, 1].map((half) => played.filter((_, round) => round % 2 === half));
  const points = halves.flatMap((known, half) => {
    const [reply] = bestReplies(replyTotals(table, known));
    return halves[1 - half].map((other) => pointsOf(table, reply, other));
  });
  const mean = points.reduce((sum, each) => sum + each, 0) / points.length;
  const squares = points.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const error = Math.sqrt(squares / (points.length - 1) / points.length);
  return { mean, margin: Z_95 * error };
}
