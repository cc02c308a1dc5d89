/**
 * What fingers do with the hand of a board: they hover, tap, grasp a piece or an archer that is about
 * to shoot, drag, and let go. A finger hovers while it is down, so that it sees what it would do.
 */

import { archerOf } from "./held.js";
import { choose, heldPiece, stepOf, tap, tappable, targetsOf } from "./path.js";
import { listen } from "./pointer.js";
import { nearestOf } from "./geometry.js";

export class Fingers {
  constructor(board, element) {
    this.board = board;
    this.element = element;
    /** Whether the press that is under way has chosen its piece: then its release isn't a tap. */
    this.fresh = false;
    /** The hand that was grasped; what becomes of another hand meanwhile is no drag of this one. */
    this.grasped = null;
    /** What is pressed while it isn't known yet what may be planned: {start, end, dragged, off}. */
    this.late = null;
    listen(element, this);
  }

  nearest(point, squares) {
    return nearestOf(this.board.stage.layout, point, squares);
  }

  /** Whether something was grasped; true as well while that isn't known. */
  press(point) {
    const late = { start: point, end: null, dragged: false, off: false };
    if (!this.board.wish.defers(() => this.redo(late))) return this.grasp(point);
    this.late = late;
    return true;
  }

  /** Does what was pressed too early; a finger that is still down may drag on. */
  redo(late) {
    if (late.off) return;
    if (this.late === late) this.late = null;
    const grasped = this.grasp(late.start);
    if (late.end !== null) this.release(late.end, late.dragged && grasped);
  }

  grasp(point) {
    this.fresh = false;
    this.grasped = this.board.isActive() && this.grasps(point) ? this.board.hand : null;
    return this.grasped !== null;
  }

  /** Whether a press here takes hold of something that can be dragged. */
  grasps(point) {
    const { board } = this;
    const square = this.nearest(point, tappable(board.hand));
    if (square === null) return false;
    const step = stepOf(board.hand);
    const target = targetsOf(board.hand).includes(square);
    if (square === heldPiece(board.hand)) return true;
    if (square === archerOf({ view: board.shown.view, hand: board.hand }) && !target) return true;
    if (target && !step.word.startsWith("from")) return false;
    const after = tap(board.hand, square);
    if (heldPiece(after) !== square || board.hand.path.includes(square)) return false;
    board.take(after);
    this.fresh = true;
    return true;
  }

  hover(point) {
    const { board } = this;
    if (point !== null) board.wish.touch();
    const live = point !== null && board.isActive();
    const square = live ? this.nearest(point, targetsOf(board.hand)) : null;
    const taps = live && (square ?? this.nearest(point, tappable(board.hand))) !== null;
    this.element.classList.toggle("can-tap", taps);
    board.hoverOn(square);
  }

  drag(point) {
    const { board } = this;
    if (!board.isActive() || board.hand !== this.grasped) return;
    const square = heldPiece(board.hand);
    if (square !== null) board.dragTo({ square, point });
  }

  release(point, dragged) {
    const { board } = this;
    const { fresh, grasped, late } = this;
    if (late !== null) {
      this.late = null;
      Object.assign(late, { end: point, dragged });
      return;
    }
    this.fresh = false;
    this.grasped = null;
    board.dragTo(null);
    if (!board.isActive()) return;
    if (dragged) {
      if (board.hand === grasped) this.drop(point);
      return;
    }
    const square = this.nearest(point, tappable(board.hand));
    if (!fresh && square !== null) board.tapped(square);
  }

  drop(point) {
    const { board } = this;
    const square = this.nearest(point, targetsOf(board.hand));
    const slide = heldPiece(board.hand) === null;
    if (square !== null) board.take(choose(board.hand, square), { slide });
  }

  cancel() {
    if (this.late !== null) this.late.off = true;
    this.late = null;
    this.fresh = false;
    this.grasped = null;
    this.board.letGo();
    this.board.hoverOn(null);
    this.board.dragTo(null);
  }
}
