/** What one plays on: a board, or the fields of Blotto. */

import { Board } from "../board/board.js";
import { Troops } from "../troops/troops.js";

const part = (id) => document.getElementById(id);

/** Which surround the board has: decided by the stylesheet, by the width of the page. */
function surroundOf(key) {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(part("board")).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

/** The surface of a game; `near` is the role of the near strip, `low` the one at the board's low edge. */
export function surfaceOf({ key, view, prompt }, { near, low }, events) {
  if (prompt?.kind === "split" || view.rounds) {
    return new Troops(part("troops"), part("rounds"), { near }, events);
  }
  const options = { key, view, near: low, surroundOf: () => surroundOf(key) };
  return new Board(part("board"), options, events);
}
