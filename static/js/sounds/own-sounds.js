/** The sound of an own turn, and when the own clock ticks. Pure. */

import { familyOf } from "../lib/game-words.js";

/** A clock with less time than this ticks every second. */
const TICKS_MS = 10_000;

/**
 * The sound of a turn that is sent: of a game on a board the last piece or arrow makes its own.
 *
 * @param {string} key
 */
export const sendSound = (key) => (familyOf(key) === "blotto" ? "seal" : "own");

/** Tells when one's own clock ticks: each of the last ten seconds, and never twice in a second. */
export class LowTimeTicks {
  constructor() {
    this.second = Infinity;
  }

  /** @param {number} left */
  ticks(left) {
    const second = Math.ceil(left / 1000);
    const isNext = left > 0 && left <= TICKS_MS && second < this.second;
    this.second = second;
    return isNext;
  }
}
