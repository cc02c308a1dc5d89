/** Counts of own squares in Amazons with the free arrow: offer, confirmation, reason why not yet. Pure. */

import { OTHER } from "../lib/game-words.js";
import { t, tn } from "../lib/text.js";

const QUIET_WARNING = 4; // turns without an arrow before a count, from which on it is told

/**
 * The result of a count now, for one of the two players.
 *
 * @param {Wire.ShownCount} count
 * @param {Role} you
 */
function countOutcome(count, you) {
  const slots = { own: count[you], other: count[OTHER[you]] };
  if (slots.own > slots.other) return t("You win, {own}–{other} squares.", slots);
  if (slots.own < slots.other) return t("You lose, {own}–{other} squares.", slots);
  return t("It’s a draw, {own}–{other} squares.", slots);
}

/**
 * Says that the sides are apart, or how near the game is to being counted by itself.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {string | null} asked
 * @returns {OpenOffer | null}
 */
export function countOffer({ may, count, you }, asked) {
  if (!count || you === null || asked === "count") return null;
  if (may.includes("count")) {
    return {
      key: "parted",
      mine: false,
      what: t("The sides are apart."),
      then: countOutcome(count, you),
      answers: [{ command: "count", word: t("Count now") }],
    };
  }
  const left = count.limit - count.quiet;
  if (left > QUIET_WARNING) return null;
  const what = tn(
    "{count} more move without an arrow, and squares are counted.",
    "{count} more moves without an arrow, and squares are counted.",
    left,
  );
  const then = t("As it stands, {own}–{other} squares for you.", {
    own: count[you],
    other: count[OTHER[you]],
  });
  return { key: "limit", mine: false, what, then, answers: [] };
}

/**
 * The question that confirms a count.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function countConfirmation({ count, you }) {
  return {
    what: t("Count the squares now? The game ends."),
    then: count && you ? countOutcome(count, you) : "",
    yes: t("Yes, count"),
  };
}

/**
 * Why squares can be counted now, or not yet.
 *
 * @param {Wire.ShownCount} count
 */
export function countHint({ parted, quiet, limit }) {
  if (parted) return t("The sides are apart: no square can be reached by both.");
  if (quiet === 0) return t("You can count once no square can be reached by both sides.");
  return t(
    "You can count once no square can be reached by both sides. {left} more moves without an arrow, and squares are counted too.",
    { left: limit - quiet },
  );
}
