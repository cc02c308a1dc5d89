/**
 * The hand of a path game: the server's prompt tree and the squares chosen so far. A hand is a frozen
 * value; every function gives a new one. What may be chosen comes from the tree and from nowhere else.
 *
 * A node of the tree, as `unpack.js` makes it, is a string of squares that each end the go ("a3 c4",
 * or "" for none), or an object of square → node; its key "x" lists the squares that a capture
 * empties when it is chosen.
 */

import { placeOf } from "./geometry.js";

const CAPTURES = "x";

export function openHand(prompt) {
  return Object.freeze({ prompt, path: Object.freeze([]) });
}

function withPath(hand, path) {
  return Object.freeze({ prompt: hand.prompt, path: Object.freeze(path) });
}

function childrenOf(node) {
  if (typeof node === "string") return node === "" ? [] : node.split(" ");
  return Object.keys(node).filter((key) => key !== CAPTURES);
}

function childOf(node, square) {
  return typeof node === "string" ? "" : node[square];
}

function nodeAt(hand, length) {
  return hand.path.slice(0, length).reduce(childOf, hand.prompt.tree);
}

/** The squares that may be chosen after the first `length` ones (default: now). */
export function targetsOf(hand, length = hand.path.length) {
  return childrenOf(nodeAt(hand, length));
}

/** The squares that captures empty when the square at `index` of the path is chosen. */
export function takenAt(hand, index) {
  const node = nodeAt(hand, index + 1);
  const taken = typeof node === "string" ? "" : (node[CAPTURES] ?? "");
  return taken === "" ? [] : taken.split(" ");
}

/** The step that is to be chosen now: {word, keep}; null when the go is complete. */
export function stepOf(hand) {
  return isComplete(hand) ? null : (hand.prompt.steps[hand.path.length] ?? null);
}

export function isComplete(hand) {
  return hand.path.length > 0 && targetsOf(hand).length === 0;
}

export function choose(hand, square) {
  if (!targetsOf(hand).includes(square)) throw new RangeError(`${square} is no target`);
  return withPath(hand, [...hand.path, square]);
}

/** The hand with only the first `length` squares chosen. */
export function rewind(hand, length) {
  return withPath(hand, hand.path.slice(0, Math.max(0, length)));
}

/** One step back: from a chosen piece to no piece, from a made step to the piece that made it. */
export function back(hand) {
  return rewind(hand, hand.path.length - 1);
}

/** The word ("from", "to", "arrow", "from2", "to2") by which the square at `index` was chosen. */
export function wordAt(hand, index) {
  return hand.prompt.steps[index].word;
}

/** The squares that could end a complete go in place of its last one. */
function endsOf(hand) {
  const last = hand.path.length - 1;
  return isComplete(hand) ? targetsOf(hand, last).filter((square) => square !== hand.path[last]) : [];
}

/**
 * The hand after a tap on a square: a target is chosen; a complete go ends on another square; the
 * chosen piece, or a step made, is taken back; another piece that could have been chosen takes its
 * place. Else the hand stays as it is.
 */
export function tap(hand, square) {
  if (targetsOf(hand).includes(square)) return choose(hand, square);
  if (endsOf(hand).includes(square)) return choose(back(hand), square);
  for (let index = hand.path.length - 1; index >= 0; index -= 1) {
    if (hand.path[index] === square) return rewind(hand, index);
    const piece = wordAt(hand, index).startsWith("from");
    if (piece && targetsOf(hand, index).includes(square)) {
      return choose(rewind(hand, index), square);
    }
  }
  return hand;
}

/** All squares that a tap would do something with. */
export function tappable(hand) {
  const squares = new Set([...targetsOf(hand), ...endsOf(hand), ...hand.path]);
  hand.path.forEach((_, index) => {
    if (wordAt(hand, index).startsWith("from")) {
      targetsOf(hand, index).forEach((square) => squares.add(square));
    }
  });
  return squares;
}

/** The canonical actions of the chosen path; a template whose squares are not all chosen is left out. */
export function actionsOf(hand) {
  return hand.prompt.actions
    .filter(([, ...indices]) => indices.every((index) => index < hand.path.length))
    .map(([word, ...indices]) => {
      const places = indices.map((index) => placeOf(hand.path[index]));
      return [word, ...places.map(({ x, y }) => `${x} ${y}`)].join(" ");
    });
}

/** The steps in pairs of piece and target: what has been moved so far in this hand. */
export function movesOf(hand) {
  const moves = [];
  hand.path.forEach((square, index) => {
    if (wordAt(hand, index).startsWith("to")) {
      moves.push({ start: hand.path[index - 1], end: square, taken: takenAt(hand, index) });
    }
  });
  return moves;
}

/** The piece in the hand now: chosen, and not yet moved. Null if none is. */
export function heldPiece(hand) {
  const last = hand.path.length - 1;
  return last >= 0 && wordAt(hand, last).startsWith("from") ? hand.path[last] : null;
}

/** The square from which an arrow would now be shot, if the step is an arrow of this hand's own move. */
export function bowOf(hand) {
  return stepOf(hand)?.word === "arrow" ? (hand.path.at(-1) ?? null) : null;
}

/** The arrow's target that has been chosen; null if none, or if it means that the arrow is kept. */
export function arrowOf(hand) {
  const index = hand.prompt.steps.findIndex((step) => step.word === "arrow");
  if (index < 0 || index >= hand.path.length) return null;
  const { keep } = hand.prompt.steps[index];
  return keep != null && hand.path[index] === hand.path[keep] ? null : hand.path[index];
}

/** The square whose choice now means "leave the arrow out"; null where that isn't possible. */
export function keepOf(hand) {
  const keep = stepOf(hand)?.keep;
  return keep == null ? null : hand.path[keep];
}

/** The human spelling of what is in the hand, open at its end: "e5-", "e5-e3/", "a5-b5 c1-". */
export function spellingOf(hand) {
  const marks = { from: "", to: "-", arrow: "/", from2: " ", to2: "-" };
  const text = hand.path.map((square, index) => marks[wordAt(hand, index)] + square).join("");
  const next = stepOf(hand)?.word;
  const kept = hand.path.length > 0 && isComplete(hand) && isKept(hand);
  if (kept) return text.slice(0, text.lastIndexOf("/"));
  return text + (next && hand.path.length > 0 ? marks[next] : "");
}

function isKept(hand) {
  const last = hand.path.length - 1;
  const { keep } = hand.prompt.steps[last];
  return keep != null && hand.path[keep] === hand.path[last];
}

/** The same path under a newer prompt; as much of it as is still in the tree. */
export function carry(hand, prompt) {
  let carried = openHand(prompt);
  for (const square of hand.path) {
    if (!targetsOf(carried).includes(square)) break;
    carried = choose(carried, square);
  }
  return carried;
}
