/** Paints the shapes of shapes.js on a canvas whose unit is a square around its centre. */

const LIFT = { up: 0.03, ellipse: 0.04, offset: 0.02 };

/** @type {ShapeLength} */
const HAIRLINE = [0, 0, 1];

/** @type {Map<string, Path2D>} */
const parsed = new Map();

/**
 * The Path2D of SVG path data; every path is parsed once.
 *
 * @param {string} data
 */
export function pathOf(data) {
  const known = parsed.get(data) ?? new Path2D(data);
  parsed.set(data, known);
  return known;
}

/**
 * A length {base, share, pixels} of shapes.js in squares, for a square of `side` CSS pixels.
 *
 * @param {ShapeLength} length
 * @param {number} side
 */
function lengthOf([base, share, pixels], side) {
  return base + Math.max(share, pixels / side);
}

/**
 * Draws one layer; `paths` holds the path data by name, `shape` may stand in for the layer's path.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layer} layer
 * @param {Paths} paths
 * @param {number} side
 * @param {Palette} colours
 * @param {Path2D} [shape]
 */
export function paintLayer(ctx, layer, paths, side, colours, shape = pathOf(paths[layer.path])) {
  const { fill, stroke, width = HAIRLINE, cap = "round", dash, opacity = 1, down } = layer;
  ctx.save();
  ctx.globalAlpha *= opacity;
  if (down) ctx.translate(0, lengthOf(down, side));
  if (fill) {
    ctx.fillStyle = colours[fill];
    ctx.fill(shape);
  }
  if (stroke) {
    ctx.strokeStyle = colours[stroke];
    ctx.lineWidth = lengthOf(width, side);
    ctx.lineCap = cap;
    ctx.lineJoin = "round";
    if (dash) ctx.setLineDash(dash);
    ctx.stroke(shape);
  }
  ctx.restore();
}

/**
 * The pixels of the screen to a CSS pixel: details are drawn where the screen can show them.
 */
export const pixelRatio = () => globalThis.devicePixelRatio || 1;

/**
 * Returns the layers that a square of `pixels` device pixels has room for.
 *
 * @param {readonly Layer[]} layers
 * @param {number} pixels
 */
export function layersFor(layers, pixels) {
  return layers.filter(({ from = 0, below = Infinity }) => pixels >= from && pixels < below);
}

/**
 * Draws the layers of a shape that a square of `side` CSS pixels has room for on this screen.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Pick<Figure, "layers" | "paths">} figure
 * @param {number} side
 * @param {Palette} colours
 */
export function paintLayers(ctx, { layers, paths }, side, colours) {
  for (const layer of layersFor(layers, side * pixelRatio())) {
    paintLayer(ctx, layer, paths, side, colours);
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Figure} figure
 * @param {number} lift
 */
function paintShadow(ctx, figure, lift) {
  const { ellipse, offset = 0, opacity } = figure.shadow;
  ctx.save();
  ctx.fillStyle = `rgb(0 0 0 / ${100 * opacity}%)`;
  if (ellipse) {
    const [x, y, rx, ry] = ellipse;
    const grown = LIFT.ellipse * lift;
    ctx.beginPath();
    ctx.ellipse(x, y + grown, rx + grown, ry + grown / 3, 0, 0, 2 * Math.PI);
    ctx.fill();
  } else {
    const away = offset + LIFT.offset * lift;
    ctx.translate(away, away);
    ctx.fill(outlineOf(figure));
  }
  ctx.restore();
}

/**
 * Draws a figure with its shadow, `lift` 0 (on the board) to 1 (in the hand) above it.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Figure} figure
 * @param {number} side
 * @param {Palette} colours
 * @param {number} [lift]
 */
export function drawPiece(ctx, figure, side, colours, lift = 0) {
  paintShadow(ctx, figure, lift);
  ctx.translate(0, -LIFT.up * lift);
  paintLayers(ctx, figure, side, colours);
}

/**
 * The outline of a figure, as a Path2D to be drawn as a line.
 *
 * @param {Pick<Figure, "outline" | "paths">} figure
 */
export function outlineOf({ outline, paths }) {
  return pathOf(outline.map((name) => paths[name]).join(""));
}
