/** The page of a game on a board. */

import { Board } from "./board/board.js";
import { begin } from "./game.js";

const board = document.getElementById("board");

/** Which surround the board has: decided by the stylesheet, by the width of the page. */
function surroundOf(key) {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(board).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

begin(({ key, view }, { low }, events) => {
  return new Board(board, { key, view, near: low, surroundOf: () => surroundOf(key) }, events);
});
