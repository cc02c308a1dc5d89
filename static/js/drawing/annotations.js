/** Painter of the arrows and circles that a person draws for himself. Loaded later. */

import { direction, square } from "./brush.js";

/** Lengths in squares: of an arrow from the centre it starts at, and of a circle. */
const BEGIN = 0.24;
const SHAFT = 0.07;
const HEAD = 0.36;
const HEAD_WIDTH = 0.22;
const RADIUS = 0.43;
const RING = 0.075;

/** The width of the halo on each side, in CSS pixels. */
const HALO_PX = 1.5;

/** Opacity of drawn annotations, which let the board show through, and of one that is being drawn. */
const STRENGTH = 0.88;
const PENDING = 0.6;

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Annotation} annotation
 */
function arrowPath(ctx, layout, { start, end }) {
  const { a, far, dx, dy } = direction(layout, start, end);
  const { side } = layout;
  ctx.translate(a.x, a.y);
  ctx.transform(dx, dy, -dy, dx, 0, 0);
  const [from, neck] = [BEGIN * side, far - HEAD * side];
  const [half, wide] = [SHAFT * side, HEAD_WIDTH * side];
  ctx.beginPath();
  ctx.moveTo(from, -half);
  ctx.lineTo(neck, -half);
  ctx.lineTo(neck, -wide);
  ctx.lineTo(far, 0);
  ctx.lineTo(neck, wide);
  ctx.lineTo(neck, half);
  ctx.lineTo(from, half);
  ctx.closePath();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 * @param {Annotation} annotation
 */
function arrow(ctx, layout, colours, annotation) {
  arrowPath(ctx, layout, annotation);
  ctx.lineJoin = "round";
  ctx.lineWidth = 2 * HALO_PX;
  ctx.strokeStyle = colours.annotationHalo;
  ctx.fillStyle = colours.annotation;
  ctx.stroke();
  ctx.fill();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 * @param {Annotation} annotation
 */
function circle(ctx, layout, colours, { start }) {
  square(ctx, layout, start, (c, side) => {
    c.beginPath();
    c.arc(0, 0, RADIUS, 0, 2 * Math.PI);
    for (const [colour, width] of /** @type {const} */ ([
      [colours.annotationHalo, RING + (2 * HALO_PX) / side],
      [colours.annotation, RING],
    ])) {
      c.strokeStyle = colour;
      c.lineWidth = width;
      c.stroke();
    }
  });
}

/**
 * Draws annotations above the scene, `pending` (the one that is being drawn, or null) fainter.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {readonly Annotation[]} annotations
 * @param {{ layout: Layout, colours: Palette, pending: Annotation | null }} options
 */
export function drawAnnotations(ctx, annotations, { layout, colours, pending }) {
  /** @type {(annotation: Annotation, alpha: number) => void} */
  const draw = (annotation, alpha) => {
    ctx.save();
    ctx.globalAlpha = alpha;
    const paint = annotation.start === annotation.end ? circle : arrow;
    paint(ctx, layout, colours, annotation);
    ctx.restore();
  };
  for (const annotation of annotations) draw(annotation, STRENGTH);
  if (pending) draw(pending, PENDING);
}
