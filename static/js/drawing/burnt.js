/** Burnt squares: embers at first, then rust, then flat. A square always has the same tile. */

import { placeOf } from "./geometry.js";
import { paintLayer, paintLayers, pixelRatio } from "./paint.js";
import { SHAPES } from "./shapes.js";

/** A square of fewer device pixels shows a plain tile. */
const SMALL = 16;
const { tiles, forms, layers, flat, glow, rims } = SHAPES.burnt;

/** @type {(seam: Seam) => string} */
const seamPath = ([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`;
const PATHS = tiles.map((tile) => ({ ...tile, seams: tile.seams.map(seamPath).join("") }));

/**
 * The number of a square's look: its tile in the upper two bits, its form in the lower two.
 *
 * @param {Square} square
 */
export function lookOf(square) {
  const { x, y } = placeOf(square);
  return (5 * x + 7 * y) % 16;
}

/**
 * Seams that have grown to a share of their length, as a Path2D.
 *
 * @param {Seam[]} seams
 * @param {number} share
 */
function growing(seams, share) {
  const path = new Path2D();
  for (const [x1, y1, x2, y2] of seams) {
    path.moveTo(x1, y1);
    path.lineTo(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share);
  }
  return path;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {Palette} colours
 */
function small(ctx, item, colours) {
  ctx.fillStyle = item.heat === "flat" ? colours.charOld : colours.char;
  ctx.fillRect(-0.42, -0.42, 0.84, 0.84);
  if (item.heat === "flat") return;
  ctx.strokeStyle = item.heat === "ember" ? colours.ember : colours.ash;
  ctx.lineWidth = 0.09;
  ctx.strokeRect(-0.375, -0.375, 0.75, 0.75);
}

/**
 * Draws a burnt square; origin at its centre, the unit is the square.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {PaintItem} item
 * @param {Palette} colours
 * @param {number} side
 */
export function drawBurnt(ctx, item, colours, side) {
  if (side * pixelRatio() < SMALL) {
    small(ctx, item, colours);
    return;
  }
  const look = lookOf(item.square);
  const paths = PATHS[look >> 2];
  ctx.scale(item.grow, item.grow);
  ctx.transform(...forms[look & 3], 0, 0);
  if (item.heat === "flat") {
    paintLayers(ctx, { layers: flat, paths }, side, colours);
    return;
  }
  paintLayers(ctx, { layers, paths }, side, colours);
  if (item.heat === "ember") {
    if (item.seams > 0) {
      const seams = growing(tiles[look >> 2].seams, item.seams);
      paintLayer(ctx, glow, paths, side, colours, seams);
    }
    paintLayer(ctx, { ...rims.ember, opacity: item.edge }, paths, side, colours);
    return;
  }
  paintLayer(ctx, rims[item.heat], paths, side, colours);
  if (item.cooling <= 0) return;
  for (const layer of [glow, rims.ember]) {
    paintLayer(ctx, { ...layer, opacity: item.cooling }, paths, side, colours);
  }
}
