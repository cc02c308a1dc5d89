/** Painters of arrows: targets, an arrow in flight, the one under the pointer, and those not yet sent. */

import { direction, hatch, rhombus, square, stroke } from "./brush.js";
import { dotted } from "./marks.js";
import { pathOf } from "./paint.js";
import { SHAPES } from "./shapes.js";

const LARGE = 0.36;

/** A target that is not under the pointer. */
const QUIET = 0.7;

/** From the point of the head to its notch, where the shaft ends, in squares. */
const HEAD = 0.145;

/** The head is at least so large, in CSS pixels. */
const HEAD_PX = 9;

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function diamond(ctx, item, { layout, colours }) {
  square(
    ctx,
    layout,
    item.square,
    (/** @type {CanvasRenderingContext2D} */ c, /** @type {number} */ side) => {
      const half = Math.max(0.135, 4.6 / side);
      c.globalAlpha *= item.kind === "diamond" ? QUIET : 1;
      c.strokeStyle = colours.fire;
      c.fillStyle = colours.fire;
      c.lineWidth = Math.max(0.035, 1.3 / side);
      rhombus(c, half);
      c.stroke();
      c.beginPath();
      c.arc(0, 0, Math.max(0.03, 1.1 / side), 0, 2 * Math.PI);
      c.fill();
    },
  );
}

/**
 * The square that means "no arrow": a dashed ring round an arrow at rest, in mark, not in fire.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function keep(ctx, item, { layout, colours }) {
  square(
    ctx,
    layout,
    item.square,
    (/** @type {CanvasRenderingContext2D} */ c, /** @type {number} */ side) => {
      const width = Math.max(0.04, 1.5 / side);
      c.strokeStyle = colours.mark;
      c.lineCap = "round";
      c.lineJoin = "round";
      c.lineWidth = width;
      c.fillStyle = colours.squareA;
      c.setLineDash(item.kind === "keeping" ? [] : [0.1, 0.095]);
      c.beginPath();
      c.arc(0, 0, 0.3, 0, 2 * Math.PI);
      c.fill();
      c.stroke();
      c.setLineDash([]);
      c.beginPath();
      c.moveTo(0, -0.15);
      c.lineTo(0, 0.15);
      c.moveTo(-0.07, 0.07);
      c.lineTo(0, 0.15);
      c.lineTo(0.07, 0.07);
      c.moveTo(-0.06, -0.2);
      c.lineTo(0, -0.13);
      c.lineTo(0.06, -0.2);
      c.stroke();
    },
  );
}

/** The ring of an arrow that is kept. */
export const keeping = keep;

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {{ dx: number, dy: number }} way
 * @param {number} side
 */
function fletching(ctx, x, y, { dx, dy }, side) {
  ctx.beginPath();
  for (let pair = 0; pair < 3; pair += 1) {
    const at = pair * 0.045 * side;
    const [px, py] = [x + dx * at, y + dy * at];
    for (const sign of [1, -1]) {
      ctx.moveTo(px, py);
      ctx.lineTo(
        px - (dx + sign * dy * 0.9) * 0.075 * side,
        py - (dy - sign * dx * 0.9) * 0.075 * side,
      );
    }
  }
  ctx.stroke();
}

/**
 * The way of an arrow; `length` is the share of it that has been flown.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function flight(ctx, item, { layout, colours }) {
  const way = direction(layout, item.start, item.at);
  const { a, far, dx, dy } = way;
  const { side } = layout;
  const head = Math.max(side, HEAD_PX / 0.2);
  const begin = 0.42 * side;
  const reach = begin + (far - begin) * item.length;
  const [x, y] = [a.x + dx * begin, a.y + dy * begin];
  const [tx, ty] = [a.x + dx * reach, a.y + dy * reach];
  const width = Math.max(1.4, 0.028 * side);
  stroke(ctx, colours.ember, width, [
    [x, y],
    [tx - dx * HEAD * head, ty - dy * HEAD * head],
  ]);
  fletching(ctx, x, y, way, side);
  ctx.fillStyle = colours.ember;
  ctx.translate(tx, ty);
  ctx.transform(dx, dy, -dy, dx, 0, 0);
  ctx.scale(head, head);
  ctx.fill(pathOf(SHAPES.arrowHead));
}

/**
 * The line from the archer to the square that is to burn, short of both.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {{ start: Square, at: Square }} shot
 * @param {PaintContext} context
 * @param {string} colour
 * @param {number} width
 * @param {number[]} dash
 */
function sight(ctx, { start, at }, { layout }, colour, width, dash) {
  const { a, b, dx, dy } = direction(layout, start, at);
  const { side } = layout;
  const from = [a.x + dx * 0.46 * side, a.y + dy * 0.46 * side];
  const to = [b.x - dx * LARGE * side, b.y - dy * LARGE * side];
  stroke(ctx, colour, width, [from, to], dash);
}

/**
 * Under the draft, or sent: a dashed line and a large diamond.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function aim(ctx, item, context) {
  const { layout, colours } = context;
  const { side } = layout;
  const width = Math.max(1.3, 0.035 * side);
  sight(ctx, item, context, colours.fire, width, [0.09 * side, 0.07 * side]);
  square(ctx, layout, item.at, (/** @type {CanvasRenderingContext2D} */ c) => {
    c.strokeStyle = colours.fire;
    c.lineWidth = width / side;
    rhombus(c, LARGE);
    c.stroke();
  });
  diamond(ctx, { ...item, square: item.at }, context);
}

/**
 * Composed and not sent: the diamond is hatched; nothing burns yet.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function unsentShot(ctx, item, context) {
  const { layout, colours } = context;
  const { side } = layout;
  const width = Math.max(1.3, 0.035 * side);
  sight(ctx, item, context, colours.fire, width, [0.09 * side, 0.07 * side]);
  square(ctx, layout, item.at, (/** @type {CanvasRenderingContext2D} */ c) => {
    c.save();
    rhombus(c, LARGE);
    c.clip();
    hatch(c, {
      gap: Math.max(0.14, 6 / side),
      width: Math.max(0.03, 1.2 / side),
      colour: colours.fire,
    });
    c.restore();
    c.strokeStyle = colours.fire;
    c.lineWidth = width / side;
    rhombus(c, LARGE);
    c.stroke();
  });
}

/**
 * Planned: all in dots, and not in the colour of fire.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function plannedShot(ctx, item, context) {
  const { layout, colours } = context;
  const { side } = layout;
  const width = Math.max(1.8, 0.042 * side);
  ctx.lineCap = "round";
  sight(ctx, item, context, colours.mark, width, [0, 2.1 * width]);
  square(ctx, layout, item.at, (/** @type {CanvasRenderingContext2D} */ c) => {
    c.strokeStyle = colours.mark;
    dotted(c, width / side);
    rhombus(c, LARGE);
    c.stroke();
  });
}
