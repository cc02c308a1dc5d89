/** Habits in the rounds of one player. Pure. */

import { fraction } from "./fractions.js";
import { resultOf } from "./split-table.js";

/** @typedef {"won" | "drawn" | "lost"} Result */

/** @type {Result[]} */
export const RESULTS = ["won", "drawn", "lost"];

/**
 * Mean troops on each field, exactly.
 *
 * @param {LabTable} table
 * @param {readonly number[]} played at least one
 */
export function fieldMeans({ splits }, played) {
  return splits[0].map((_, field) =>
    fraction(
      played.reduce((sum, split) => sum + splits[split][field], 0),
      played.length,
    ),
  );
}

/**
 * Counts, by field, of the rounds in which it had the most troops; a shared maximum counts for none.
 *
 * @param {LabTable} table
 * @param {readonly number[]} played
 */
export function strongestFields({ splits }, played) {
  const times = splits[0].map(() => 0);
  for (const split of played) {
    const most = Math.max(...splits[split]);
    const fields = splits[split].flatMap((troops, field) => (troops === most ? [field] : []));
    if (fields.length === 1) times[fields[0]] += 1;
  }
  return times;
}

/**
 * After each result: how many rounds followed one, and in how many the same split was played again.
 *
 * @param {LabTable} table
 * @param {readonly LabGame[]} games
 */
export function repeatsAfter(table, games) {
  const found = { won: [0, 0], drawn: [0, 0], lost: [0, 0] };
  for (const [, rounds] of games) {
    for (let index = 1; index < rounds.length; index += 1) {
      const counts = found[resultOf(table, rounds[index - 1])];
      counts[0] += 1;
      if (rounds[index][0] === rounds[index - 1][0]) counts[1] += 1;
    }
  }
  return found;
}

/**
 * The splits that were played most, with their times; at most `count`.
 *
 * @param {readonly number[]} played
 * @param {number} count
 * @returns {[split: number, times: number][]}
 */
export function favourites(played, count) {
  /** @type {Map<number, number>} */
  const times = new Map();
  for (const split of played) times.set(split, (times.get(split) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count);
}
