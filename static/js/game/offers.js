/**
 * Offers, claims and confirmations that want an answer from one of the two players. Pure.
 *
 * Each is {key, what, then, mine, answers: [{command, word}]}.
 */

import { OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { turnText } from "../replay/record.js";

const SECOND = 1000;

const MINUTE = 60 * SECOND;

const HOUR = 60 * MINUTE;

const FRESH_MS = 5 * SECOND;

/**
 * Returns the age of an offer in words that change as rarely as possible.
 *
 * @param {number} age
 */
export function offerAgeText(age) {
  if (age < FRESH_MS) return t("Asked just now.");
  if (age < MINUTE) {
    return t("Asked {count} s ago.", { count: Math.floor(age / FRESH_MS) * (FRESH_MS / SECOND) });
  }
  if (age < HOUR) return t("Asked {count} min ago.", { count: Math.floor(age / MINUTE) });
  return t("Asked {count} h ago.", { count: Math.floor(age / HOUR) });
}

/**
 * @param {Wire.Snapshot} snapshot
 * @param {number} now
 * @returns {OpenOffer | null}
 */
function drawOffer({ offers, you, seats }, now) {
  const offer = offers.draw;
  if (!offer) return null;
  const then = offerAgeText(Math.max(0, now - (offer.at ?? now)));
  if (offer.by === you) {
    /** @type {OpenOffer["answers"][number]} */
    const withdraw = { command: "withdraw", word: t("Withdraw") };
    return {
      key: "draw",
      mine: true,
      what: t("You offered a draw."),
      then,
      answers: [withdraw],
    };
  }
  /** @type {OpenOffer["answers"]} */
  const answers = [
    { command: "accept", word: t("Accept") },
    { command: "decline", word: t("Decline") },
  ];
  const what = t("{name} offers a draw.", { name: seats[offer.by].name });
  return { key: "draw", mine: false, what, then, answers };
}

/**
 * The turns that a takeback would undo, spelled.
 *
 * @param {Turn[]} turns
 * @param {number} to
 * @param {string} key
 */
function undoneText(turns, to, key) {
  return turns
    .filter(({ steps }) => (steps.at(-1)?.n ?? -1) >= to)
    .map((turn) => turnText(turn, key))
    .join(", ");
}

/**
 * @param {Wire.Snapshot} snapshot
 * @param {number} now
 * @param {Turn[]} turns
 * @returns {OpenOffer | null}
 */
function takebackOffer({ offers, you, seats, key }, now, turns) {
  const offer = offers.takeback;
  if (!offer) return null;
  const then = offerAgeText(Math.max(0, now - (offer.at ?? now)));
  const moves = undoneText(turns, offer.to ?? Infinity, key);
  if (offer.by === you) {
    const what = t("You asked to take back {moves}.", { moves });
    /** @type {OpenOffer["answers"][number]} */
    const withdraw = { command: "keepTurn", word: t("Withdraw") };
    return { key: "takeback", mine: true, what, then, answers: [withdraw] };
  }
  /** @type {OpenOffer["answers"]} */
  const answers = [
    { command: "giveBack", word: t("Accept") },
    { command: "refuseBack", word: t("Decline") },
  ];
  const what = t("{name} asks to take back {moves}.", { name: seats[offer.by].name, moves });
  return { key: "takeback", mine: false, what, then, answers };
}

/**
 * Only the one who may claim is told of it.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {Wire.ShownClaim | null} claim
 * @param {number} now
 * @returns {OpenOffer | null}
 */
function absenceClaim({ you, seats }, claim, now) {
  if (!claim || claim.by !== you) return null;
  const { name } = seats[OTHER[you]];
  const wait = Math.ceil((claim.from - now) / SECOND);
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

/** @type {Record<string, () => { what: string, then?: string, yes: string }>} */
const CONFIRMATIONS = {
  resign: () => ({ what: t("Resign this game?"), yes: t("Yes, resign") }),
  abort: () => ({ what: t("Abort the game? It won’t count."), yes: t("Yes, abort") }),
};

/**
 * @param {Wire.Snapshot} snapshot
 * @param {string | null} asked
 * @param {typeof import("./count-offers.js") | null} counting
 * @returns {OpenOffer | null}
 */
function confirmation(snapshot, asked, counting) {
  if (asked !== "resign" && asked !== "abort" && asked !== "count") return null;
  if (!snapshot.may.includes(asked)) return null;
  const words = asked === "count" ? counting?.countConfirmation(snapshot) : CONFIRMATIONS[asked]();
  if (!words) return null;
  const { what, then = "", yes } = words;
  /** @type {OpenOffer["answers"]} */
  const answers = [
    { command: asked, word: yes },
    { command: "keepPlaying", word: t("Keep playing") },
  ];
  return { key: `ask-${asked}`, mine: false, what, then, answers };
}

/**
 * All open offers, claims and questions. `asked`: the unconfirmed command, or null; `counting`:
 * the module of counts, once a game that may be counted has loaded it.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {{ claim?: Wire.ShownClaim | null, now: number, turns: Turn[], asked?: string | null, counting?: typeof import("./count-offers.js") | null }} state
 */
export function openOffers(snapshot, { claim = null, now, turns, asked = null, counting = null }) {
  if (snapshot.status === "over" || snapshot.you === null) return [];
  const things = [
    confirmation(snapshot, asked, counting),
    drawOffer(snapshot, now),
    takebackOffer(snapshot, now, turns),
    absenceClaim(snapshot, claim, now),
    quietClaim(snapshot),
    counting?.countOffer(snapshot, asked) ?? null,
  ];
  return things.filter((thing) => thing !== null);
}

/** @type {Record<"draw" | "takeback", (name: string) => string>} */
const DECLINED = {
  draw: (name) => t("{name} declined the draw.", { name }),
  takeback: (name) => t("{name} declined the takeback.", { name }),
};

/** @type {Record<"draw" | "takeback", (name: string) => string>} */
const WITHDRAWN = {
  draw: (name) => t("{name} withdrew the draw offer.", { name }),
  takeback: (name) => t("{name} withdrew the takeback request.", { name }),
};

/**
 * Returns the sentence about offers that were answered or withdrawn; null if none was.
 *
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} after
 */
export function offerOutcome(before, after) {
  if (after.status === "over" || after.you === null) return null;
  if ((after.takebacks ?? 0) !== (before.takebacks ?? 0)) return t("Move taken back.");
  if (after.step !== before.step) return null;
  for (const kind of /** @type {("draw" | "takeback")[]} */ (["draw", "takeback"])) {
    const offer = before.offers[kind];
    if (!offer || after.offers[kind]) continue;
    const words = offer.by === after.you ? DECLINED : WITHDRAWN;
    return words[kind](after.seats[OTHER[after.you]].name);
  }
  return null;
}
