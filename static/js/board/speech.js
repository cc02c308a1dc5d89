/** Sentences about the board: what a square holds, what happened, what a capture would do. */

import { keepOf, movesOf, stepOf } from "./path.js";
import { t, tn } from "../text.js";
import { BURNT, MARKS, afterStep, sizeOf } from "./stand.js";

const FIGURES = {
  amazons: { W: t("white amazon"), B: t("black amazon"), [BURNT]: t("burnt") },
  pincer: { W: t("triangle"), B: t("circle") },
};

export const FIELDS = [t("Hill"), t("Ford"), t("Wood")];

/** The family of a rule set: all Amazons are one. */
export function familyOf(key) {
  return key.startsWith("amazons") ? "amazons" : key;
}

/** "a4", "a4 and b4", "a4, b4 and c4". */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return t("{words} and {last}", { words: words.slice(0, -1).join(", "), last: words.at(-1) });
}

/** What is told of a square: "d4, white amazon, can move". */
export function labelOf(square, mark, states, key) {
  const figure = mark === undefined ? t("empty") : FIGURES[familyOf(key)][mark];
  return [square, figure, ...states].join(", ");
}

/** What may be done with a square, or has been, in words. */
export function statesOf(square, { hand, targets, chosen, planned, gone }) {
  if (targets.has(square)) {
    if (square === keepOf(hand)) return [t("target: keeps the arrow")];
    return [stepOf(hand).word.startsWith("from") ? t("can move") : t("target")];
  }
  if (gone.has(square)) return [t("would be taken")];
  if (!chosen.has(square)) return [];
  return [planned ? t("planned") : t("chosen")];
}

const SAID = {
  slide: ({ role, start, end }, names) =>
    t("{name} moves {start} to {end}.", { name: names[role], start, end }),
  place: ({ role, at }, names) => t("{name} burns {square}.", { name: names[role], square: at }),
  remove: ({ squares }) =>
    tn("{squares} is taken.", "{squares} are taken.", squares.length, { squares: listed(squares) }),
  count: ({ field, troops, points }, names) => {
    const values = {
      field: FIELDS[field],
      first: names.white,
      second: names.black,
      ours: troops.white,
      theirs: troops.black,
    };
    const most = Math.max(points.white, points.black);
    if (points.white === points.black) {
      return tn(
        "{field}: {first} {ours}, {second} {theirs}, {count} point each.",
        "{field}: {first} {ours}, {second} {theirs}, {count} points each.",
        most,
        values,
      );
    }
    return tn(
      "{field}: {first} {ours}, {second} {theirs}, {count} point to {winner}.",
      "{field}: {first} {ours}, {second} {theirs}, {count} points to {winner}.",
      most,
      { ...values, winner: points.white > points.black ? names.white : names.black },
    );
  },
};

/** What some turns did, in sentences for those who hear the game. */
export function told(turns, names, key) {
  return turns
    .flatMap(({ effects }) => {
      const sentences = effects.map((effect) => SAID[effect.kind](effect, names));
      const kept = key === "amazons" && !effects.some(({ kind }) => kind === "place");
      return kept ? [...sentences, t("The arrow is kept.")] : sentences;
    })
    .join(" ");
}

/** A sentence with **words** to be set bold, as [text, bold] pairs. */
export function bolded(sentence) {
  return sentence
    .split("**")
    .map((text, index) => [text, index % 2 === 1])
    .filter(([text]) => text !== "");
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
  const go = `${move.start}-${move.end}`;
  const [lost, taken] = [listed(own), listed(theirs)];
  if (lost && taken) return bolded(t("**You lose {lost}** and take {taken} with {go}.", { lost, taken, go }));
  if (lost) return bolded(t("**You lose {lost}** with {go}.", { lost, go }));
  return runs.some(({ jaws }) => jaws.includes("wall"))
    ? bolded(t("**{go}** takes {taken}, against the wall.", { go, taken }))
    : bolded(t("**{go}** takes {taken}.", { go, taken }));
}
