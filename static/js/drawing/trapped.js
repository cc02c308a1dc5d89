/** The marks of an amazon that cannot move: a bar at each blocked side, and a cross. Units are squares. */

import { square, strokesCross } from "./brush.js";
import { disc, sign } from "./marks.js";

const BAR = { away: 0.44, half: 0.11 };

/**
 * A bar across the way to one side; it flashes once (`grow`).
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function blocked(ctx, item, { layout, colours }) {
  const { dx = 0, dy = 0, alpha = 1, grow } = item;
  const turned = layout.flipped ? Math.PI : 0;
  square(ctx, layout, item.square, (c, side) => {
    c.rotate(turned);
    c.translate(BAR.away * dx, -BAR.away * dy);
    c.rotate(Math.atan2(-dy, dx));
    c.globalAlpha = alpha * (0.6 + 0.4 * grow);
    c.strokeStyle = colours.fire;
    c.lineWidth = Math.max(0.045, 1.6 / side) * (1 + grow);
    c.lineCap = "round";
    c.beginPath();
    c.moveTo(0, -BAR.half);
    c.lineTo(0, BAR.half);
    c.stroke();
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function trapped(ctx, item, context) {
  const { colours } = context;
  ctx.globalAlpha = item.alpha ?? 1;
  sign(ctx, item, context, { x: 1, y: -1, share: 0.15, least: 6 }, (c, r) => {
    disc(c, r);
    c.fillStyle = colours.squareA;
    c.fill();
    c.strokeStyle = colours.mark;
    c.lineWidth = 0.2 * r;
    c.stroke();
    strokesCross(c, 0.4 * r, 0.24 * r, colours.mark);
  });
}
