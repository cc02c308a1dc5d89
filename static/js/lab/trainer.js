/** Rounds against the equilibrium: the state of the trainer. Pure. */

import { expectedPoints, pointsOf } from "./split-table.js";

/**
 * @typedef {object} Training
 * @property {readonly LabRound[]} rounds
 * @property {number} own points so far
 * @property {number} expected points that the own splits are worth so far
 */

/** @type {Training} */
export const NEW_TRAINING = Object.freeze({ rounds: [], own: 0, expected: 0 });

/**
 * The split of the equilibrium that a number from 0 to below 1 picks.
 *
 * @param {LabTable} table
 * @param {number} random
 */
export function drawSplit({ mix, mixTotal }, random) {
  let left = Math.floor(random * mixTotal);
  return mix.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
}

/**
 * The state after one more round.
 *
 * @param {LabTable} table
 * @param {Training} training
 * @param {LabRound} round
 * @returns {Training}
 */
export function afterRound(table, { rounds, own, expected }, round) {
  const { num, den } = expectedPoints(table, round[0]);
  return {
    rounds: [...rounds, round],
    own: own + pointsOf(table, round[0], round[1]),
    expected: expected + num / den,
  };
}
