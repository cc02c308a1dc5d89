/** The time that turns took, and the clocks after each of them. Pure. */

import { clockText } from "../lib/clock.js";
import { t } from "../lib/text.js";

const SECOND_MS = 1000;

const MINUTE_MS = 60 * SECOND_MS;

/**
 * Returns the ms that a turn took its role; null if a step of it does not say.
 *
 * @param {Turn} turn
 * @param {Role} [role]
 */
export function spentOn({ steps, role: own }, role = own) {
  let sum = 0;
  for (const { spent } of steps) {
    const time = spent?.[role];
    if (time === undefined) return null;
    sum += time;
  }
  return sum;
}

/**
 * "7 s", "1:05", "2 d 3 h".
 *
 * @param {number} ms
 */
export function spentText(ms) {
  if (ms < MINUTE_MS - SECOND_MS / 2) return t("{count} s", { count: Math.round(ms / SECOND_MS) });
  return clockText(ms, { live: false });
}

/** @type {Role[]} */
const ROLES = ["white", "black"];

/**
 * A first turn costs and earns nothing, except of a computer player.
 *
 * @param {Turn[]} turns
 * @param {Pick<Wire.Snapshot, "clock" | "seats">} snapshot
 * @param {Role} role
 */
function leftAfter(turns, { clock: { kind, initial = 0, increment = 0 }, seats }, role) {
  const cap = kind === "bank" ? initial : Infinity;
  let left = initial;
  let isFree = !seats[role].bot;
  for (const turn of turns) {
    if (turn.role !== null && turn.role !== role) continue;
    if (isFree) {
      isFree = false;
      continue;
    }
    const spent = spentOn(turn, role);
    if (spent === null) return null;
    left = Math.min(cap, left + increment - spent);
  }
  return left;
}

/**
 * The clocks after the first `at` of all `turns`, by role. A role has null where they are not known:
 * without an increment clock, and where the times of all turns do not add up to the clock of now, as
 * after a takeback, which gives no time back, or while the newest turn is unfinished.
 *
 * @param {Turn[]} turns
 * @param {number} at
 * @param {Pick<Wire.Snapshot, "clock" | "seats" | "status">} snapshot
 * @returns {Wire.ByRole<number | null>}
 */
export function clocksAfter(turns, at, snapshot) {
  const { clock, status } = snapshot;
  /** @type {Wire.ByRole<number | null>} */
  const clocks = { white: null, black: null };
  if (clock.kind !== "fischer" && clock.kind !== "bank") return clocks;
  for (const role of ROLES) {
    const newest = leftAfter(turns, snapshot, role);
    const now = clock.left[role];
    if (newest === null || now === null) continue;
    // At the end the clock of the role to move has run on.
    const fits = status === "over" ? newest >= now : newest === now;
    if (fits) clocks[role] = leftAfter(turns.slice(0, at), snapshot, role);
  }
  return clocks;
}
