/** Tools of all painters: a square as unit, lines, crosses, diamonds and hatching. */

import { centreOf } from "./geometry.js";

export const TONES = { trail: "trail", mark: "mark", fire: "fire" };

/**
 * Paints with the square's centre as origin and its side as unit.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Square} name
 * @param {SquarePainter} paint
 */
export function square(ctx, layout, name, paint) {
  const { x, y } = centreOf(layout, name);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(layout.side, layout.side);
  paint(ctx, layout.side);
  ctx.restore();
}

/**
 * The way from one centre to another: {a, b, far, dx, dy}.
 *
 * @param {Layout} layout
 * @param {Square} from
 * @param {Square} to
 */
export function direction(layout, from, to) {
  const [a, b] = [centreOf(layout, from), centreOf(layout, to)];
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { a, b, far, dx: (b.x - a.x) / far, dy: (b.y - a.y) / far };
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} colour
 * @param {number} width
 * @param {number[][]} points
 * @param {number[]} [dash]
 */
export function stroke(ctx, colour, width, points, dash = []) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.stroke();
  ctx.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} half
 */
export function rhombus(c, half) {
  c.beginPath();
  c.moveTo(0, -half);
  c.lineTo(half, 0);
  c.lineTo(0, half);
  c.lineTo(-half, 0);
  c.closePath();
}

/**
 * A wedge from the middle of its base towards +x.
 *
 * @param {CanvasRenderingContext2D} c
 * @param {number} base
 * @param {number} height
 */
export function spike(c, base, height) {
  c.beginPath();
  c.moveTo(0, -base / 2);
  c.lineTo(height, 0);
  c.lineTo(0, base / 2);
  c.closePath();
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} half
 * @param {number} width
 * @param {string} colour
 */
export function strokesCross(c, half, width, colour) {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.lineCap = "round";
  c.beginPath();
  c.moveTo(-half, -half);
  c.lineTo(half, half);
  c.moveTo(half, -half);
  c.lineTo(-half, half);
  c.stroke();
}

/**
 * Lines rising to the right across the unit square, for what isn't there yet.
 *
 * @param {CanvasRenderingContext2D} c
 * @param {{ gap: number, width: number, colour: string }} options
 */
export function hatch(c, { gap, width, colour }) {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.lineCap = "butt";
  c.setLineDash([]);
  c.beginPath();
  for (let at = -1.4; at < 1.4; at += gap) {
    c.moveTo(at - 0.7, 0.7);
    c.lineTo(at + 0.7, -0.7);
  }
  c.stroke();
}

/**
 * The side of a square frame's line in whole device pixels, as a share of the square.
 *
 * @param {number} share
 * @param {number} least
 * @param {Pick<Layout, "side" | "ratio">} layout
 */
export function crispShare(share, least, { side, ratio }) {
  return Math.max(1, Math.round(Math.max(share * side, least) * ratio)) / ratio / side;
}
