/** Draws the items of a scene: one painter for each kind. Units are CSS pixels. */

import { aim, diamond, flight, keep, keeping, plannedShot, unsentShot } from "./arrows.js";
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
  owned,
  refusal,
  ticks,
  trail,
  veil,
  wedge,
} from "./marks.js";
import { ghost, piece, victim } from "./pieces.js";
import { blocked, trapped } from "./trapped.js";

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {PaintContext} context
 */
function burnt(ctx, item, { layout, colours }) {
  ctx.translate(item.shift ?? 0, 0);
  square(ctx, layout, item.square, (c, side) => drawBurnt(c, item, colours, side));
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} _item
 * @param {PaintContext} context
 */
function coordinates(ctx, _item, { layout, colours, isBurnt }) {
  if (layout.inside) insideText(ctx, layout, colours, isBurnt);
}

/** @type {Record<string, Painter>} */
const PAINTERS = {
  ...{
    chosen,
    owned,
    ticks,
    burnt,
    trail,
    dot,
    diamond,
    keep,
    keeping,
    piece,
    ghost,
    victim,
    cross,
    wedge,
  },
  ...{ badge, clock, again, flight, aim, unsentShot, plannedShot, dots, refusal, veil, focus },
  ...{ blocked, trapped },
  coordinates,
};

/**
 * Draws a scene on its ground. `context`: {layout, colours, figure}; `figure` is the pair {W, B}.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {SceneItem[]} items
 * @param {Omit<PaintContext, "isBurnt">} context
 */
export function drawScene(ctx, items, context) {
  const charred = new Set();
  for (const item of items) if (item.kind === "burnt") charred.add(item.square);
  /** @type {PaintContext} */
  const all = { ...context, isBurnt: (name) => charred.has(name) };
  for (const item of items) {
    ctx.save();
    PAINTERS[item.kind](ctx, /** @type {PaintItem} */ (item), all); // each kind brings what it needs
    ctx.restore();
  }
}
