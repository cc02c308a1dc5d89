/** Small boards for lists: a position without hints and coordinates, with the last action. */

import { sizeOf } from "../board/occupancy.js";
import { sceneOf } from "../board/scene.js";
import { fitCanvas } from "../drawing/canvas.js";
import { drawScene } from "../drawing/draw.js";
import { drawBlock, figuresOf } from "../drawing/figure.js";
import { layoutOf } from "../drawing/geometry.js";
import { drawGround } from "../drawing/ground.js";
import { onPaletteChange, palette } from "../drawing/palette.js";
import { drawTerrain, drawUnknown } from "../drawing/terrain.js";
import { familyOf } from "../lib/game-words.js";
import { MINI, ranks } from "../troops/layout.js";

/** @type {Omit<Look, "key" | "view" | "last" | "burns">} */
const STILL = {
  draft: null,
  sent: null,
  active: false,
  planning: false,
  planned: false,
  again: null,
  hover: null,
  drag: null,
  dots: null,
  refused: [],
  veiled: false,
  over: false,
  focus: null,
  flipped: false,
  moment: [],
};

/**
 * The newest burnt squares that the last steps tell of; older ones have no order here.
 *
 * @param {Wire.ResolvedStep[]} last
 */
function burnsOf(last) {
  return last.flatMap(({ effects }) =>
    effects
      .filter(({ kind }) => kind === "place")
      .map((effect) => /** @type {Wire.Place} */ (effect).at),
  );
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ key: string, view: Wire.BoardView, last: Wire.ResolvedStep[], look: Partial<Look> }} game
 */
function drawBoard(canvas, { key, view, last, look: more }) {
  const { ctx, width, height } = fitCanvas(canvas);
  const { columns, rows } = sizeOf(view);
  const wall = familyOf(key) === "pincer";
  const layout = {
    ...layoutOf({
      width,
      height,
      ratio: window.devicePixelRatio || 1,
      columns,
      rows,
      margin: wall ? 0.054 * width : 0,
      fills: !wall,
    }),
    surround: wall ? "wall" : "none",
    inside: false,
    bare: true,
    sans: palette().sans,
  };
  drawGround(ctx, layout, palette());
  const look = { ...STILL, key, view, last, burns: burnsOf(last), ...more };
  const figure = figuresOf(familyOf(key));
  drawScene(ctx, sceneOf(look), { layout, colours: palette(), figure });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} field
 * @param {Size & { x: number }} box
 * @param {Wire.ByRole<number[]> | undefined} split of black empty if it is not known
 */
function drawPlot(ctx, field, box, split) {
  const colours = palette();
  ctx.save();
  ctx.translate(box.x, 0);
  ctx.beginPath();
  ctx.roundRect(0, 0, box.width, box.height, 2);
  ctx.clip();
  ctx.fillStyle = colours.squareA;
  ctx.fillRect(0, 0, box.width, box.height);
  drawTerrain(ctx, field, box, colours);
  const front = Math.round(box.height / 2);
  if (split) {
    const room = front - 4;
    if (split.black.length > 0) {
      const far = ranks(box.width, split.black[field], front - 4, -1, room, MINI).reverse();
      far.forEach((at) => drawBlock(ctx, at, "black", colours));
    } else drawUnknown(ctx, { width: box.width, height: front }, colours);
    const near = ranks(box.width, split.white[field], front + 5, 1, room - 1, MINI);
    near.forEach((at) => drawBlock(ctx, at, "white", colours));
    ctx.lineWidth = 1.4;
    ctx.lineCap = "round";
  } else drawUnknown(ctx, { width: box.width, height: front }, colours);
  ctx.strokeStyle = colours.mark;
  ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.moveTo(0, front);
  ctx.lineTo(box.width, front);
  ctx.stroke();
  ctx.restore();
}

/**
 * The three fields with the newest round that is over; before it, with nothing on them.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{ view: Wire.SplitView }} game
 */
function drawFields(canvas, { view }) {
  const { ctx, width, height } = fitCanvas(canvas);
  const gap = Math.max(3, Math.round(0.03 * width));
  const plot = (width - gap * (view.fields - 1)) / view.fields;
  ctx.fillStyle = getComputedStyle(canvas).backgroundColor; // a recording has no style sheet
  ctx.fillRect(0, 0, width, height);
  for (let field = 0; field < view.fields; field += 1) {
    const box = { x: field * (plot + gap), width: plot, height };
    drawPlot(ctx, field, box, view.splits.at(-1));
  }
}

/** @type {Map<HTMLCanvasElement, { key: string, view: Wire.View, last: Wire.ResolvedStep[], look: Partial<Look> }>} */
const shown = new Map();

let listening = false;

/** @param {HTMLCanvasElement} canvas */
function paint(canvas) {
  if (!canvas.isConnected) {
    shown.delete(canvas);
    sizes.unobserve(canvas);
    return;
  }
  if (canvas.clientWidth === 0 || canvas.clientHeight === 0) return;
  const game = shown.get(canvas);
  if (game === undefined) return;
  const { key, view, last, look } = game;
  if (view.board === undefined) drawFields(canvas, { view });
  else drawBoard(canvas, { key, view, last, look });
}

/** @type {Set<HTMLCanvasElement>} */
const waiting = new Set();

/** One picture a frame: between two of them the page can answer. */
function paintNext() {
  const [canvas] = waiting;
  waiting.delete(canvas);
  paint(canvas);
  if (waiting.size > 0) requestAnimationFrame(paintNext);
}

/** @param {HTMLCanvasElement} canvas */
function paintSoon(canvas) {
  if (waiting.size === 0) requestAnimationFrame(paintNext);
  waiting.add(canvas);
}

const sizes = new ResizeObserver((entries) =>
  entries.forEach(({ target }) => paintSoon(/** @type {HTMLCanvasElement} */ (target))),
);

/**
 * Draws a game {key, view, last} on a canvas that the stylesheet has given its size, and again when
 * size or theme change, for as long as the canvas is on the page. Call it again with a newer game.
 * `look`: what else the picture shows of a board, such as a draft.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{ key: string, view: Wire.View, last?: Wire.ResolvedStep[], look?: Partial<Look> }} game
 */
export function drawThumbnail(canvas, { key, view, last = [], look = {} }) {
  const known = shown.has(canvas);
  shown.set(canvas, { key, view, last, look });
  if (!listening) onPaletteChange(() => [...shown.keys()].forEach(paintSoon));
  listening = true;
  if (known) paintSoon(canvas);
  else sizes.observe(canvas);
}
