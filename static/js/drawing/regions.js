/** Painter of regions: their borders, and how many moves in each are sure. */

import { cellOf, centreOf, edgeOf, squaresOf } from "./geometry.js";

/** The line of each owner: White's whole, Black's dashed, nobody's dotted; in CSS pixels. */
const DASHES_PX = { white: [], black: [9, 5], none: [2, 4] };
const LINE_PX = 2.5;
const HALO_PX = 5;

/** In squares, and at least so large in CSS pixels. */
const BADGE = 0.3;
const BADGE_PX = 10;

const MIDDLE = 0.5;

/**
 * The path along all sides of squares beyond which the region does not go on.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {ReadonlySet<Square>} inside
 */
function borderPath(ctx, layout, inside) {
  const at = new Map();
  for (const square of squaresOf(layout.columns, layout.rows)) {
    const { column, row } = cellOf(layout, square);
    at.set(`${column} ${row}`, square);
  }
  const isInside = (/** @type {number} */ column, /** @type {number} */ row) =>
    inside.has(at.get(`${column} ${row}`));
  ctx.beginPath();
  for (const square of inside) {
    const { column, row } = cellOf(layout, square);
    const [left, right] = [column, column + 1].map((each) => edgeOf(layout, layout.left, each));
    const [top, bottom] = [row, row + 1].map((each) => edgeOf(layout, layout.top, each));
    /** @type {[boolean, number, number, number, number][]} */
    const sides = [
      [isInside(column, row - 1), left, top, right, top],
      [isInside(column, row + 1), left, bottom, right, bottom],
      [isInside(column - 1, row), left, top, left, bottom],
      [isInside(column + 1, row), right, top, right, bottom],
    ];
    for (const [goesOn, x1, y1, x2, y2] of sides) {
      if (goesOn) continue;
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawnRegion} region
 * @param {{ layout: Layout, colours: Palette }} context
 */
function badge(ctx, { role, middle, sure }, { layout, colours }) {
  if (role === null) return;
  const { x, y } = centreOf(layout, middle);
  const radius = Math.max(BADGE * layout.side, BADGE_PX);
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = role === "white" ? colours.lightFill : colours.darkFill;
  ctx.strokeStyle = role === "white" ? colours.lightLine : colours.darkHalo;
  ctx.lineWidth = LINE_PX / 2;
  ctx.setLineDash([]);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = role === "white" ? colours.lightLine : colours.darkTrim;
  ctx.font = `600 ${Math.round(radius * 1.1)}px ${colours.sans}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(String(sure), x, y + MIDDLE);
}

/**
 * Draws the regions of a position above the scene.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {readonly DrawnRegion[]} regions
 * @param {{ layout: Layout, colours: Palette }} context
 */
export function drawRegions(ctx, regions, context) {
  const { layout, colours } = context;
  ctx.save();
  for (const { role, inside } of regions) {
    borderPath(ctx, layout, inside);
    ctx.lineCap = "butt";
    ctx.setLineDash([]);
    ctx.strokeStyle = colours.annotationHalo;
    ctx.lineWidth = HALO_PX;
    ctx.stroke();
    ctx.setLineDash(DASHES_PX[role ?? "none"]);
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = LINE_PX;
    ctx.stroke();
  }
  for (const region of regions) badge(ctx, region, context);
  ctx.restore();
}
