/**
 * Offers, claims and confirmations that want an answer from one of the two players. Pure.
 *
 * Each is {key, what, then, mine, answers: [{command, word}]}.
 */

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

/** @type {Record<string, () => Confirmation>} */
const CONFIRMATIONS = {
  resign: () => ({ what: t("Resign this game?"), yes: t("Yes, resign"), command: "resign" }),
  abort: () => ({
    what: t("Abort the game? It won’t count."),
    yes: t("Yes, abort"),
    command: "abort",
  }),
  draw: () => ({ what: t("Offer a draw?"), yes: t("Yes, offer"), command: "offer" }),
  takeback: () => ({
    what: t("Take back your last move?"),
    yes: t("Yes, ask"),
    command: "askBack",
  }),
};

/**
 * @param {Wire.Snapshot} snapshot
 * @param {Wire.SideAction | null} asked
 * @param {typeof import("./end-offers.js") | null} ends
 * @returns {OpenOffer | null}
 */
function confirmation(snapshot, asked, ends) {
  if (asked === null || !snapshot.may.includes(asked)) return null;
  const isEnd = asked === "count" || asked === "claim_decided";
  const words = isEnd ? ends?.endConfirmation(snapshot, asked) : CONFIRMATIONS[asked]();
  if (!words) return null;
  const { what, then = "", yes, command } = words;
  /** @type {OpenOffer["answers"]} */
  const answers = [
    { command, word: yes },
    { command: "keepPlaying", word: t("Keep playing") },
  ];
  return { key: `ask-${asked}`, mine: false, what, then, answers };
}

/**
 * All open offers, claims and questions. `asked`: the unconfirmed command, or null; `ends`: the module of
 * offers to end a decided game, once it is loaded.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {{ claim?: Wire.ShownClaim | null, now: number, turns: Turn[], asked?: Wire.SideAction | null, ends?: typeof import("./end-offers.js") | null }} state
 */
export function openOffers(snapshot, { claim = null, now, turns, asked = null, ends = null }) {
  if (snapshot.status === "over" || snapshot.you === null) return [];
  const things = [
    confirmation(snapshot, asked, ends),
    drawOffer(snapshot, now),
    takebackOffer(snapshot, now, turns),
    ends?.absenceClaim(snapshot, claim, now) ?? null,
    ends?.endOffer(snapshot, asked) ?? null,
  ];
  return things.filter((thing) => thing !== null);
}

/**
 * Returns the sentence about an offer that was answered or withdrawn; null if none was, and where the newest
 * change is not the only one, whose `actor` would be another's.
 *
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} after
 */
export function offerOutcome(before, after) {
  const { actor, you, seats } = after;
  if (after.status === "over" || you === null) return null;
  if ((after.takebacks ?? 0) !== (before.takebacks ?? 0)) return t("Move taken back.");
  if (after.step !== before.step || after.rev !== before.rev + 1 || actor === null) return null;
  const isDraw = before.offers.draw && !after.offers.draw;
  const offer = isDraw ? before.offers.draw : !after.offers.takeback && before.offers.takeback;
  if (!offer) return null;
  const isWithdrawn = offer.by === actor;
  if (actor === you) return isWithdrawn ? t("You withdrew.") : t("You declined.");
  const { name } = seats[actor];
  if (isWithdrawn)
    return isDraw
      ? t("{name} withdrew the draw offer.", { name })
      : t("{name} withdrew the takeback request.", { name });
  return isDraw
    ? t("{name} declined the draw.", { name })
    : t("{name} declined the takeback.", { name });
}
