/** The words of the panel: results, whose go it is, which step, and what to do next. Pure. */

import { familyOf } from "../board/speech.js";
import { short } from "../ledger/mark.js";
import { t } from "../text.js";

export const OTHER = { white: "black", black: "white" };

const NUMBERS = [
  t("nil"), t("one"), t("two"), t("three"), t("four"), t("five"), t("six"), t("seven"),
  t("eight"), t("nine"), t("ten"), t("eleven"), t("twelve"), t("thirteen"), t("fourteen"),
  t("fifteen"),
];

export function numberWord(value) {
  return NUMBERS[value] ?? String(value);
}

/** A number that begins a sentence. */
function openingNumber(value) {
  const word = numberWord(value);
  const language = globalThis.document?.documentElement.lang || "en";
  return word[0].toLocaleUpperCase(language) + word.slice(1);
}

/** "sealed · 3f9a 12c0": that a role has sealed, with its fingerprint where one was published. */
export function sealedWords({ commitments }, role) {
  const mark = commitments?.[role];
  return mark ? t("sealed · {mark}", { mark: short(mark) }) : t("sealed");
}

/** How each end reads when somebody has won: {winner, loser, more, less} → sentence. */
const WINS = {
  no_moves: (slots) => t("{winner} wins: {loser} cannot move.", slots),
  captured_all: (slots) => t("{winner} wins: {loser} has no piece left.", slots),
  fifty_moves: (slots) => t("{winner} wins: fifty moves are made, and {winner} has more pieces.", slots),
  stuck: (slots) => t("{winner} wins: nobody can move, and {winner} has more pieces.", slots),
  rounds: (slots) => t("{winner} wins, {more} to {less}.", slots),
  resigned: (slots) => t("{winner} wins: {loser} resigned.", slots),
  time: (slots) => t("{winner} wins: {loser} has no time left.", slots),
  abandoned: (slots) => t("{winner} wins: {loser} left the game.", slots),
};

const LEVELS = {
  one_each: () => t("A draw: one piece is left to each."),
  no_pieces: () => t("A draw: nobody has a piece left."),
  fifty_moves: () => t("A draw: fifty moves are made, and the pieces are level."),
  stuck: () => t("A draw: nobody can move, and the pieces are level."),
  rounds: (score) => t("A draw, {score} all.", { score }),
  both_flagged: () => t("A draw: both clocks ran out."),
  agreed: () => t("A draw, agreed."),
  no_arrows: () => t("A draw: fifty goes without an arrow."),
  too_long: () => t("A draw: four hundred goes."),
  abandoned: () => t("A draw: one of the two had left."),
  idle: () => t("Called off: nobody acted for seven days. Nothing counts."),
  aborted: () => t("Called off. Nothing counts."),
};

/** The sentence that ends a game, with its reason. */
export function resultOf({ outcome, seats }) {
  const { winner, goals, reason } = outcome;
  if (winner === null) return (LEVELS[reason] ?? (() => t("A draw.")))(goals?.white);
  const loser = OTHER[winner];
  const sentence = WINS[reason] ?? ((slots) => t("{winner} wins.", slots));
  return sentence({
    winner: seats[winner].name,
    loser: seats[loser].name,
    more: goals?.[winner],
    less: goals?.[loser],
  });
}

const STEPS = {
  amazons: () => [t("Move"), t("Shoot")],
  pincer: ({ view }) => (view.of === 1 ? [t("Move")] : [t("First"), t("Second")]),
  blotto: () => [t("Place"), t("Seal"), t("Reveal")],
};

export function stepLabels(snapshot) {
  return STEPS[familyOf(snapshot.key)](snapshot);
}

/** Which step the server's view is at, before anything is in the hand. */
const BEGUN = {
  amazons: ({ view }) => (view.step === "fire" ? 1 : 0),
  pincer: ({ view }) => (view.step ?? 1) - 1,
};

/** The words of the hand's steps that belong to the second step of a go. */
const SECOND = new Set(["arrow", "from2", "to2"]);

/**
 * The step of the go that is on, counted from 0; `step` is the step of the hand ({word}), null when
 * the hand is complete or sent. Equal to the number of steps when all are done.
 */
export function stepIndex(snapshot, step, mine) {
  const begun = BEGUN[familyOf(snapshot.key)](snapshot);
  if (!mine) return begun;
  if (step === null) return stepLabels(snapshot).length;
  return SECOND.has(step.word) ? 1 : begun;
}

const GOES = {
  amazons: (index) => (index === 0 ? t("Your go: move") : t("Your go: shoot")),
  pincer: (index, { view }) => {
    if (view.of === 1) return t("Your go: one move");
    return index === 0 ? t("Your go: step one") : t("Your go: step two");
  },
};

/** The status sentence of a path game: whose go it is and which step. */
export function goSentence(snapshot, index) {
  const { you, control, seats } = snapshot;
  if (snapshot.status === "over") return resultOf(snapshot);
  if (you && control.includes(you)) {
    const last = stepLabels(snapshot).length - 1;
    return GOES[familyOf(snapshot.key)](Math.min(index, last), snapshot);
  }
  return t("{name} to move", { name: seats[control[0]].name });
}

/** What to do next, by the step of the hand: {path, keep, taps: a finger's page, you} → sentence. */
const HINTS = {
  amazons: {
    from: () => t("Choose one of your archers."),
    to: ({ square }) => t("{square} is chosen. She may go to any dotted square.", { square }),
    arrow: ({ taps, keep }) => {
      if (keep === null) {
        return taps
          ? t("Tap a diamond. That square burns for good.")
          : t("Click a diamond. That square burns for good.");
      }
      return taps
        ? t("Tap a diamond to burn it for good, or keep the arrow: the ring on {square}.", { square: keep })
        : t("Click a diamond to burn it for good, or keep the arrow: the ring on {square}.", { square: keep });
    },
  },
  pincer: {
    from: ({ you }) =>
      you === "white"
        ? t("Choose a triangle to move one square.")
        : t("Choose a circle to move one square."),
    to: ({ square }) => t("{square} is chosen. It may go to any dotted square.", { square }),
    from2: ({ you }) => (you === "white" ? t("Now another triangle.") : t("Now another circle.")),
    to2: ({ square }) => t("{square} is chosen. It may go to any dotted square.", { square }),
  },
};

export function hintOf(snapshot, { step, path, keep, taps }) {
  const hint = HINTS[familyOf(snapshot.key)][step.word];
  return hint({ square: path.at(-1), keep, taps, you: snapshot.you });
}

/** Who leads by how much: {leader, slots: {name, more, less, number}}; `leader` null: level. */
function scoreOf({ view: { totals }, seats }) {
  if (totals.white === totals.black) return { leader: null, slots: { number: totals.white } };
  const leader = totals.white > totals.black ? "white" : "black";
  const [more, less] = [totals[leader], totals[OTHER[leader]]];
  return { leader, slots: { name: seats[leader].name, more, less } };
}

/** The status sentence of Blotto while a round is being placed. */
export function roundSentence(snapshot) {
  const { view, you } = snapshot;
  if (view.goes === 0) return t("Round 1 of {rounds}", { rounds: view.rounds });
  const { leader, slots } = scoreOf(snapshot);
  const all = { ...slots, round: view.round };
  if (leader === null) {
    return t("Round {round}, {number} all", { ...all, number: numberWord(slots.number) });
  }
  if (leader === you) return t("Round {round}, you lead {more} to {less}", all);
  return t("Round {round}, {name} leads {more} to {less}", all);
}

/** The status sentence of Blotto while a round is being shown. */
export function revealSentence(snapshot) {
  const { view, you } = snapshot;
  const { leader, slots } = scoreOf(snapshot);
  const left = view.rounds - view.goes;
  const all = { ...slots, left: numberWord(left) };
  if (leader === null) {
    const level = { ...all, number: openingNumber(slots.number) };
    return left === 1
      ? t("{number} all, one round to go", level)
      : t("{number} all, {left} rounds to go", level);
  }
  if (leader === you) {
    return left === 1
      ? t("You lead {more} to {less}, one round to go", all)
      : t("You lead {more} to {less}, {left} rounds to go", all);
  }
  return left === 1
    ? t("{name} leads {more} to {less}, one round to go", all)
    : t("{name} leads {more} to {less}, {left} rounds to go", all);
}

/** The headline over a revealed round (counted from 0). */
export function roundHeadline({ view, seats, you }, index) {
  const [white, black] = [view.scores.white[index], view.scores.black[index]];
  const slots = { round: index + 1, more: Math.max(white, black), less: Math.min(white, black) };
  if (white === black) return t("Round {round}: level, {more} to {less}", slots);
  const winner = white > black ? "white" : "black";
  if (winner === you) return t("Round {round}: {more} to {less} for you", slots);
  return t("Round {round}: {more} to {less} for {name}", { ...slots, name: seats[winner].name });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** "away", "away 2 min", "away 3 h": for how long somebody has had no page open. */
export function awayWords(since, now) {
  const away = since === null ? 0 : now - since;
  if (away < MINUTE) return t("away");
  if (away < HOUR) return t("away {count} min", { count: Math.floor(away / MINUTE) });
  return t("away {count} h", { count: Math.floor(away / HOUR) });
}
