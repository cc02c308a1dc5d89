/** Entry of the page of a game on a board. */

import "./base.js";
import { Board } from "../board/board.js";
import { startGamePage } from "../game/start.js";
import { byId } from "../lib/dom.js";

const board = byId("board");

/**
 * Returns the surround of the board, which the style sheet decides by the width of the page.
 *
 * @param {string} key
 */
function surroundOf(key) {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(board).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

/** @type {MakeSurface<Wire.BoardSnapshot>} */
const makeBoard = (snapshot, { low }, events) =>
  new Board(board, { snapshot, near: low, surroundOf: () => surroundOf(snapshot.key) }, events);

startGamePage(makeBoard);
