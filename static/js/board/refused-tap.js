/** A click that chooses nothing: what to ask the server about it, and what to show of the answer. Pure. */

import { MARKS } from "./occupancy.js";
import { heldPiece } from "./path-draft.js";

/**
 * The squares of the question: those of the draft, then the one that was clicked. An own piece that is
 * clicked while another is held is asked about as the piece to move.
 *
 * @param {Draft} draft
 * @param {Square} square
 * @param {Marks} marks
 * @param {Role} role
 * @returns {Square[]}
 */
export function questionOf({ prompt, path }, square, marks, role) {
  const instead = heldPiece({ prompt, path }) !== null && marks.get(square) === MARKS[role];
  return [...(instead ? path.slice(0, -1) : path), square];
}

/** Codes whose first square is the piece itself, which is not in the way. */
const NAMES_PIECE = new Set(["not_a_line", "not_one_step", "no_way_out"]);

/**
 * The squares to mark: what is in the way, or what was clicked.
 *
 * @param {string | null} code
 * @param {Square[]} squares
 */
export function squaresToMark(code, squares) {
  return NAMES_PIECE.has(code ?? "") ? squares.slice(1) : squares;
}

/**
 * The identity of a draft, which a change of it changes.
 *
 * @param {Draft | null} draft
 */
export function signatureOf(draft) {
  return draft === null ? null : draft.path.join();
}
