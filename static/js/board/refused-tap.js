/** A click that chooses nothing: the question for the server, and the squares to mark. Pure. */

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
 * The squares to mark: the blocking ones, or the clicked one.
 *
 * @param {string | null} code
 * @param {Square[]} squares
 */
export function squaresToMark(code, squares) {
  return NAMES_PIECE.has(code ?? "") ? squares.slice(1) : squares;
}

/**
 * A text that identifies a draft; it differs for another draft.
 *
 * @param {Draft | null} draft
 */
export function signatureOf(draft) {
  return draft === null ? null : draft.path.join();
}
