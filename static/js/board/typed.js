/**
 * A go typed in notation, walked through the prompt tree square by square. Pure. Whatever stands
 * between the squares is taken as a separator: "d1-d7/g7", "D1 d7 g7" and "d1d7g7" are one go.
 */

import { t } from "../text.js";
import { choose, isComplete, keepOf, openHand, spellingOf, stepOf, targetsOf } from "./path.js";

const SQUARE = /[a-z]\d{1,2}/g;
const TURKISH_I = /[İı]/g; // what a Turkish keyboard writes for the file i
const BETWEEN = /^[\s\-–—\/,.;:>→x×+]*$/;

/** The squares in a text, in order; null if it holds anything but squares and separators. */
export function squaresIn(text) {
  const plain = text.replace(TURKISH_I, "i").toLowerCase().replace(/\bto\b/g, " ");
  const squares = plain.match(SQUARE) ?? [];
  return squares.length > 0 && BETWEEN.test(plain.replace(SQUARE, "")) ? squares : null;
}

/** Why a square can't be the next one of a hand, by the word of its step. */
const WRONG = {
  from: (square) => t("{square} holds no piece that you can move now.", { square }),
  to: (square, { path }) => t("{start} cannot go to {square}.", { start: path.at(-1), square }),
  arrow: (square, { path }, bow) =>
    t("{start} cannot shoot at {square}.", { start: path.at(-1) ?? bow, square }),
};
WRONG.from2 = WRONG.from;
WRONG.to2 = WRONG.to;

function wrong(square, hand, { knows, bow }) {
  if (!knows(square)) return t("{square}: no such square.", { square });
  const step = stepOf(hand);
  if (step === null) {
    return t("The go is complete with {go}; {square} is too much.", { go: spellingOf(hand), square });
  }
  return WRONG[step.word](square, hand, bow);
}

/** What an unfinished go still lacks. */
const LACKS = {
  to: (go) => t("Say where it goes: {go}…", { go }),
  arrow: (go) => t("Say where the arrow goes: {go}…", { go }),
  from2: (go) => t("Say the second step: {go}…", { go }),
};
LACKS.to2 = LACKS.to;

function walk(start, squares) {
  let hand = start;
  let taken = 0;
  while (taken < squares.length && targetsOf(hand).includes(squares[taken])) {
    hand = choose(hand, squares[taken]);
    taken += 1;
  }
  return { hand, taken };
}

/** "d1-d7" leaves the arrow out where that may be; "d1-d7/" says that one is to come. */
function closed(hand, text) {
  const keep = keepOf(hand);
  return keep !== null && !/[\/-]\s*$/.test(text) && targetsOf(hand).includes(keep)
    ? choose(hand, keep)
    : hand;
}

/**
 * Reads a text as a go: {hand, say}. `hand` is null where the text is wrong, and `say` then tells
 * why; with a hand `say` tells what is still to be said, null if nothing is. `made`: the squares of
 * this go that are already played; `knows(square)`: whether the board has it.
 */
export function typed(text, { hand, made, knows }) {
  const squares = squaresIn(text);
  if (squares === null) {
    return { hand: null, say: t("Write squares, for example {example}.", { example: exampleOf(hand) }) };
  }
  const isMade = made.length > 0 && made.every((square, index) => squares[index] === square);
  const rest = isMade ? squares.slice(made.length) : squares;
  const fresh = walk(openHand(hand.prompt), rest);
  const further = walk(hand, rest);
  const best = fresh.taken >= rest.length || fresh.taken >= further.taken ? fresh : further;
  if (best.taken < rest.length) {
    return { hand: null, say: wrong(rest[best.taken], best.hand, { knows, bow: made.at(-1) }) };
  }
  const after = closed(best.hand, text);
  return { hand: after, say: lackOf(after) };
}

function lackOf(hand) {
  return isComplete(hand) ? null : (LACKS[stepOf(hand).word]?.(spellingOf(hand)) ?? null);
}

/** Some go that may be typed now. */
function exampleOf({ prompt }) {
  let hand = openHand(prompt);
  while (targetsOf(hand).length > 0) hand = choose(hand, targetsOf(hand)[0]);
  return hand.path.length > 0 ? spellingOf(hand).replace(/^\//, "") : "d1-d7";
}
