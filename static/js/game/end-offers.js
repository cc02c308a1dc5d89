/**
 * Offers to end a game: against an opponent who has left; a count of own squares or a draw in Amazons with the
 * free arrow; the claim of a win that nothing can change. Pure.
 */

import { OTHER } from "../lib/game-words.js";
import { t, tn } from "../lib/text.js";

const SECOND_MS = 1000;
const QUIET_WARNING = 4; // turns without an arrow before a count, from which on it is told
const MAX_CLAIMS = 3; // of a player in a game that may be refused

/**
 * Only the one who may claim is told of it.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {Wire.ShownClaim | null} claim
 * @param {number} now
 * @returns {OpenOffer | null}
 */
export function absenceClaim({ you, seats }, claim, now) {
  if (!claim || claim.by !== you) return null;
  const { name } = seats[OTHER[you]];
  const wait = Math.ceil((claim.from - now) / SECOND_MS);
  const what = t("{name} has left.", { name });
  if (wait > 0) {
    const then = t("You can claim the win in {count} s.", { count: wait });
    return { key: "gone", mine: true, what, then, answers: [] };
  }
  /** @type {OpenOffer["answers"]} */
  const answers = [
    { command: "claimWin", word: t("Claim the win") },
    { command: "claimDraw", word: t("Call it a draw") },
  ];
  return { key: "gone", mine: false, what, then: t("Claim the win, or wait."), answers };
}

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
 * @returns {OpenOffer | null}
 */
function countOffer({ may, count, you }) {
  if (!count || you === null) return null;
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
 * The server offers it only while the squares or points that both players can count allow a proof.
 *
 * @param {Wire.Snapshot} snapshot
 * @returns {OpenOffer | null}
 */
function claimOffer({ may }) {
  if (!may.includes("claim_decided")) return null;
  return {
    key: "decided",
    mine: true,
    what: t("You may have won already."),
    then: t("If nothing can change who wins, end the game now."),
    answers: [{ command: "askClaim", word: t("Claim the win") }],
  };
}

/**
 * @param {Wire.Snapshot} snapshot
 * @returns {OpenOffer | null}
 */
function quietClaim({ may }) {
  if (!may.includes("claim")) return null;
  const what = t("50 moves without an arrow.");
  const then = t("You can claim a draw.");
  return {
    key: "quiet",
    mine: false,
    what,
    then,
    answers: [{ command: "claim", word: t("Claim a draw") }],
  };
}

/**
 * The offer that stands in this position, or null.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {string | null} asked the question that stands already
 */
export function endOffer(snapshot, asked) {
  if (asked === "count" || asked === "claim_decided") return null;
  const counted = countOffer(snapshot);
  if (counted?.answers.length) return counted;
  return quietClaim(snapshot) ?? claimOffer(snapshot) ?? counted;
}

/**
 * The question that confirms a count, or a claim of the win.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {"count" | "claim_decided"} asked
 * @returns {Confirmation}
 */
export function endConfirmation({ count, claims, you }, asked) {
  if (asked === "count")
    return {
      what: t("Count the squares now? The game ends."),
      then: count && you ? countOutcome(count, you) : "",
      yes: t("Yes, count"),
      command: "count",
    };
  const left = MAX_CLAIMS - ((you && claims?.[you]) ?? 0);
  return {
    what: t("Claim the win?"),
    then: tn(
      "If it can’t be proved, you’ve used your last claim.",
      "If it can’t be proved, you’ve used one of your {count} claims.",
      left,
    ),
    yes: t("Yes, claim the win"),
    command: "claimDecided",
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
