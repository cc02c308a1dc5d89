/**
 * What stands between the two who play and wants an answer: offers, claims, a question to oneself.
 * Each is a thing {key, what, then, mine, answers: [{deed, word}]}. Pure.
 */

import { spellingOf } from "../replay/past.js";
import { t } from "../text.js";
import { OTHER } from "./words.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FRESH = 5 * SECOND;

/** How long ago an offer was made, in words that change no more often than they must. */
export function ageWords(age) {
  if (age < FRESH) return t("Offered just now.");
  if (age < MINUTE) {
    return t("Offered {count} s ago.", { count: Math.floor(age / FRESH) * (FRESH / SECOND) });
  }
  if (age < HOUR) return t("Offered {count} min ago.", { count: Math.floor(age / MINUTE) });
  return t("Offered {count} h ago.", { count: Math.floor(age / HOUR) });
}

function drawThing({ offers, you, seats }, now) {
  const offer = offers.draw;
  if (!offer) return null;
  const then = ageWords(Math.max(0, now - (offer.at ?? now)));
  if (offer.by === you) {
    const withdraw = { deed: "withdraw", word: t("Withdraw") };
    return { key: "draw", mine: true, what: t("You have offered a draw."), then, answers: [withdraw] };
  }
  const answers = [
    { deed: "accept", word: t("Accept") },
    { deed: "decline", word: t("Decline") },
  ];
  const what = t("{name} offers a draw.", { name: seats[offer.by].name });
  return { key: "draw", mine: false, what, then, answers };
}

/** The goes that a takeback would undo, spelled. */
function undone(goes, to, key) {
  return goes
    .filter(({ turns }) => turns.at(-1).n >= to)
    .map((go) => spellingOf(go, key))
    .join(", ");
}

function takebackThing({ offers, you, seats, key }, now, goes) {
  const offer = offers.takeback;
  if (!offer) return null;
  const then = ageWords(Math.max(0, now - (offer.at ?? now)));
  const moves = undone(goes, offer.to ?? Infinity, key);
  if (offer.by === you) {
    const what = t("You have asked to take back {moves}.", { moves });
    const withdraw = { deed: "keepGo", word: t("Withdraw") };
    return { key: "takeback", mine: true, what, then, answers: [withdraw] };
  }
  const answers = [
    { deed: "giveBack", word: t("Accept") },
    { deed: "refuseBack", word: t("Decline") },
  ];
  const what = t("{name} asks to take back {moves}.", { name: seats[offer.by].name, moves });
  return { key: "takeback", mine: false, what, then, answers };
}

/** Only the one who may claim is told of it. */
function goneThing({ you, seats }, claim, now) {
  if (!claim || claim.by !== you) return null;
  const { name } = seats[OTHER[you]];
  const wait = Math.ceil((claim.from - now) / SECOND);
  const what = t("{name} is gone.", { name });
  if (wait > 0) {
    const then = t("In {count} s you may claim the win.", { count: wait });
    return { key: "gone", mine: true, what, then, answers: [] };
  }
  const answers = [
    { deed: "claimWin", word: t("Claim the win") },
    { deed: "claimDraw", word: t("Call it a draw") },
  ];
  return { key: "gone", mine: false, what, then: t("You may end the game, or wait."), answers };
}

function quietThing({ may }) {
  if (!may.includes("claim")) return null;
  const what = t("Fifty goes without an arrow.");
  const then = t("You may call it a draw.");
  return { key: "quiet", mine: false, what, then, answers: [{ deed: "claim", word: t("Claim a draw") }] };
}

const ASKED = {
  resign: () => ({ what: t("Resign this game?"), yes: t("Confirm resign") }),
  abort: () => ({ what: t("Abort this game? Nothing will count."), yes: t("Confirm abort") }),
};

function askThing({ may }, asked) {
  if (!asked || !may.includes(asked)) return null;
  const { what, yes } = ASKED[asked]();
  const answers = [
    { deed: asked, word: yes },
    { deed: "keepPlaying", word: t("Keep playing") },
  ];
  return { key: `ask-${asked}`, mine: false, what, then: "", answers };
}

/** All things that stand now. `asked`: what the person has begun and not confirmed, or null. */
export function thingsOf(snapshot, { claim = null, now, goes, asked = null }) {
  if (snapshot.status === "over" || snapshot.you === null) return [];
  const things = [
    askThing(snapshot, asked),
    drawThing(snapshot, now),
    takebackThing(snapshot, now, goes),
    goneThing(snapshot, claim, now),
    quietThing(snapshot),
  ];
  return things.filter((thing) => thing !== null);
}

const DECLINED = {
  draw: (name) => t("{name} declined the draw.", { name }),
  takeback: (name) => t("{name} declined the takeback.", { name }),
};
const WITHDRAWN = {
  draw: (name) => t("{name} has withdrawn the draw offer.", { name }),
  takeback: (name) => t("{name} no longer asks for a takeback.", { name }),
};

/** What became of the offers that stood before, in a sentence for this person; null if nothing did. */
export function answerOf(before, after) {
  if (after.status === "over" || after.you === null) return null;
  if ((after.takebacks ?? 0) !== (before.takebacks ?? 0)) return t("A go was taken back.");
  if (after.turn !== before.turn) return null;
  for (const kind of ["draw", "takeback"]) {
    const offer = before.offers[kind];
    if (!offer || after.offers[kind]) continue;
    const words = offer.by === after.you ? DECLINED : WITHDRAWN;
    return words[kind](after.seats[OTHER[after.you]].name);
  }
  return null;
}
