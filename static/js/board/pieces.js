/** Pieces: as they are, on their way, half sent, and those that are only meant. */

import { hatch, square, strokesCross } from "./brush.js";
import { centreOf } from "./geometry.js";
import { dotted } from "./marks.js";

/** How faint a figure is under its hatching, and under its dots. */
const UNSENT = 0.6;
const PLANNED = 0.34;
const HATCHING = 0.6;

function spotOf(item, layout) {
  if (item.point) return { x: item.point.x, y: item.point.y };
  const end = centreOf(layout, item.square);
  if (item.move === undefined) return { x: end.x + (item.shift ?? 0), y: end.y };
  const start = centreOf(layout, item.start);
  const along = (from, to) => from + (to - from) * item.move;
  return { x: along(start.x, end.x), y: along(start.y, end.y) };
}

/** A faint figure, hatched, with a dashed outline: it is not there yet. */
function hatched(ctx, item, context) {
  const { layout, colours, outline } = context;
  const { side } = layout;
  faint(ctx, item, context, UNSENT);
  ctx.save();
  ctx.translate(0, -0.03 * (item.lift ?? 0));
  ctx.lineJoin = "round";
  ctx.save();
  outline(ctx, item.mark);
  ctx.clip();
  ctx.globalAlpha = HATCHING;
  hatch(ctx, { gap: Math.max(0.13, 5 / side), width: Math.max(0.024, 1 / side), colour: colours.mark });
  ctx.restore();
  ctx.strokeStyle = colours.mark;
  ctx.lineWidth = Math.max(0.036, 1.3 / side);
  ctx.setLineDash([0.085, 0.06]);
  outline(ctx, item.mark);
  ctx.stroke();
  ctx.restore();
}

function faint(ctx, item, { layout, colours, figure }, alpha) {
  ctx.save();
  ctx.globalAlpha = alpha;
  figure(ctx, item.mark, layout.side, colours, item.lift ?? 0);
  ctx.restore();
}

/** A faint figure with a dotted outline: it is planned. */
function dottedFigure(ctx, item, context) {
  const { layout, colours, outline } = context;
  faint(ctx, { ...item, lift: 0 }, context, PLANNED);
  ctx.strokeStyle = colours.mark;
  dotted(ctx, Math.max(0.04, 1.7 / layout.side));
  outline(ctx, item.mark);
  ctx.stroke();
}

const STYLES = { unsent: hatched, planned: dottedFigure };

export function piece(ctx, item, context) {
  const { layout, colours, figure } = context;
  const { x, y } = spotOf(item, layout);
  const size = layout.side * (item.scale ?? 1);
  ctx.globalAlpha = item.alpha ?? 1;
  ctx.translate(x, y);
  ctx.scale(size, size);
  const special = STYLES[item.style];
  if (special) special(ctx, item, context);
  else figure(ctx, item.mark, layout.side, colours, item.lift ?? 0);
}

function dashedPiece(ctx, item, { layout, colours, outline }, fill) {
  square(ctx, layout, item.square, (c, side) => {
    outline(c, item.mark);
    if (fill) {
      c.globalAlpha = 0.45;
      c.fillStyle = colours.chosen;
      c.fill();
      c.globalAlpha = 1;
    }
    c.strokeStyle = colours.mark;
    c.lineWidth = Math.max(0.035, 1.3 / side);
    c.setLineDash([0.08, 0.06]);
    c.stroke();
  });
}

/** Where the piece in the hand would stand. */
export function ghost(ctx, item, context) {
  dashedPiece(ctx, item, context, true);
}

/** A piece that a capture takes off. */
export function victim(ctx, item, context) {
  dashedPiece(ctx, item, context, false);
  const { layout, colours } = context;
  square(ctx, layout, item.square, (c, side) => {
    c.translate(0, item.mark === "W" ? 0.07 : 0);
    strokesCross(c, 0.095, Math.max(0.045, 1.4 / side), colours.mark);
  });
}

