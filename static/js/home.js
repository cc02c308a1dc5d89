/** Front page and watching: draws the small boards and starts the live lists. */

import { drawMini } from "./board/mini.js";
import { startLists } from "./lists.js";

/** What a `json_script` block of the page holds; null if the page has none. */
function block(id) {
  const script = document.getElementById(id);
  return script && JSON.parse(script.textContent);
}

/** The board of each game on offer: the newest game being played, else the position of its card. */
function drawBoards(boards, pictures) {
  for (const canvas of document.querySelectorAll("[data-picture]")) {
    const { picture: key } = canvas.dataset;
    drawMini(canvas, boards[key] ?? pictures[key]);
  }
}

function drawFinished(games) {
  const rows = document.querySelector("[data-finished]").children;
  for (const row of rows) {
    const game = games.find(({ slug }) => slug === row.dataset.key);
    drawMini(row.querySelector("canvas"), game);
  }
}

const pictures = block("pictures");
const finished = block("finished");
if (finished) drawFinished(finished);
const lists = block("lists-now");
if (lists) {
  startLists(document.getElementById("lists"), lists, (frame) => {
    if (pictures) drawBoards(frame.boards, pictures);
  });
} else if (pictures) drawBoards({}, pictures);
