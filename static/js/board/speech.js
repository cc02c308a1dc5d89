/** Sentences about the board: what a square holds, what happened, what a capture would do. */

import { movesOf } from "./path.js";
import { BURNT, MARKS, afterStep, sizeOf } from "./stand.js";

const FIGURES = {
  amazons: { W: "white amazon", B: "black amazon", [BURNT]: "burnt" },
  pincer: { W: "triangle", B: "circle" },
};

export const FIELDS = ["Hill", "Ford", "Wood"];

/** The family of a rule set: all Amazons are one. */
export function familyOf(key) {
  return key.startsWith("amazons") ? "amazons" : key;
}

/** "a4", "a4 and b4", "a4, b4 and c4". */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function labelOf(square, mark, state, key) {
  const figure = mark === undefined ? "empty" : FIGURES[familyOf(key)][mark];
  return [`${square}, ${figure}`, ...state].join(", ");
}

const points = (count) => (count === 1 ? "1 point" : `${count} points`);

const SAID = {
  slide: ({ role, start, end }, names) => `${names[role]} moves ${start} to ${end}.`,
  place: ({ role, at }, names) => `${names[role]} burns ${at}.`,
  remove: ({ squares }) => `${listed(squares)} ${squares.length === 1 ? "is" : "are"} taken.`,
  count: ({ field, troops, points: gained }, names) => {
    const [white, black] = [gained.white, gained.black];
    const numbers = `${FIELDS[field]}: ${names.white} ${troops.white}, ${names.black} ${troops.black}`;
    if (white === black) return `${numbers}, ${points(white)} each.`;
    const winner = white > black ? "white" : "black";
    return `${numbers}, ${points(gained[winner])} to ${names[winner]}.`;
  },
};

/** What some turns did, in sentences for those who hear the game. */
export function told(turns, names, key) {
  return turns
    .flatMap(({ effects }) => {
      const sentences = effects.map((effect) => SAID[effect.kind](effect, names));
      const kept = key === "amazons" && !effects.some(({ kind }) => kind === "place");
      return kept ? [...sentences, "The arrow is kept."] : sentences;
    })
    .join(" ");
}

/**
 * The sentence about the captures of a hand's newest step, as [text, bold] pairs; null if it
 * captures nothing. It begins with "You lose" if the role's own pieces go.
 */
export function captureSentence(view, hand, marks, role) {
  const move = movesOf(hand).at(-1);
  if (!move || move.taken.length === 0) return null;
  const { victims, runs } = afterStep(marks, move, sizeOf(view));
  const own = victims.filter(({ mark }) => mark === MARKS[role]).map(({ square }) => square);
  const theirs = victims.filter(({ mark }) => mark !== MARKS[role]).map(({ square }) => square);
  const spelling = `${move.start}-${move.end}`;
  if (own.length > 0) {
    const take = theirs.length > 0 ? ` and take ${listed(theirs)}` : "";
    return [[`You lose ${listed(own)}`, true], [`${take} with ${spelling}.`, false]];
  }
  const wall = runs.some(({ jaws }) => jaws.includes("wall")) ? ", against the wall" : "";
  return [[spelling, true], [` takes ${listed(theirs)}${wall}.`, false]];
}
