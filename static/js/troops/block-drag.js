/** Blocks that a pointer lifts from the tray or a field, and lays down on a field. */

import { fitCanvas } from "../drawing/canvas.js";
import { drawBlock } from "../drawing/figure.js";
import { palette } from "../drawing/palette.js";
import { asOneChange, changeField } from "./split-draft.js";

const LIFTED_SIZE_PX = 72;

const LIFTED_TILT = (-7 * Math.PI) / 180;

const LIFTED_BLOCK_PX = 46;

function makeLiftedCanvas() {
  const canvas = document.createElement("canvas");
  canvas.className = "lifted";
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Role} role
 */
function paintLifted(canvas, role) {
  const { ctx, width, height } = fitCanvas(canvas);
  ctx.fillStyle = "rgb(0 0 0 / 28%)";
  ctx.beginPath();
  ctx.ellipse(width / 2, height - 10, 0.36 * width, 6, 0, 0, 2 * Math.PI);
  ctx.fill();
  ctx.translate(width / 2, height / 2 - 8);
  ctx.rotate(LIFTED_TILT);
  drawBlock(
    ctx,
    { x: -LIFTED_BLOCK_PX / 2, y: -LIFTED_BLOCK_PX / 3, width: LIFTED_BLOCK_PX },
    role,
    palette(),
  );
}

/**
 * Listens for a press on a block, its way and its end. Points are those of the page.
 *
 * @param {HTMLElement} root
 * @param {LiftHandler} handler
 */
function listenLift(root, handler) {
  /** @type {{ id: number, canvas: HTMLCanvasElement } | null} */
  let down = null;

  /** @param {Point} point */
  const follow = (point) => {
    if (down !== null)
      down.canvas.style.transform = `translate(${point.x - LIFTED_SIZE_PX / 2}px, ${point.y - LIFTED_SIZE_PX / 2 + 6}px)`;
    handler.over(point);
  };
  /** @param {Point | null} point */
  const end = (point) => {
    down?.canvas.remove();
    down = null;
    handler.drop(point);
  };
  const pointOf = (/** @type {PointerEvent} */ { clientX: x, clientY: y }) => ({ x, y });

  root.addEventListener("pointerdown", (event) => {
    const point = pointOf(event);
    if (
      down !== null ||
      event.button !== 0 ||
      !handler.lift(point, /** @type {Element} */ (event.target))
    )
      return;
    down = { id: event.pointerId, canvas: makeLiftedCanvas() };
    root.append(down.canvas);
    paintLifted(down.canvas, handler.role());
    root.setPointerCapture(event.pointerId);
    event.preventDefault();
    follow(point);
  });
  root.addEventListener("pointermove", (event) => {
    if (down !== null && event.pointerId === down.id) follow(pointOf(event));
  });
  root.addEventListener("pointerup", (event) => {
    if (down !== null && event.pointerId === down.id) end(pointOf(event));
  });
  root.addEventListener("pointercancel", (event) => {
    if (down !== null && event.pointerId === down.id) end(null);
  });
}

export class BlockDrag {
  /**
   * @param {import("./troops.js").Troops} troops
   * @param {HTMLElement} root
   */
  constructor(troops, root) {
    this.troops = troops;
    /** The split before the block that is lifted now. @type {SplitDraft | null} */
    this.origin = null;
    /** The field under the lifted block. @type {number | null} */
    this.target = null;
    this.lifted = false;
    listenLift(root, this);
  }

  role() {
    return this.troops.near;
  }

  /**
   * Lifts the block at a point of the page; returns whether there was one to lift.
   *
   * @param {Point} point
   * @param {Element} element
   */
  lift(point, element) {
    const { troops } = this;
    const origin = troops.activeSplit;
    if (origin === null || element.closest("button")) return false;
    const { fields, tray } = troops.sheet;
    const field = fields.findIndex((each) => each.canvas === element && each.holds(point));
    if (field >= 0) troops.split = changeField(origin, field, -1);
    else if (!tray.holds(point, element)) return false;
    this.origin = origin;
    this.lifted = true;
    troops.refresh();
    return true;
  }

  /** @param {Point} point */
  fieldAt(point) {
    return this.troops.sheet.fields.findIndex((field) => field.covers(point));
  }

  /** @param {Point} point */
  over(point) {
    const field = this.fieldAt(point);
    const next = field < 0 ? null : field;
    if (next === this.target) return;
    this.target = next;
    this.troops.sheet.showFields({ target: next });
  }

  /** @param {Point | null} point */
  drop(point) {
    const { troops } = this;
    const field = point === null ? -1 : this.fieldAt(point);
    this.lifted = false;
    this.target = null;
    const before = troops.activeSplit;
    if (before !== null) {
      const split = field >= 0 ? changeField(before, field, 1) : before;
      troops.split = asOneChange(this.origin ?? before, split);
    }
    troops.refresh();
  }
}
