/** The words of the panel: results, whose go it is, which step, and what to do next. Pure. */

import { familyOf } from "../board/speech.js";

export const OTHER = { white: "black", black: "white" };

const NUMBERS = [
  "nil", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  "eleven", "twelve", "thirteen", "fourteen", "fifteen",
];

export function numberWord(value) {
  return NUMBERS[value] ?? String(value);
}

/** A sentence begins with a capital letter, but a name stays as its owner writes it. */
function opening(text, names) {
  return names.some((name) => text.startsWith(name)) ? text : text[0].toUpperCase() + text.slice(1);
}

/** How each end reads when somebody has won: (winner, loser, goals) → sentence. */
const WINS = {
  no_moves: (w, l) => `${w} wins: ${l} cannot move.`,
  captured_all: (w, l) => `${w} wins: ${l} has no piece left.`,
  fifty_moves: (w) => `${w} wins: fifty moves are made, and ${w} has more pieces.`,
  stuck: (w) => `${w} wins: nobody can move, and ${w} has more pieces.`,
  rounds: (w, l, goals) => `${w} wins, ${goals[0]} to ${goals[1]}.`,
  resigned: (w, l) => `${w} wins: ${l} resigned.`,
  time: (w, l) => `${w} wins: ${l} has no time left.`,
};

const LEVELS = {
  one_each: () => "A draw: one piece is left to each.",
  no_pieces: () => "A draw: nobody has a piece left.",
  fifty_moves: () => "A draw: fifty moves are made, and the pieces are level.",
  stuck: () => "A draw: nobody can move, and the pieces are level.",
  rounds: (goals) => `A draw, ${goals[0]} all.`,
  both_flagged: () => "A draw: both clocks ran out.",
  agreed: () => "A draw, agreed.",
  no_arrows: () => "A draw: fifty goes without an arrow.",
  too_long: () => "A draw: four hundred goes.",
  aborted: () => "Called off. Nothing counts.",
};

/** The sentence that ends a game, with its reason. */
export function resultOf({ outcome, seats }) {
  const { winner, goals, reason } = outcome;
  if (winner === null) return (LEVELS[reason] ?? (() => "A draw."))([goals?.white, goals?.black]);
  const loser = OTHER[winner];
  const [w, l] = [seats[winner].name, seats[loser].name];
  const sentence = WINS[reason] ?? ((name) => `${name} wins.`);
  return sentence(w, l, [goals?.[winner], goals?.[loser]]);
}

const STEPS = {
  amazons: () => ["Move", "Shoot"],
  pincer: ({ view }) => (view.of === 1 ? ["Move"] : ["First", "Second"]),
  blotto: () => ["Place", "Seal", "Reveal"],
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
  amazons: (index) => (index === 0 ? "Your go: move" : "Your go: shoot"),
  pincer: (index, { view }) => {
    if (view.of === 1) return "Your go: one move";
    return index === 0 ? "Your go: step one" : "Your go: step two";
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
  return `${seats[control[0]].name} to move`;
}

const figure = { white: "triangle", black: "circle" };

/** What to do next, by the step of the hand. `tap` is "Tap" or "Click". */
const HINTS = {
  amazons: {
    from: () => "Choose one of your archers.",
    to: ({ path }) => `${path.at(-1)} is chosen. She may go to any dotted square.`,
    arrow: ({ tap, keep }) =>
      keep === null
        ? `${tap} a diamond. That square burns for good.`
        : `${tap} a diamond to burn it for good, or keep the arrow: the ring on ${keep}.`,
  },
  pincer: {
    from: ({ you }) => `Choose a ${figure[you]} to move one square.`,
    to: ({ path }) => `${path.at(-1)} is chosen. It may go to any dotted square.`,
    from2: ({ you }) => `Now another ${figure[you]}.`,
    to2: ({ path }) => `${path.at(-1)} is chosen. It may go to any dotted square.`,
  },
};

export function hintOf(snapshot, { step, path, keep, tap }) {
  const hint = HINTS[familyOf(snapshot.key)][step.word];
  return hint({ path, keep, tap, you: snapshot.you });
}

/** "six all", "you lead 7 to 5", "pavel leads 7 to 5", for a score seen by `you` (null: a spectator). */
export function scoreWords({ totals }, seats, you) {
  if (totals.white === totals.black) return `${numberWord(totals.white)} all`;
  const leader = totals.white > totals.black ? "white" : "black";
  const numbers = `${totals[leader]} to ${totals[OTHER[leader]]}`;
  return leader === you ? `you lead ${numbers}` : `${seats[leader].name} leads ${numbers}`;
}

/** The status sentence of Blotto while a round is being placed. */
export function roundSentence({ view, seats, you }) {
  if (view.goes === 0) return `Round 1 of ${view.rounds}`;
  return `Round ${view.round}, ${scoreWords(view, seats, you)}`;
}

/** The status sentence of Blotto while a round is being shown. */
export function revealSentence({ view, seats, you }) {
  const left = view.rounds - view.goes;
  const togo = left === 1 ? "one round to go" : `${numberWord(left)} rounds to go`;
  const names = [seats.white.name, seats.black.name];
  return `${opening(scoreWords(view, seats, you), names)}, ${togo}`;
}

/** The headline over a revealed round (counted from 0). */
export function roundHeadline({ view, seats, you }, index) {
  const [white, black] = [view.scores.white[index], view.scores.black[index]];
  const head = `Round ${index + 1}: `;
  if (white === black) return `${head}level, ${white} to ${black}`;
  const winner = white > black ? "white" : "black";
  const name = winner === you ? "you" : seats[winner].name;
  return `${head}${Math.max(white, black)} to ${Math.min(white, black)} for ${name}`;
}

/** Why a go was refused, in two lines: what is wrong, and what that means. */
export function refusalWords(reply, mine) {
  const what = reply.say ?? "That was not accepted.";
  return [what, mine ? "Nothing was played. It is still your go." : "Nothing was played."];
}
