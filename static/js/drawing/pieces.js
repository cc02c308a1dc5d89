/** Painters of pieces: at rest, in motion, not sent yet, and planned. */

import { hatch, square, strokesCross } from "./brush.js";
import { centreOf } from "./geometry.js";
import { dotted } from "./marks.js";
import { drawPiece, outlineOf } from "./paint.js";

/** Opacity of a figure under its hatching, and under its dots. */
const UNSENT = 0.6;
const PLANNED = 0.34;
const HATCHING = 0.6;

/**
 * @param {PaintItem} item
 * @param {Layout} layout
 */
function spotOf(item, layout) {
  if (item.point) return { x: item.point.x, y: item.point.y };
  const end = centreOf(layout, item.square);
  if (item.move === undefined) return { x: end.x + (item.shift ?? 0), y: end.y };
  const start = centreOf(layout, item.start);
  const { move } = item;
  /** @type {(from: number, to: number) => number} */
  const along = (from, to) => from + (to - from) * move;
  return { x: along(start.x, end.x), y: along(start.y, end.y) };
}

/**
 * A faint figure, hatched, with a dashed outline: it is not there yet.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
function hatched(ctx, item, context) {
  const { layout, colours, figure } = context;
  const { side } = layout;
  const outline = outlineOf(figure[item.mark]);
  faint(ctx, item, context, UNSENT);
  ctx.save();
  ctx.translate(0, -0.03 * (item.lift ?? 0));
  ctx.lineJoin = "round";
  ctx.save();
  ctx.clip(outline);
  ctx.globalAlpha = HATCHING;
  hatch(ctx, {
    gap: Math.max(0.13, 5 / side),
    width: Math.max(0.024, 1 / side),
    colour: colours.mark,
  });
  ctx.restore();
  ctx.strokeStyle = colours.mark;
  ctx.lineWidth = Math.max(0.036, 1.3 / side);
  ctx.setLineDash([0.085, 0.06]);
  ctx.stroke(outline);
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 * @param {number} alpha
 */
function faint(ctx, item, { layout, colours, figure }, alpha) {
  ctx.save();
  ctx.globalAlpha = alpha;
  drawPiece(ctx, figure[item.mark], layout.side, colours, item.lift ?? 0);
  ctx.restore();
}

/**
 * A faint figure with a dotted outline: it is planned.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
function dottedFigure(ctx, item, context) {
  const { layout, colours, figure } = context;
  faint(ctx, { ...item, lift: 0 }, context, PLANNED);
  ctx.strokeStyle = colours.mark;
  dotted(ctx, Math.max(0.04, 1.7 / layout.side));
  ctx.stroke(outlineOf(figure[item.mark]));
}

/** A piece that bows turns by this angle about its foot. */
const BOW = { angle: Math.PI / 15, foot: 0.4 };

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} share
 */
function lean(ctx, share) {
  ctx.translate(0, BOW.foot);
  ctx.rotate(-BOW.angle * share);
  ctx.translate(0, -BOW.foot);
}

/** @type {Record<string, Painter>} */
const STYLES = { unsent: hatched, planned: dottedFigure };

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function piece(ctx, item, context) {
  const { layout, colours, figure } = context;
  const { x, y } = spotOf(item, layout);
  const size = layout.side * (item.scale ?? 1);
  ctx.globalAlpha = item.alpha ?? 1;
  ctx.translate(x, y + (item.sink ?? 0) * layout.side);
  ctx.scale(size, size);
  if (item.tilt) lean(ctx, item.tilt);
  const special = STYLES[item.style ?? ""];
  if (special) special(ctx, item, context);
  else drawPiece(ctx, figure[item.mark], layout.side, colours, item.lift ?? 0);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 * @param {boolean} fill
 */
function dashedPiece(ctx, item, { layout, colours, figure }, fill) {
  const outline = outlineOf(figure[item.mark]);
  square(ctx, layout, item.square, (c, side) => {
    if (fill) {
      c.globalAlpha = 0.45;
      c.fillStyle = colours.chosen;
      c.fill(outline);
      c.globalAlpha = 1;
    }
    c.strokeStyle = colours.mark;
    c.lineWidth = Math.max(0.035, 1.3 / side);
    c.setLineDash([0.08, 0.06]);
    c.stroke(outline);
  });
}

/**
 * Draw the piece in the hand where it would stand.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function ghost(ctx, item, context) {
  dashedPiece(ctx, item, context, true);
}

/**
 * A piece that a capture takes off.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function victim(ctx, item, context) {
  dashedPiece(ctx, item, context, false);
  const { layout, colours } = context;
  square(ctx, layout, item.square, (c, side) => {
    c.translate(0, item.mark === "W" ? 0.07 : 0);
    strokesCross(c, 0.095, Math.max(0.045, 1.4 / side), colours.mark);
  });
}
