/** Figures of the games: pieces, and troops as staff-map blocks (3 to 2). */

import { familyOf } from "../lib/game-words.js";
import { fitCanvas } from "./canvas.js";
import { drawPiece, paintLayers } from "./paint.js";
import { palette } from "./palette.js";
import { SHAPES } from "./shapes.js";

/** The two figures {W, B} of a family of games. */
export const FIGURES = SHAPES.figures;

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
  drawPiece(ctx, FIGURES[familyOf(key)][role === "white" ? "W" : "B"], side, palette());
}
