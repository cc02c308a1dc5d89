/** Figures of the games: pieces, and troops as staff-map blocks (3 to 2). */

import { familyOf } from "../lib/game-words.js";
import { onSettings, setting } from "../lib/settings.js";
import { fitCanvas } from "./canvas.js";
import { drawPiece, paintLayers } from "./paint.js";
import { palette, repaintAll } from "./palette.js";
import { SHAPES } from "./shapes.js";

/** The name of the shown figures of Amazons; figure-sets.js has the others. */
let shown = "bows";

/** @type {Record<string, Figures>} */
let sets = {};

/** Shows the chosen figures; without a network the present ones stay. */
async function followSetting() {
  if (setting("figures") === shown) return;
  try {
    if (setting("figures") !== "bows") sets = (await import("./figure-sets.js")).FIGURE_SETS;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return;
  }
  shown = setting("figures");
  repaintAll();
}

/** Resolves when the figures that are chosen can be drawn. */
export const figuresReady = followSetting();

onSettings(followSetting);

/**
 * The two figures {W, B} of a family of games, as this device shows them.
 *
 * @param {string} family
 */
export function figuresOf(family) {
  return (family === "amazons" ? sets[shown] : undefined) ?? SHAPES.figures[family];
}

/**
 * Draws the block of `role` into a box {x, y, width}; its height is two thirds of its width.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Box} box
 * @param {Role} role
 * @param {Palette} colours
 */
export function drawBlock(ctx, { x, y, width }, role, colours) {
  ctx.save();
  ctx.translate(x + width / 2, y + width / 3);
  ctx.scale(width, width);
  paintLayers(ctx, SHAPES.figures.blotto[role === "white" ? "W" : "B"], width, colours);
  ctx.restore();
}

/**
 * Draws the figure of a role on a canvas that the style sheet has given its size.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {string} key
 * @param {Role} role
 */
export function drawFigure(canvas, key, role) {
  const { ctx, width, height } = fitCanvas(canvas);
  if (familyOf(key) === "blotto") {
    const block = Math.min(33, 0.75 * width);
    const box = { x: (width - block) / 2, y: (height - (block * 2) / 3) / 2, width: block };
    drawBlock(ctx, box, role, palette());
    return;
  }
  const side = Math.min(width, height) * 0.98;
  ctx.translate(width / 2, height / 2);
  ctx.scale(side, side);
  drawPiece(ctx, figuresOf(familyOf(key))[role === "white" ? "W" : "B"], side, palette());
}
