/** The marks on squares: chosen, ticks, dots, crosses, wedges, badges. Units are squares. */

import { crispShare, direction, spike, square, stroke, strokesCross, TONES } from "./brush.js";
import { centreOf } from "./geometry.js";

/**
 * A line of round dots.
 *
 * @param {CanvasRenderingContext2D} c
 * @param {number} width
 */
export function dotted(c, width) {
  c.lineCap = "round";
  c.lineWidth = width;
  c.setLineDash([0, 2.1 * width]);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function chosen(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c) => {
    const half = 0.5;
    const width = crispShare(0.04, 1.5, layout);
    c.fillStyle = colours.chosen;
    c.fillRect(-half, -half, 1, 1);
    c.strokeStyle = colours.mark;
    c.lineWidth = width;
    if (item.style === "unsent") c.setLineDash([0.12, 0.1]);
    if (item.style === "planned") dotted(c, width * 1.5);
    c.strokeRect(-half + width / 2, -half + width / 2, 1 - width, 1 - width);
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function ticks(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const [edge, long] = [0.5 - 0.09, 0.22];
    c.strokeStyle = colours[TONES[item.tone]];
    c.lineWidth = item.bold ? Math.max(0.05, 1.6 / side) : Math.max(0.03, 1.2 / side);
    c.beginPath();
    for (const [x, y] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]) {
      c.moveTo(x * edge, y * (edge - long));
      c.lineTo(x * edge, y * edge);
      c.lineTo(x * (edge - long), y * edge);
    }
    c.stroke();
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function trail(ctx, item, { layout, colours }) {
  const { a, b, dx, dy } = direction(layout, item.start, item.end);
  const { side } = layout;
  const stop = 0.44 * side;
  const colour = colours[TONES[item.tone]];
  const dash = [0.11 * side, 0.09 * side];
  const end = [b.x - dx * stop, b.y - dy * stop];
  stroke(ctx, colour, Math.max(1, 0.03 * side), [[a.x, a.y], end], dash);
  if (!item.dot) return;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(a.x, a.y, 0.05 * side, 0, 2 * Math.PI);
  ctx.fill();
}

/**
 * Mark a square that a piece may go to; hollow while a turn is only planned.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function dot(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    c.fillStyle = c.strokeStyle = colours.mark;
    c.lineWidth = Math.max(0.03, 1.4 / side);
    c.beginPath();
    c.arc(0, 0, Math.max(0.085, 3.4 / side), 0, 2 * Math.PI);
    if (item.hollow) c.stroke();
    else c.fill();
  });
}

/**
 * A square that was counted: a small diamond in the colour of the side that owns it.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function owned(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const half = Math.max(0.16, 5 / side);
    const isLight = item.role === "white";
    c.fillStyle = isLight ? colours.lightFill : colours.darkFill;
    c.strokeStyle = isLight ? colours.lightLine : colours.darkHalo;
    c.lineWidth = Math.max(0.03, 1.2 / side);
    c.beginPath();
    c.moveTo(0, -half);
    c.lineTo(half, 0);
    c.lineTo(0, half);
    c.lineTo(-half, 0);
    c.closePath();
    c.fill();
    c.stroke();
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function cross(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    strokesCross(c, 0.08, Math.max(0.03, 1.2 / side), colours[TONES[item.tone]]);
  });
}

/**
 * A wedge grows out of the jaw towards the captured run: out of the wall or the capturing square.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function wedge(ctx, item, { layout, colours }) {
  const turned = layout.flipped ? Math.PI : 0;
  const angle = item.axis === "row" ? 0 : -Math.PI / 2;
  const inward = item.end === "low" ? 0 : Math.PI;
  square(ctx, layout, item.square, (c) => {
    c.rotate(angle + inward + turned);
    c.translate(-0.5, 0);
    c.fillStyle = colours.mark;
    spike(c, 0.68, 0.17 * item.close);
    c.fill();
  });
}

/**
 * A small round sign in a corner of the square, `x` and `y` -1 or 1, and what is drawn on it.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 * @param {{ x: number, y: number, least?: number, share?: number }} options
 * @param {(ctx: CanvasRenderingContext2D, radius: number) => void} paint
 */
export function sign(ctx, item, { layout }, { x, y, least = 6, share = 0.125 }, paint) {
  square(ctx, layout, item.square, (c, side) => {
    const r = Math.max(share, least / side);
    c.translate(x * (0.5 - r - 0.05), y * (0.5 - r - 0.05));
    c.lineCap = "round";
    c.lineJoin = "round";
    paint(c, r);
  });
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {number} r
 */
export function disc(c, r) {
  c.beginPath();
  c.arc(0, 0, r, 0, 2 * Math.PI);
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {...number[]} points
 */
function lines(c, ...points) {
  c.beginPath();
  points.forEach(([x, y], index) => (index ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.stroke();
}

/**
 * The tick of a piece that has stepped in this turn.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function badge(ctx, item, context) {
  const { colours } = context;
  sign(ctx, item, context, { x: 1, y: -1 }, (c, r) => {
    disc(c, r);
    c.fillStyle = colours.mark;
    c.fill();
    c.strokeStyle = colours.squareA;
    c.lineWidth = 0.26 * r;
    lines(c, [-0.45 * r, 0.02 * r], [-0.1 * r, 0.38 * r], [0.48 * r, -0.34 * r]);
  });
}

/**
 * A small clock: what lies here is planned, and goes when its time has come.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function clock(ctx, item, context) {
  const { colours } = context;
  sign(ctx, item, context, { x: -1, y: -1, least: 7, share: 0.14 }, (c, r) => {
    disc(c, r * 0.92);
    c.fillStyle = colours.squareA;
    c.fill();
    c.strokeStyle = colours.mark;
    c.lineWidth = 0.2 * r;
    c.stroke();
    lines(c, [0, -0.5 * r], [0, 0], [0.36 * r, 0.2 * r]);
  });
}

/**
 * Bold ticks and an arrow that rises: another tap on this square sends the turn.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function again(ctx, item, context) {
  const { colours } = context;
  ticks(ctx, { ...item, tone: "mark", bold: true }, context);
  sign(ctx, item, context, { x: 1, y: 1, least: 8, share: 0.16 }, (c, r) => {
    disc(c, r);
    c.fillStyle = colours.mark;
    c.fill();
    c.strokeStyle = colours.squareA;
    c.lineWidth = 0.22 * r;
    lines(c, [0, 0.5 * r], [0, -0.48 * r]);
    lines(c, [-0.4 * r, -0.06 * r], [0, -0.48 * r], [0.4 * r, -0.06 * r]);
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function dots(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c) => {
    for (let index = 0; index < 3; index += 1) {
      c.beginPath();
      c.arc((index - 1) * 0.14, 0.38, 0.045, 0, 2 * Math.PI);
      c.fillStyle = index === item.phase ? colours.squareA : colours.mark;
      c.fill();
      c.strokeStyle = colours.mark;
      c.lineWidth = 0.02;
      c.stroke();
    }
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function refusal(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    c.fillStyle = colours.squareA;
    c.beginPath();
    c.arc(0, 0, 0.3, 0, 2 * Math.PI);
    c.fill();
    c.strokeStyle = colours.mark;
    c.lineWidth = Math.max(0.045, 1.4 / side);
    c.stroke();
    strokesCross(c, 0.11, Math.max(0.055, 1.6 / side), colours.mark);
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} _item
 * @param {PaintContext} context
 */
export function veil(ctx, _item, { layout, colours }) {
  ctx.fillStyle = colours.veil;
  ctx.fillRect(0, 0, layout.width, layout.height);
}

/**
 * Two lines of whole device pixels inside the square, the outer one dark.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
export function focus(ctx, item, { layout, colours }) {
  const { x, y } = centreOf(layout, item.square);
  const width = Math.round(2 * layout.ratio) / layout.ratio;
  ctx.lineWidth = width;
  [colours.mark, colours.squareA].forEach((colour, index) => {
    const half = layout.side / 2 - width * (index + 0.5);
    ctx.strokeStyle = colour;
    ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
  });
}
