/** What fingers do with the hand of a board: they hover, tap, grasp a piece, drag it and let it go. */

import { choose, heldPiece, stepOf, tap, tappable, targetsOf } from "./path.js";
import { listen } from "./pointer.js";
import { nearestOf } from "./geometry.js";

export class Fingers {
  constructor(board, element) {
    this.board = board;
    this.element = element;
    /** Whether the press that is under way has chosen its piece: then its release isn't a tap. */
    this.fresh = false;
    listen(element, this);
  }

  nearest(point, squares) {
    return nearestOf(this.board.stage.layout, point, squares);
  }

  press(point) {
    const { board } = this;
    this.fresh = false;
    if (!board.isActive()) return false;
    const square = this.nearest(point, tappable(board.hand));
    if (square === null) return false;
    if (square === heldPiece(board.hand)) return true;
    const piece = stepOf(board.hand).word.startsWith("from");
    if (!piece && targetsOf(board.hand).includes(square)) return false;
    const after = tap(board.hand, square);
    if (heldPiece(after) !== square || board.hand.path.includes(square)) return false;
    board.take(after);
    this.fresh = true;
    return true;
  }

  hover(point) {
    const { board } = this;
    const live = point !== null && board.isActive();
    const square = live ? this.nearest(point, targetsOf(board.hand)) : null;
    this.element.classList.toggle("can-tap", square !== null);
    board.hoverOn(square);
  }

  drag(point) {
    const { board } = this;
    const square = board.isActive() ? heldPiece(board.hand) : null;
    if (square !== null) board.dragTo({ square, point });
  }

  release(point, dragged) {
    const { board } = this;
    const fresh = this.fresh;
    this.fresh = false;
    board.dragTo(null);
    if (!board.isActive()) return;
    if (dragged) {
      const square = this.nearest(point, targetsOf(board.hand));
      if (square !== null) board.take(choose(board.hand, square), { slide: false });
      return;
    }
    const square = this.nearest(point, tappable(board.hand));
    if (!fresh && square !== null) board.tapped(square);
  }

  cancel() {
    this.fresh = false;
    this.board.letGo();
    this.board.hoverOn(null);
    this.board.dragTo(null);
  }
}
