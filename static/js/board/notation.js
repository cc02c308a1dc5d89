/**
 * Read a turn typed in notation, following the prompt tree square by square. Pure.
 *
 * Any characters between the squares count as separators: "d1-d7/g7", "D1 d7 g7" and "d1d7g7" are one turn.
 */

import { t } from "../lib/text.js";
import { normalise } from "../lib/typed-text.js";
import { choose, draftText, keepOf, openDraft, stepOf, targetsOf } from "./path-draft.js";

const SQUARE = /[a-z]\d{1,2}/g;

// \x2f is a slash, which xgettext would take for the end of the expression.
const READABLE = /^(?:[a-z]\d{1,2}|[ \x2fx.-])*/;

/**
 * The sentence about the first piece of a text that is no square; null if there are only squares.
 *
 * @param {string} plain normalised
 * @param {string} example
 */
function unreadableSentence(plain, example) {
  const [before] = READABLE.exec(plain) ?? [""];
  const [piece] = /^[^ \x2f-]*/.exec(plain.slice(before.length)) ?? [""];
  if (!piece && before.match(SQUARE)) return null;
  const help = t("Type squares, such as {example}.", { example });
  if (!before || !piece) return help;
  return `${t("“{piece}” after “{before}” isn’t a square.", { piece, before })} ${help}`;
}

/**
 * Sentences for a square that cannot be the next one of a draft, by the word of the step.
 *
 * @type {Record<string, (square: Square, draft: Draft, bow?: Square) => string>}
 */
const WRONG_SQUARE = {
  from: (square) => t("You have no piece to move on {square}.", { square }),
  to: (square, { path }) => t("{start} can’t move to {square}.", { start: path.at(-1), square }),
  arrow: (square, { path }, bow) =>
    t("{start} can’t shoot at {square}.", { start: path.at(-1) ?? bow, square }),
};

WRONG_SQUARE.from2 = WRONG_SQUARE.from;

WRONG_SQUARE.to2 = WRONG_SQUARE.to;

/**
 * @param {Square} square
 * @param {Draft} draft
 * @param {{ knows: (square: Square) => boolean, bow: Square | undefined }} board
 */
function wrongSquareSentence(square, draft, { knows, bow }) {
  if (!knows(square)) return t("There is no square {square}.", { square });
  const step = stepOf(draft);
  if (step === null) {
    return t("{turn} is a complete move. Remove {square}.", {
      turn: draftText(draft),
      square,
    });
  }
  return WRONG_SQUARE[step.word](square, draft, bow);
}

/**
 * Sentences for the missing step of an unfinished turn.
 *
 * @type {Record<string, (turn: string) => string>}
 */
const MISSING_STEP = {
  to: (turn) => t("Add where it moves to: {turn}…", { turn }),
  arrow: (turn) => t("Add where the arrow lands: {turn}…", { turn }),
  from2: (turn) => t("Add the second step: {turn}…", { turn }),
};

MISSING_STEP.to2 = MISSING_STEP.to;

/**
 * @param {Draft} start
 * @param {Square[]} squares
 */
function walk(start, squares) {
  let draft = start;
  let taken = 0;
  while (taken < squares.length && targetsOf(draft).includes(squares[taken])) {
    draft = choose(draft, squares[taken]);
    taken += 1;
  }
  return { draft, taken };
}

/**
 * "d1-d7" leaves the arrow out where that may be; "d1-d7/" says that one is to come.
 *
 * @param {Draft} draft
 * @param {string} text
 */
function keepOmittedArrow(draft, text) {
  const keep = keepOf(draft);
  return keep !== null && !/[\x2f-]\s*$/.test(text) && targetsOf(draft).includes(keep)
    ? choose(draft, keep)
    : draft;
}

/**
 * Reads a text as a turn: {draft, say}. `draft` is null where the text is wrong, and `say` then tells
 * why; with a draft `say` asks for the missing step, null if the turn is complete. `made`: the squares of
 * this turn that are already played; `knows(square)`: whether the board has it.
 *
 * @param {string} text
 * @param {{ draft: Draft, made: Square[], knows: (square: Square) => boolean }} state
 */
export function readNotation(text, { draft, made, knows }) {
  const plain = normalise(text);
  const say = unreadableSentence(plain, exampleNotation(draft));
  if (say !== null) return { draft: null, say };
  const squares = plain.match(SQUARE) ?? [];
  const isMade = made.length > 0 && made.every((square, index) => squares[index] === square);
  const rest = isMade ? squares.slice(made.length) : squares;
  const fresh = walk(openDraft(draft.prompt), rest);
  const further = walk(draft, rest);
  const best = fresh.taken >= rest.length || fresh.taken >= further.taken ? fresh : further;
  if (best.taken < rest.length) {
    return {
      draft: null,
      say: wrongSquareSentence(rest[best.taken], best.draft, { knows, bow: made.at(-1) }),
    };
  }
  const after = keepOmittedArrow(best.draft, plain);
  return { draft: after, say: missingStepSentence(after) };
}

/** @param {Draft} draft */
function missingStepSentence(draft) {
  const step = stepOf(draft);
  return step && (MISSING_STEP[step.word]?.(draftText(draft)) ?? null);
}

/**
 * Some turn that may be typed now.
 *
 * @param {Draft} draft
 */
function exampleNotation({ prompt }) {
  let draft = openDraft(prompt);
  while (targetsOf(draft).length > 0) draft = choose(draft, targetsOf(draft)[0]);
  return draft.path.length > 0 ? draftText(draft).replace(/^\//, "") : "d1-d7";
}
