/**
 * Territory in Amazons: which squares each side reaches first by queen moves. Pure.
 *
 * The same function as games/territory.py, which has the definition and its source; a test compares
 * the two on 1,000 positions.
 */

import { nameOf } from "../drawing/geometry.js";

const UNREACHED = 255;

const EMPTY = ".";

/**
 * The board with a wall around it, as one string of cells; `width` cells make a row.
 *
 * @param {string} board
 */
function walledCells(board) {
  const rows = board.split("/");
  const width = rows[0].length + 2;
  const wall = "#".repeat(width);
  return { cells: [wall, ...rows.map((row) => `#${row}#`), wall].join(""), width };
}

/**
 * The queen distance from the amazons `mark` to each empty cell; UNREACHED where there is none.
 *
 * A walk along a ray ends at a cell that is as near as its start: that cell walks the rest itself.
 *
 * @param {string} cells
 * @param {number} width
 * @param {string} mark
 */
function queenDistances(cells, width, mark) {
  const distances = new Uint8Array(cells.length).fill(UNREACHED);
  const directions = [1, -1, width, -width, width + 1, width - 1, 1 - width, -1 - width];
  /** @type {number[]} */
  let newest = [];
  for (let at = cells.indexOf(mark); at >= 0; at = cells.indexOf(mark, at + 1)) newest.push(at);
  for (let distance = 1; newest.length > 0; distance += 1) {
    /** @type {number[]} */
    const found = [];
    for (const start of newest) {
      for (const step of directions) {
        for (let at = start + step; cells[at] === EMPTY && distances[at] >= distance; at += step) {
          if (distances[at] === UNREACHED) found.push(at);
          distances[at] = distance;
        }
      }
    }
    newest = found;
  }
  return distances;
}

/**
 * The empty squares of a board text by who reaches them first: {white, black, contested, unreached}.
 *
 * @param {string} board
 * @returns {Territory}
 */
export function territoryOf(board) {
  const { cells, width } = walledCells(board);
  const [white, black] = ["W", "B"].map((mark) => queenDistances(cells, width, mark));
  const rows = cells.length / width - 2;
  /** @type {Territory} */
  const territory = { white: [], black: [], contested: [], unreached: [] };
  for (let at = cells.indexOf(EMPTY); at >= 0; at = cells.indexOf(EMPTY, at + 1)) {
    const [ours, theirs] = [white[at], black[at]];
    const square = nameOf(at % width, rows + 1 - Math.floor(at / width));
    if (ours < theirs) territory.white.push(square);
    else if (theirs < ours) territory.black.push(square);
    else if (ours === UNREACHED) territory.unreached.push(square);
    else territory.contested.push(square);
  }
  return territory;
}
