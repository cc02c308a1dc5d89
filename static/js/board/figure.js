/** One figure of a game on a small canvas, for strips and lists. */

import { drawBlock } from "../troops/blocks.js";
import { drawArcher } from "./archers.js";
import { palette } from "./palette.js";
import { drawPincer } from "./pincers.js";
import { familyOf } from "./speech.js";

/** What draws a piece, by the family of the game. */
export const FIGURES = { amazons: drawArcher, pincer: drawPincer };

/** Makes a canvas as crisp as its screen; gives its context in CSS pixels, cleared, with its size. */
export function crisp(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { ctx, width, height };
}

export function drawFigure(canvas, key, role) {
  const { ctx, width, height } = crisp(canvas);
  const mark = role === "white" ? "W" : "B";
  if (familyOf(key) === "blotto") {
    const block = Math.min(33, 0.75 * width);
    const box = { x: (width - block) / 2, y: (height - (block * 2) / 3) / 2, width: block };
    drawBlock(ctx, box, role, palette());
    return;
  }
  const side = Math.min(width, height) * 0.98;
  ctx.translate(width / 2, height / 2);
  ctx.scale(side, side);
  FIGURES[familyOf(key)](ctx, mark, side, palette(), 0);
}
