/**
 * The layer of annotations above a board: drawn with the right button, or by a long press on touch.
 *
 * Nothing here reaches the draft or the connection. A right drag draws an arrow, a right click a
 * circle, and the same again takes it away. On touch a long press on an empty square begins, where no
 * piece and no target is in reach. A left click or a tap clears, and so does another position.
 */

import { drawAnnotations } from "../drawing/annotations.js";
import { nearestOf, squareAt } from "../drawing/geometry.js";
import { palette } from "../drawing/palette.js";
import { annotationOf, isCircle, toggled } from "./annotations.js";
import { afterDraft } from "./occupancy.js";
import { tappableSquares } from "./path-draft.js";

/** Shorter than the press after which browsers open their own menu. */
const LONG_PRESS_MS = 420;

const RETRY_DELAY_MS = 100;

/** A finger that has moved farther than this is no long press. */
const STILL_PX = 9;

const LEFT = 0;
const RIGHT = 2;

/** @param {Annotation} annotation */
const textOf = (annotation) =>
  isCircle(annotation) ? annotation.start : `${annotation.start}-${annotation.end}`;

export class AnnotationLayer {
  /**
   * @param {import("./board.js").Board} board
   * @param {HTMLElement} element
   */
  constructor(board, element) {
    this.board = board;
    this.element = element;
    /** @type {readonly Annotation[]} */
    this.annotations = [];
    /** The one that is being drawn, and the pointer that draws it. @type {{ id: number, annotation: Annotation } | null} */
    this.drawing = null;
    /** A finger that may become a long press. @type {{ id: number, point: Point, timer: number } | null} */
    this.press = null;
    this.position = this.shownPosition();
    board.stage.overlays.push((ctx, layout) => this.draw(ctx, layout));
    /** @type {Record<string, (event: PointerEvent) => void>} */
    this.handlers = {
      pointerdown: (event) => this.handleDown(event),
      pointermove: (event) => this.handleMove(event),
      pointerup: (event) => this.handleUp(event),
    };
    for (const [kind, handle] of Object.entries(this.handlers)) {
      element.addEventListener(kind, (event) => handle(/** @type {PointerEvent} */ (event)));
    }
    element.addEventListener("pointercancel", (event) => {
      if (event.isTrusted) this.cancel();
    });
    element.addEventListener("contextmenu", (event) => {
      if (this.press || this.drawing) event.preventDefault();
    });
  }

  /**
   * Replays the events on the board from before this module was loaded.
   *
   * @param {PointerEvent[]} events
   */
  replay(events) {
    for (const event of events) this.handlers[event.type](event);
  }

  /** Returns the text of the shown position: annotations belong to one position. */
  shownPosition() {
    return this.board.shown.view.board;
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Layout} layout
   */
  draw(ctx, layout) {
    if (this.position !== this.shownPosition()) this.forget();
    const pending = this.drawing?.annotation ?? null;
    drawAnnotations(ctx, this.annotations, { layout, colours: palette(), pending });
  }

  /** Draws again, and lists the annotations in attributes of the element, for tests. */
  refresh() {
    const { dataset } = this.element;
    dataset.annotations = this.annotations.map(textOf).join(" ");
    dataset.annotating = this.drawing ? textOf(this.drawing.annotation) : "";
    this.board.stage.wake();
  }

  /** Takes all annotations away, because the position is another one. */
  forget() {
    this.position = this.shownPosition();
    this.annotations = [];
    this.drawing = null;
    this.refresh();
  }

  clear() {
    if (this.annotations.length === 0) return;
    this.annotations = [];
    this.refresh();
  }

  /** @param {PointerEvent} event */
  pointOf(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {Point} point */
  squareOf(point) {
    const { layout } = this.board.stage;
    return layout && squareAt(layout, point);
  }

  /** @param {PointerEvent} event */
  handleDown(event) {
    if (event.pointerType !== "mouse") this.handleTouch(event);
    else if (event.button === RIGHT) {
      this.begin(event.pointerId, this.pointOf(event));
      if (this.drawing) this.element.setPointerCapture(event.pointerId);
    } else if (event.button === LEFT) this.clear();
  }

  /** @param {PointerEvent} event */
  handleTouch(event) {
    const isSecond = this.press !== null || this.drawing !== null;
    this.cancel();
    if (isSecond || !event.isPrimary) return;
    const point = this.pointOf(event);
    const timer = setTimeout(() => this.becomeLong(), LONG_PRESS_MS);
    this.press = { id: event.pointerId, point, timer };
  }

  /**
   * A finger has stayed where it is: draws from there, if it means nothing for the game. That is known
   * once the board has the premove options.
   */
  becomeLong() {
    if (this.press === null) return;
    if (this.board.gestures.delayed !== null) {
      this.press.timer = setTimeout(() => this.becomeLong(), RETRY_DELAY_MS);
      return;
    }
    const { id, point } = this.press;
    if (!this.isFree(point)) return;
    this.press = null;
    this.element.dispatchEvent(new PointerEvent("pointercancel", { pointerId: id }));
    this.begin(id, point);
  }

  /**
   * Returns whether a finger here is on an empty square, and grasps and chooses nothing.
   *
   * @param {Point} point
   */
  isFree(point) {
    const { board } = this;
    const { layout } = board.stage;
    const square = this.squareOf(point);
    if (layout === null || square === null || board.gestures.grasped !== null) return false;
    const composed = board.past ? null : (board.draft ?? board.sent);
    if (afterDraft(board.shown.view, composed).marks.has(square)) return false;
    const draft = board.activeDraft;
    return draft === null || nearestOf(layout, point, tappableSquares(draft)) === null;
  }

  /**
   * @param {number} id
   * @param {Point} point
   */
  begin(id, point) {
    const square = this.squareOf(point);
    if (square === null) return;
    this.drawing = { id, annotation: annotationOf(square, square) };
    this.refresh();
  }

  /** @param {PointerEvent} event */
  handleMove(event) {
    const point = this.pointOf(event);
    if (this.press?.id === event.pointerId) {
      const far = Math.hypot(point.x - this.press.point.x, point.y - this.press.point.y);
      if (far > STILL_PX) this.endPress();
    }
    if (this.drawing?.id !== event.pointerId) return;
    const { start, end } = this.drawing.annotation;
    const square = this.squareOf(point) ?? start;
    if (square === end) return;
    this.drawing.annotation = annotationOf(start, square);
    this.refresh();
  }

  /** @param {PointerEvent} event */
  handleUp(event) {
    if (this.drawing?.id === event.pointerId) {
      const { annotation } = this.drawing;
      this.drawing = null;
      const isOutside = this.squareOf(this.pointOf(event)) === null;
      if (!isOutside) this.annotations = toggled(this.annotations, annotation);
      this.refresh();
    } else if (this.press?.id === event.pointerId) {
      this.endPress();
      this.clear();
    }
  }

  endPress() {
    clearTimeout(this.press?.timer);
    this.press = null;
  }

  cancel() {
    this.endPress();
    if (this.drawing === null) return;
    this.drawing = null;
    this.refresh();
  }
}
