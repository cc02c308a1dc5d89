/** Payoffs of pairs of splits, as the rules have computed them. Pure. */

import { fraction } from "./fractions.js";

/**
 * @param {LabTableJson} json
 * @returns {LabTable}
 */
export function decodeTable({ splits, points, round_points, mix, mix_total }) {
  return {
    splits,
    points: Uint8Array.from(points, Number),
    roundPoints: round_points,
    mix,
    mixTotal: mix_total,
  };
}

/**
 * Points of a split against another.
 *
 * @param {LabTable} table
 * @param {number} own
 * @param {number} other
 */
export const pointsOf = (table, own, other) => table.points[own * table.splits.length + other];

/**
 * Expected points of a split in one round against the equilibrium, exactly.
 *
 * @param {LabTable} table
 * @param {number} own
 */
export function expectedPoints(table, own) {
  let total = 0;
  table.mix.forEach((weight, other) => {
    total += weight * pointsOf(table, own, other);
  });
  return fraction(total, table.mixTotal);
}

/**
 * The chance that two splits of the equilibrium are the same, exactly.
 *
 * @param {LabTable} table
 */
export function repeatChance({ mix, mixTotal }) {
  const same = mix.reduce((sum, weight) => sum + weight * weight, 0);
  return fraction(same, mixTotal * mixTotal);
}

/**
 * "won", "drawn" or "lost" for the owner of the first split.
 *
 * @param {LabTable} table
 * @param {LabRound} round
 * @returns {"won" | "drawn" | "lost"}
 */
export function resultOf(table, [own, other]) {
  const lead = 2 * pointsOf(table, own, other) - table.roundPoints;
  if (lead === 0) return "drawn";
  return lead > 0 ? "won" : "lost";
}

/**
 * The index of a split by its troops; -1 where the rules know no such split.
 *
 * @param {LabTable} table
 * @param {readonly number[]} troops
 */
export const indexOf = ({ splits }, troops) =>
  splits.findIndex(
    (split) => split.length === troops.length && split.every((n, field) => n === troops[field]),
  );

/**
 * A split as text, "6-4-0".
 *
 * @param {LabTable} table
 * @param {number} index
 */
export const splitText = (table, index) => table.splits[index].join("-");
