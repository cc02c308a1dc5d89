/** Entry of the page of a game on a board. */

import "./base.js";
import { Board } from "../board/board.js";
import { figuresReady } from "../drawing/figure.js";
import { startGamePage } from "../game/start.js";
import { byId, loadLater } from "../lib/dom.js";

const board = byId("board");

/** Events of the layer of annotations. */
const POINTER_EVENTS = /** @type {const} */ (["pointerdown", "pointermove", "pointerup"]);

/**
 * Loads the layer of annotations when a pointer first comes to the board; the events until then are
 * replayed.
 *
 * @param {Board} made
 */
function annotateLater(made) {
  /** @type {PointerEvent[]} */
  const early = [];
  /** @param {PointerEvent} event */
  const keep = (event) => early.push(event);
  const withLayer = loadLater(
    () => import("../board/annotation-layer.js"),
    ({ AnnotationLayer }) => {
      for (const kind of POINTER_EVENTS) board.removeEventListener(kind, keep);
      new AnnotationLayer(made, board).replay(early);
    },
  );
  for (const kind of POINTER_EVENTS) board.addEventListener(kind, keep);
  board.addEventListener("pointerover", () => withLayer(() => {}), { once: true });
  board.addEventListener("contextmenu", (event) => {
    if (event.button === 2) event.preventDefault();
  });
}

/** @type {MakeSurface<Wire.BoardSnapshot>} */
function makeBoard(snapshot, { low }, events) {
  const options = { snapshot, near: low };
  const made = new Board(board, options, events);
  annotateLater(made);
  return made;
}

figuresReady.then(() => startGamePage(makeBoard));
