/**
 * Gestures of pointers on a board: hover, tap, grasp a piece or an archer about to shoot, drag, release.
 *
 * A finger hovers while it is down, so that its owner sees what a release would do.
 */

import { nearestOf, squareAt } from "../drawing/geometry.js";
import { afterDraft } from "./occupancy.js";
import {
  choose,
  heldPiece,
  isComplete,
  stepOf,
  tap,
  tappableSquares,
  targetsOf,
} from "./path-draft.js";
import { signatureOf } from "./refused-tap.js";
import { archerOf } from "./scene-items.js";
import { refusedTap } from "./tween.js";

export class Gestures {
  /**
   * @param {import("./board.js").Board} board
   * @param {HTMLElement} element
   */
  constructor(board, element) {
    this.board = board;
    this.element = element;
    /** The current press has chosen its piece: then its release is not a tap. */
    this.fresh = false;
    /** The draft whose piece is being dragged; the release is ignored if the board has another draft then. @type {Draft | null} */
    this.grasped = null;
    /** The press that waits for the premove options. @type {DelayedPress | null} */
    this.delayed = null;
    listenPointer(element, this);
  }

  /**
   * @param {Point} point
   * @param {Iterable<Square>} squares
   */
  nearest(point, squares) {
    const { layout } = this.board.stage;
    return layout && nearestOf(layout, point, squares);
  }

  /**
   * Returns whether something was grasped; true as well while that is not known.
   *
   * @param {Point} point
   */
  press(point) {
    /** @type {DelayedPress} */
    const delayed = { start: point, end: null, dragged: false, isCancelled: false };
    if (!this.board.premoves.delay(() => this.performDelayed(delayed))) return this.grasp(point);
    this.delayed = delayed;
    return true;
  }

  /**
   * Performs a press that waited for the premove options; a finger that is still down may drag on.
   *
   * @param {DelayedPress} delayed
   */
  performDelayed(delayed) {
    if (delayed.isCancelled) return;
    if (this.delayed === delayed) this.delayed = null;
    const grasped = this.grasp(delayed.start);
    if (delayed.end !== null) this.performRelease(delayed.end, delayed.dragged && grasped);
  }

  /** @param {Point} point */
  grasp(point) {
    this.fresh = false;
    const active = this.board.activeDraft;
    this.grasped = active !== null && this.grasps(point, active) ? this.board.draft : null;
    return this.grasped !== null;
  }

  /**
   * Grasps what can be dragged from here; returns whether there was something.
   *
   * @param {Point} point
   * @param {Draft} draft
   */
  grasps(point, draft) {
    const { board } = this;
    const square = this.nearest(point, tappableSquares(draft));
    if (square === null) return false;
    const step = stepOf(draft);
    const target = targetsOf(draft).includes(square);
    if (square === heldPiece(draft)) return true;
    if (square === archerOf({ view: board.shown.view, draft }) && !target) return true;
    if (target && !step?.word.startsWith("from")) return false;
    const after = tap(draft, square);
    if (heldPiece(after) !== square || draft.path.includes(square)) return false;
    board.setDraft(after);
    this.fresh = true;
    return true;
  }

  /** Keeps the piece in the hand when a newer snapshot has replaced the draft by an equal one. */
  keepGrasp() {
    const { draft } = this.board;
    if (this.grasped === null) return;
    if (signatureOf(draft) === signatureOf(this.grasped)) this.grasped = draft;
  }

  /** @param {Point | null} point */
  hover(point) {
    const { board } = this;
    if (point !== null) board.premoves.request();
    const draft = board.activeDraft;
    const live = point !== null && draft !== null;
    const square = live ? this.nearest(point, targetsOf(draft)) : null;
    const taps = live && (square ?? this.nearest(point, tappableSquares(draft))) !== null;
    this.element.classList.toggle("can-tap", taps);
    board.hoverOn(square);
  }

  /** @param {Point} point */
  drag(point) {
    const { board } = this;
    const draft = board.activeDraft;
    if (draft === null || draft !== this.grasped) return;
    const square = heldPiece(draft);
    if (square !== null) board.dragTo({ square, point });
  }

  /**
   * @param {Point} point
   * @param {boolean} dragged
   */
  release(point, dragged) {
    const { delayed } = this;
    this.delayed = null;
    if (delayed === null) this.performRelease(point, dragged);
    else Object.assign(delayed, { end: point, dragged });
  }

  /**
   * Performs a release: at once, or when the premove options for which its press waits are known.
   *
   * @param {Point} point
   * @param {boolean} dragged
   */
  performRelease(point, dragged) {
    const { board, fresh, grasped } = this;
    this.fresh = false;
    this.grasped = null;
    board.dragTo(null);
    const draft = board.activeDraft;
    if (draft === null) return;
    if (dragged) {
      if (draft === grasped) this.drop(point, draft);
      return;
    }
    const square = this.nearest(point, tappableSquares(draft));
    if (fresh) return;
    if (square !== null) board.tapSquare(square);
    else {
      const { layout } = board.stage;
      this.refuse(layout && squareAt(layout, point), draft, { putsDown: true });
    }
  }

  /**
   * A tap on a square, from any input device.
   *
   * @param {Square} square
   */
  tap(square) {
    const { composer } = this.board;
    const draft = composer.requireDraft();
    const after = composer.draftAfterTap(square);
    if (after === draft) this.refuse(square, draft);
    else this.board.setDraft(after);
  }

  /**
   * Nothing can be chosen there: what stands there shakes, or the piece that is held or about to shoot.
   * A click on an empty square puts a held piece down (`putsDown`).
   *
   * @param {Square | null} square
   * @param {Draft} draft
   * @param {{ putsDown?: boolean }} [options]
   */
  refuse(square, draft, { putsDown = false } = {}) {
    const { board } = this;
    if (square === null || isComplete(draft)) return;
    const { view } = board.shown;
    const taken = afterDraft(view, draft).marks.has(square);
    const held = heldPiece(draft);
    if (!taken && held !== null && putsDown) board.undo();
    else {
      const shaken = taken ? square : (held ?? archerOf({ view, draft }));
      if (shaken !== null) board.stage.run(refusedTap(shaken));
    }
    const signature = signatureOf(board.draft);
    board.events.onRefusedTap?.({ square, draft, board, signature });
  }

  /**
   * @param {Point} point
   * @param {Draft} draft
   */
  drop(point, draft) {
    const square = this.nearest(point, targetsOf(draft));
    const slide = heldPiece(draft) === null;
    if (square !== null) this.board.setDraft(choose(draft, square), { slide });
  }

  cancel() {
    if (this.delayed !== null) this.delayed.isCancelled = true;
    this.delayed = null;
    this.fresh = false;
    this.grasped = null;
    this.board.forgetPointer();
    this.board.hoverOn(null);
    this.board.dragTo(null);
  }
}

/** A press that moves farther than this many CSS pixels is a drag. */
const DRAG_THRESHOLD_PX = 6;

/**
 * Listens on `element`. `handler` answers: `hover(point | null, kind)`, `press(point)` → whether a piece
 * was grasped, `drag(point)`, `release(point, dragged)`, `cancel()`. Points are relative to the
 * element's corner. While a pointer is down on the board the page doesn't scroll (touch-action: none
 * in game.css). Returns the function that stops listening.
 *
 * @param {HTMLElement} element
 * @param {PointerHandler} handler
 */
export function listenPointer(element, handler) {
  /** @type {{ id: number, point: Point, dragged: boolean, grasped: boolean } | null} */
  let down = null;
  const stop = new AbortController();
  /** @type {<K extends keyof HTMLElementEventMap>(kind: K, listener: (event: HTMLElementEventMap[K]) => void) => void} */
  const on = (kind, listener) =>
    element.addEventListener(kind, listener, { signal: stop.signal, passive: false });

  /** @param {PointerEvent} event */
  const pointOf = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  on("pointerdown", (event) => {
    if (down !== null || (event.pointerType === "mouse" && event.button !== 0)) return;
    const point = pointOf(event);
    down = { id: event.pointerId, point, dragged: false, grasped: handler.press(point) };
    element.setPointerCapture(event.pointerId);
    if (event.pointerType !== "mouse") handler.hover(point);
    event.preventDefault();
  });

  on("pointermove", (event) => {
    const point = pointOf(event);
    if (down === null) {
      if (event.pointerType === "mouse") handler.hover(point);
      return;
    }
    if (event.pointerId !== down.id) return;
    const far = Math.hypot(point.x - down.point.x, point.y - down.point.y);
    down.dragged ||= far > DRAG_THRESHOLD_PX;
    if (down.dragged && down.grasped) handler.drag(point);
    handler.hover(point);
  });

  on("pointerup", (event) => {
    if (down === null || event.pointerId !== down.id) return;
    const { dragged, grasped } = down;
    down = null;
    handler.release(pointOf(event), dragged && grasped);
    if (event.pointerType !== "mouse") handler.hover(null);
  });

  on("pointercancel", (event) => {
    if (event.pointerId !== down?.id) return;
    down = null;
    handler.cancel();
  });

  on("pointerleave", () => {
    if (down === null) handler.hover(null);
  });
  on("mousedown", (event) => event.preventDefault()); // the keyboard's focus stays where it is
  on("contextmenu", (event) => {
    if (down !== null) event.preventDefault();
  });
  return () => stop.abort();
}
