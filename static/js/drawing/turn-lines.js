/** Painter of turns that an engine names: filled lines for the best one, dashed hollow ones for a threat. */

import { direction, rhombus, square, stroke } from "./brush.js";

/** @typedef {{ layout: Layout, colours: Palette, isThreat: boolean }} TurnLineStyle */

/** Lengths in squares. */
const BEGIN = 0.3;
const SHAFT = 0.1;
const HEAD = 0.34;
const HEAD_WIDTH = 0.19;
const RHOMBUS = 0.2;

const HALO_PX = 1.5;
const LEAST_PX = 2;
/** @type {[number, number]} */
const DASH_PX = [7, 5];

/**
 * A line from square to square: a shaft, and a head where a piece arrives or a rhombus where an arrow does.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {TurnLine} line
 * @param {TurnLineStyle} style
 */
function drawLine(ctx, { start, end, isShot }, { layout, colours, isThreat }) {
  const { a, far, dx, dy } = direction(layout, start, end);
  const { side } = layout;
  const neck = far - (isShot ? RHOMBUS : HEAD) * side;
  const width = Math.max(LEAST_PX, (isShot ? SHAFT / 2 : SHAFT) * side);
  ctx.save();
  ctx.translate(a.x, a.y);
  ctx.transform(dx, dy, -dy, dx, 0, 0);
  stroke(ctx, colours.annotationHalo, width + 2 * HALO_PX, shaftTo(neck, side));
  stroke(ctx, colourOf({ colours, isThreat }), width, shaftTo(neck, side), isThreat ? DASH_PX : []);
  ctx.beginPath();
  if (!isShot) {
    ctx.moveTo(neck, -HEAD_WIDTH * side);
    ctx.lineTo(far, 0);
    ctx.lineTo(neck, HEAD_WIDTH * side);
    ctx.closePath();
    fillHead(ctx, { colours, isThreat }, 1);
  }
  ctx.restore();
  if (isShot)
    square(ctx, layout, end, (c, unit) => {
      rhombus(c, RHOMBUS);
      fillHead(c, { colours, isThreat }, 1 / unit);
    });
}

/** @param {Omit<TurnLineStyle, "layout">} style */
const colourOf = ({ colours, isThreat }) => (isThreat ? colours.fire : colours.annotation);

/**
 * @param {number} neck
 * @param {number} side
 */
const shaftTo = (neck, side) => [
  [BEGIN * side, 0],
  [neck, 0],
];

/**
 * The head of a threat is hollow.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Omit<TurnLineStyle, "layout">} style
 * @param {number} pixel
 */
function fillHead(ctx, style, pixel) {
  ctx.lineJoin = "round";
  ctx.strokeStyle = style.colours.annotationHalo;
  ctx.lineWidth = (LEAST_PX + 2 * HALO_PX) * pixel;
  ctx.stroke();
  ctx.fillStyle = style.isThreat ? style.colours.annotationHalo : colourOf(style);
  ctx.fill();
  ctx.strokeStyle = colourOf(style);
  ctx.lineWidth = LEAST_PX * pixel;
  ctx.stroke();
}

/**
 * Draws a turn above the scene.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {readonly TurnLine[]} lines
 * @param {TurnLineStyle} style
 */
export function drawTurnLines(ctx, lines, style) {
  for (const line of lines) drawLine(ctx, line, style);
}
