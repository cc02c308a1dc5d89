/** Draws the items of a scene: one painter for each kind. Units are CSS pixels. */

import { drawArcher, outlineArcher } from "./archers.js";
import { square } from "./brush.js";
import { drawBurnt } from "./burnt.js";
import { insideText } from "./ground.js";
import {
  again,
  badge,
  chosen,
  clock,
  cross,
  dot,
  dots,
  focus,
  refusal,
  ticks,
  trail,
  veil,
  wedge,
} from "./marks.js";
import { ghost, piece, victim } from "./pieces.js";
import { drawPincer, outlineOf } from "./pincers.js";
import { aim, diamond, flight, keep, keeping, plannedShot, unsentShot } from "./shots.js";

function burnt(ctx, item, { layout, colours }) {
  square(ctx, layout, item.square, (c, side) => drawBurnt(c, item, colours, side));
}

function coordinates(ctx, item, { layout, colours, isBurnt }) {
  if (layout.inside) insideText(ctx, layout, colours, isBurnt);
}

const PAINTERS = {
  ...{ chosen, ticks, burnt, trail, dot, diamond, keep, keeping, piece, ghost, victim, cross, wedge },
  ...{ badge, clock, again, flight, aim, unsentShot, plannedShot, dots, refusal, veil, focus },
  coordinates,
};

const OUTLINES = new Map([
  [drawArcher, outlineArcher],
  [drawPincer, outlineOf],
]);

/** Draws a scene on its ground. `context`: {layout, colours, figure}. */
export function drawScene(ctx, items, context) {
  const charred = new Set();
  for (const item of items) if (item.kind === "burnt") charred.add(item.square);
  const outline = OUTLINES.get(context.figure);
  const all = { ...context, outline, isBurnt: (name) => charred.has(name) };
  for (const item of items) {
    ctx.save();
    PAINTERS[item.kind](ctx, item, all);
    ctx.restore();
  }
}
