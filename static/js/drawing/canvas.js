/** Canvases: their context, and their size on this screen. */

import { required } from "../lib/required.js";

/**
 * Returns the 2D context of a canvas; TypeError where the browser has none to give.
 *
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  return required(canvas.getContext("2d"), "a 2D context");
}

/**
 * Fits a canvas to its size in device pixels; gives its context in CSS pixels, cleared, with its size.
 *
 * @param {HTMLCanvasElement} canvas
 */
export function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = contextOf(canvas);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { ctx, width, height };
}
