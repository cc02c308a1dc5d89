/** Draws the items of a scene: one painter for each kind. Units are CSS pixels. */

import { centreOf } from "./geometry.js";
import { drawArcher } from "./archers.js";
import { drawBurnt } from "./burnt.js";
import { drawPincer, outlineOf, spike } from "./pincers.js";
import { insideText } from "./ground.js";

const TONES = { trail: "trail", mark: "mark", fire: "fire" };

function square(ctx, layout, name, paint) {
  const { x, y } = centreOf(layout, name);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(layout.side, layout.side);
  paint(ctx, layout.side);
  ctx.restore();
}

function direction(layout, from, to) {
  const [a, b] = [centreOf(layout, from), centreOf(layout, to)];
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { a, b, far, dx: (b.x - a.x) / far, dy: (b.y - a.y) / far };
}

function stroke(ctx, colour, width, points, dash = []) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.stroke();
  ctx.setLineDash([]);
}

function chosen(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const half = 0.5;
    const width = Math.max(0.04, 1.5 / side);
    c.fillStyle = colours.chosen;
    c.fillRect(-half, -half, 1, 1);
    c.strokeStyle = colours.mark;
    c.lineWidth = width;
    c.strokeRect(-half + width / 2, -half + width / 2, 1 - width, 1 - width);
  });
}

function ticks(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const [edge, long] = [0.5 - 0.09, 0.22];
    c.strokeStyle = colours[TONES[item.tone]];
    c.lineWidth = item.bold ? Math.max(0.05, 1.6 / side) : Math.max(0.03, 1.2 / side);
    c.beginPath();
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      c.moveTo(x * edge, y * (edge - long));
      c.lineTo(x * edge, y * edge);
      c.lineTo(x * (edge - long), y * edge);
    }
    c.stroke();
  });
}

function burnt(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => drawBurnt(c, item, colours, side));
}

function trail(ctx, item, { layout, colours }) {
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

function dot(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    c.fillStyle = colours.mark;
    c.beginPath();
    c.arc(0, 0, Math.max(0.085, 3.4 / side), 0, 2 * Math.PI);
    c.fill();
  });
}

function rhombus(c, half) {
  c.beginPath();
  c.moveTo(0, -half);
  c.lineTo(half, 0);
  c.lineTo(0, half);
  c.lineTo(-half, 0);
  c.closePath();
}

function diamond(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const half = Math.max(0.135, 4.6 / side);
    c.strokeStyle = colours.fire;
    c.fillStyle = colours.fire;
    c.lineWidth = Math.max(0.035, 1.3 / side);
    rhombus(c, half);
    c.stroke();
    c.beginPath();
    c.arc(0, 0, Math.max(0.03, 1.1 / side), 0, 2 * Math.PI);
    c.fill();
  });
}

/** The square that means "no arrow": a dashed ring round an arrow at rest, in mark, not in fire. */
function keep(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
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
  });
}

function keeping(ctx, item, context) {
  keep(ctx, { ...item, square: item.at }, context);
}

function spotOf(item, layout) {
  if (item.point) return { x: item.point.x, y: item.point.y };
  const end = centreOf(layout, item.square);
  if (item.move === undefined) return { x: end.x + (item.shift ?? 0), y: end.y };
  const start = centreOf(layout, item.start);
  const along = (from, to) => from + (to - from) * item.move;
  return { x: along(start.x, end.x), y: along(start.y, end.y) };
}

function piece(ctx, item, { layout, colours, figure }) {
  const { x, y } = spotOf(item, layout);
  const size = layout.side * (item.scale ?? 1);
  ctx.save();
  ctx.globalAlpha = item.alpha ?? 1;
  ctx.translate(x, y);
  ctx.scale(size, size);
  figure(ctx, item.mark, layout.side, colours, item.lift ?? 0);
  ctx.restore();
}

function dashedPiece(ctx, item, { layout, colours }, fill) {
  square(ctx, layout, item.square, (c, side) => {
    outlineOf(c, item.mark);
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

function ghost(ctx, item, context) {
  dashedPiece(ctx, item, context, true);
}

function strokesCross(c, half, width, colour) {
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

function victim(ctx, item, context) {
  dashedPiece(ctx, item, context, false);
  const { layout, colours } = context;
  square(ctx, layout, item.square, (c, side) => {
    c.translate(0, item.mark === "W" ? 0.07 : 0);
    strokesCross(c, 0.095, Math.max(0.045, 1.4 / side), colours.mark);
  });
}

function cross(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    strokesCross(c, 0.08, Math.max(0.03, 1.2 / side), colours[TONES[item.tone]]);
  });
}

/** A wedge grows out of the jaw towards the captured run: out of the wall or the capturing square. */
function wedge(ctx, item, { layout, colours }) {
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

function badge(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => {
    const r = Math.max(0.125, 6 / side);
    c.translate(0.5 - r - 0.05, -0.5 + r + 0.05);
    c.fillStyle = colours.mark;
    c.beginPath();
    c.arc(0, 0, r, 0, 2 * Math.PI);
    c.fill();
    c.strokeStyle = colours.squareA;
    c.lineWidth = 0.26 * r;
    c.lineCap = "round";
    c.lineJoin = "round";
    c.beginPath();
    c.moveTo(-0.45 * r, 0.02 * r);
    c.lineTo(-0.1 * r, 0.38 * r);
    c.lineTo(0.48 * r, -0.34 * r);
    c.stroke();
  });
}

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

/** The way of an arrow; `length` is the share of it that has been flown. */
function flight(ctx, item, { layout, colours }) {
  const way = direction(layout, item.start, item.at);
  const { a, far, dx, dy } = way;
  const { side } = layout;
  const begin = 0.42 * side;
  const reach = begin + (far - begin) * item.length;
  const [x, y] = [a.x + dx * begin, a.y + dy * begin];
  const [tx, ty] = [a.x + dx * reach, a.y + dy * reach];
  const width = Math.max(1.4, 0.028 * side);
  stroke(ctx, colours.ember, width, [[x, y], [tx, ty]]);
  fletching(ctx, x, y, way, side);
  const barb = 0.13 * side;
  ctx.fillStyle = colours.ember;
  ctx.beginPath();
  ctx.moveTo(tx, ty);
  ctx.lineTo(tx - dx * barb - dy * barb * 0.42, ty - dy * barb + dx * barb * 0.42);
  ctx.lineTo(tx - dx * barb * 0.7, ty - dy * barb * 0.7);
  ctx.lineTo(tx - dx * barb + dy * barb * 0.42, ty - dy * barb - dx * barb * 0.42);
  ctx.closePath();
  ctx.fill();
}

function aim(ctx, item, { layout, colours }) {
  const { a, b, dx, dy } = direction(layout, item.start, item.at);
  const { side } = layout;
  const width = Math.max(1.3, 0.035 * side);
  const from = [a.x + dx * 0.46 * side, a.y + dy * 0.46 * side];
  const to = [b.x - dx * 0.36 * side, b.y - dy * 0.36 * side];
  stroke(ctx, colours.fire, width, [from, to], [0.09 * side, 0.07 * side]);
  square(ctx, layout, item.at, (c) => {
    c.strokeStyle = colours.fire;
    c.lineWidth = width / side;
    rhombus(c, 0.36);
    c.stroke();
  });
  diamond(ctx, { square: item.at }, { layout, colours });
}

function dots(ctx, item, { layout, colours }) {
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

function refusal(ctx, item, { layout, colours }) {
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

function veil(ctx, item, { layout, colours }) {
  ctx.fillStyle = colours.veil;
  ctx.fillRect(0, 0, layout.width, layout.height);
}

function focus(ctx, item, { layout, colours }) {
  const { x, y } = centreOf(layout, item.square);
  const half = layout.side / 2;
  ctx.lineWidth = 2;
  ctx.strokeStyle = colours.mark;
  ctx.strokeRect(x - half + 1, y - half + 1, 2 * half - 2, 2 * half - 2);
  ctx.strokeStyle = colours.squareA;
  ctx.strokeRect(x - half + 3, y - half + 3, 2 * half - 6, 2 * half - 6);
}

function coordinates(ctx, item, { layout, colours, isBurnt }) {
  if (layout.inside) insideText(ctx, layout, colours, isBurnt);
}

const PAINTERS = {
  chosen, ticks, burnt, trail, dot, diamond, keep, keeping, piece, ghost, victim, cross, wedge, badge,
  flight, aim, dots, refusal, veil, focus, coordinates,
};

export const FIGURES = { amazons: drawArcher, pincer: drawPincer };

/** Draws a scene on its ground. `context`: {layout, colours, figure}. */
export function drawScene(ctx, items, context) {
  const charred = new Set();
  for (const item of items) if (item.kind === "burnt") charred.add(item.square);
  const all = { ...context, isBurnt: (name) => charred.has(name) };
  for (const item of items) {
    ctx.save();
    PAINTERS[item.kind](ctx, item, all);
    ctx.restore();
  }
}

