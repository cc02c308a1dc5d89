/**
 * The draft of a path game: the server's prompt tree and the squares chosen so far. Pure.
 *
 * A draft is a frozen value; every function returns a new one. The possible choices come from the
 * tree alone. A node of the tree, as `prompt.js` makes it, is a string of squares that each end
 * the turn ("a3 c4", or "" for none), or an object of square → node; its key "x" lists the squares that a
 * capture empties when it is chosen.
 */

import { placeOf } from "../drawing/geometry.js";

const CAPTURES = "x";

/**
 * @param {Wire.BoardPrompt} prompt
 * @returns {Draft}
 */
export function openDraft(prompt) {
  return withPath(prompt, []);
}

/**
 * @param {Wire.BoardPrompt} prompt
 * @param {Square[]} path
 * @returns {Draft}
 */
function withPath(prompt, path) {
  return Object.freeze({ prompt, path: Object.freeze(path) });
}

/** @param {Wire.Tree} node */
function childrenOf(node) {
  if (typeof node === "string") return node === "" ? [] : node.split(" ");
  return Object.keys(node).filter((key) => key !== CAPTURES);
}

/**
 * @param {Wire.Tree} node
 * @param {Square} square
 */
function childOf(node, square) {
  return typeof node === "string" ? "" : node[square];
}

/**
 * @param {Draft} draft
 * @param {number} length
 */
function nodeAt(draft, length) {
  return draft.path.slice(0, length).reduce(childOf, draft.prompt.tree);
}

/**
 * The squares that may be chosen after the first `length` ones (default: now).
 *
 * @param {Draft} draft
 * @param {number} [length]
 */
export function targetsOf(draft, length = draft.path.length) {
  return childrenOf(nodeAt(draft, length));
}

/**
 * The squares that captures empty when the square at `index` of the path is chosen.
 *
 * @param {Draft} draft
 * @param {number} index
 */
export function takenAt(draft, index) {
  const node = nodeAt(draft, index + 1);
  const taken = typeof node === "string" ? "" : String(node[CAPTURES] ?? "");
  return taken === "" ? [] : taken.split(" ");
}

/**
 * The step that is to be chosen now: {word, keep}; null when the turn is complete.
 *
 * @param {Draft} draft
 */
export function stepOf(draft) {
  return isComplete(draft) ? null : (draft.prompt.steps[draft.path.length] ?? null);
}

/** @param {Draft} draft */
export function isComplete(draft) {
  return draft.path.length > 0 && targetsOf(draft).length === 0;
}

/**
 * @param {Draft} draft
 * @param {Square} square
 */
export function choose(draft, square) {
  if (!targetsOf(draft).includes(square)) throw new RangeError(`${square} is no target`);
  return withPath(draft.prompt, [...draft.path, square]);
}

/**
 * The draft with only the first `length` squares chosen.
 *
 * @param {Draft} draft
 * @param {number} length
 */
export function rewind(draft, length) {
  return withPath(draft.prompt, draft.path.slice(0, Math.max(0, length)));
}

/**
 * One step back: from a chosen piece to no piece, from a made step to the piece that made it.
 *
 * @param {Draft} draft
 */
export function stepBack(draft) {
  return rewind(draft, draft.path.length - 1);
}

/**
 * The word ("from", "to", "arrow", "from2", "to2") by which the square at `index` was chosen.
 *
 * @param {Draft} draft
 * @param {number} index
 */
export function wordAt(draft, index) {
  return draft.prompt.steps[index].word;
}

/**
 * The squares that could end a complete turn in place of its last one.
 *
 * @param {Draft} draft
 */
function endsOf(draft) {
  const last = draft.path.length - 1;
  return isComplete(draft)
    ? targetsOf(draft, last).filter((square) => square !== draft.path[last])
    : [];
}

/**
 * The draft after a tap on a square: a target is chosen; a complete turn ends on another square; the
 * chosen piece, or a step made, is taken back; another piece that could have been chosen takes its
 * place. Else the draft stays as it is.
 *
 * @param {Draft} draft
 * @param {Square} square
 */
export function tap(draft, square) {
  if (targetsOf(draft).includes(square)) return choose(draft, square);
  if (endsOf(draft).includes(square)) return choose(stepBack(draft), square);
  for (let index = draft.path.length - 1; index >= 0; index -= 1) {
    if (draft.path[index] === square) return rewind(draft, index);
    const piece = wordAt(draft, index).startsWith("from");
    if (piece && targetsOf(draft, index).includes(square)) {
      return choose(rewind(draft, index), square);
    }
  }
  return draft;
}

/**
 * All squares that a tap would do something with.
 *
 * @param {Draft} draft
 */
export function tappableSquares(draft) {
  const squares = new Set([...targetsOf(draft), ...endsOf(draft), ...draft.path]);
  draft.path.forEach((_, index) => {
    if (wordAt(draft, index).startsWith("from")) {
      targetsOf(draft, index).forEach((square) => squares.add(square));
    }
  });
  return squares;
}

/**
 * The canonical actions of the chosen path; a template whose squares are not all chosen is left out.
 *
 * @param {Draft} draft
 */
export function actionsOf(draft) {
  return draft.prompt.actions
    .filter(([, ...indices]) => indices.every((index) => index < draft.path.length))
    .map(([word, ...indices]) => {
      const places = indices.map((index) => placeOf(draft.path[index]));
      return [word, ...places.map(({ x, y }) => `${x} ${y}`)].join(" ");
    });
}

/**
 * The steps in pairs of piece and target: the moves made so far in the draft.
 *
 * @param {Draft} draft
 */
export function movesOf(draft) {
  /** @type {DraftMove[]} */
  const moves = [];
  draft.path.forEach((square, index) => {
    if (wordAt(draft, index).startsWith("to")) {
      moves.push({ start: draft.path[index - 1], end: square, taken: takenAt(draft, index) });
    }
  });
  return moves;
}

/**
 * The piece in the draft now: chosen, and not yet moved. Null if none is.
 *
 * @param {Draft} draft
 */
export function heldPiece(draft) {
  const last = draft.path.length - 1;
  return last >= 0 && wordAt(draft, last).startsWith("from") ? draft.path[last] : null;
}

/**
 * The square from which an arrow would now be shot, if the step is the arrow of a move in the draft.
 *
 * @param {Draft} draft
 */
export function bowOf(draft) {
  return stepOf(draft)?.word === "arrow" ? (draft.path.at(-1) ?? null) : null;
}

/**
 * The arrow's target that has been chosen; null if none, or if it means that the arrow is kept.
 *
 * @param {Draft} draft
 */
export function arrowOf(draft) {
  const index = draft.prompt.steps.findIndex((step) => step.word === "arrow");
  if (index < 0 || index >= draft.path.length) return null;
  const { keep } = draft.prompt.steps[index];
  return keep != null && draft.path[index] === draft.path[keep] ? null : draft.path[index];
}

/**
 * The square whose choice now means "leave the arrow out"; null where that isn't possible.
 *
 * @param {Draft} draft
 */
export function keepOf(draft) {
  const keep = stepOf(draft)?.keep;
  return keep == null ? null : draft.path[keep];
}

/**
 * The human spelling of the draft, open at its end: "e5-", "e5-e3/", "a5-b5 c1-".
 *
 * @param {Draft} draft
 */
export function draftText(draft) {
  const marks = { from: "", to: "-", arrow: "/", from2: " ", to2: "-" };
  const text = draft.path.map((square, index) => marks[wordAt(draft, index)] + square).join("");
  const next = stepOf(draft)?.word;
  const kept = draft.path.length > 0 && isComplete(draft) && isKept(draft);
  if (kept) return text.slice(0, text.lastIndexOf("/"));
  return text + (next && draft.path.length > 0 ? marks[next] : "");
}

/** @param {Draft} draft */
function isKept(draft) {
  const last = draft.path.length - 1;
  const { keep } = draft.prompt.steps[last];
  return keep != null && draft.path[keep] === draft.path[last];
}

/**
 * The same path under a newer prompt; as much of it as is still in the tree.
 *
 * @param {Draft} draft
 * @param {Wire.BoardPrompt} prompt
 */
export function carry(draft, prompt) {
  let carried = openDraft(prompt);
  for (const square of draft.path) {
    if (!targetsOf(carried).includes(square)) break;
    carried = choose(carried, square);
  }
  return carried;
}
