/** Small pictures of the choices of settings, drawn by the painters of the boards. Loaded later. */

import { fitCanvas } from "../drawing/canvas.js";
import { drawScene } from "../drawing/draw.js";
import { figuresOf } from "../drawing/figure.js";
import { FIGURE_SETS } from "../drawing/figure-sets.js";
import { layoutOf } from "../drawing/geometry.js";
import { drawGround } from "../drawing/ground.js";
import { onPaletteChange, palette, readPalette } from "../drawing/palette.js";
import { SHAPES } from "../drawing/shapes.js";
import { makeElement } from "../lib/dom.js";

/** @typedef {{ ctx: CanvasRenderingContext2D, width: number, height: number }} Paper */

/**
 * Draws a small board.
 *
 * @param {Paper} paper
 * @param {{ columns: number, rows: number, colours: Palette, figure: Figures }} look
 * @param {SceneItem[]} items
 */
function drawBoard({ ctx, width, height }, { columns, rows, colours, figure }, items) {
  const ratio = window.devicePixelRatio || 1;
  const layout = {
    ...layoutOf({ width, height, ratio, columns, rows, fills: true }),
    surround: "none",
    inside: false,
    bare: true,
    sans: colours.sans,
  };
  drawGround(ctx, layout, colours);
  drawScene(ctx, items, { layout, colours, figure });
}

/** @type {Omit<SceneItem, "square" | "heat">} */
const BURNT = { layer: "burnt", kind: "burnt", grow: 1, seams: 1, edge: 1, cooling: 0 };

/**
 * A board of two rows: both sides, an older burnt square and the newest one, targets of a move and of
 * an arrow.
 *
 * @type {SceneItem[]}
 */
const SAMPLE = [
  { ...BURNT, square: "b2", heat: "flat" },
  { ...BURNT, square: "d1", heat: "ember" },
  { layer: "hint", kind: "dot", square: "b1" },
  { layer: "hint", kind: "diamond", square: "c2" },
  { layer: "piece", kind: "piece", mark: "W", square: "a1" },
  { layer: "piece", kind: "piece", mark: "B", square: "d2" },
];

/**
 * @param {Paper} paper
 * @param {string} _value
 * @param {HTMLElement} label
 */
function drawGroundChoice(paper, _value, label) {
  const look = { columns: 4, rows: 2, colours: readPalette(label), figure: figuresOf("amazons") };
  drawBoard(paper, look, SAMPLE);
}

/**
 * @param {Paper} paper
 * @param {string} value
 */
function drawFiguresChoice(paper, value) {
  const figure = FIGURE_SETS[value] ?? SHAPES.figures.amazons;
  drawBoard(paper, { columns: 2, rows: 1, colours: palette(), figure }, [
    { layer: "piece", kind: "piece", mark: "W", square: "a1" },
    { layer: "piece", kind: "piece", mark: "B", square: "b1" },
  ]);
}

/**
 * Opacity of the traces of a piece, from its start on; two for a slow motion, one for a quick one.
 *
 * @type {Record<string, number[]>}
 */
const TRACES = { full: [0.18, 0.3, 0.5], quick: [0.3], off: [] };

/**
 * A piece and the traces of its slide; for the system's choice a screen around it.
 *
 * @param {Paper} paper
 * @param {string} value
 */
function drawMotionChoice(paper, value) {
  const look = { columns: 2, rows: 1, colours: palette(), figure: figuresOf("amazons") };
  /** @type {SceneItem} */
  const piece = { layer: "piece", kind: "piece", mark: "W", square: "b1" };
  if (value === "system") {
    const point = { x: paper.width / 2, y: 0.44 * paper.height };
    drawBoard(paper, look, [{ ...piece, point, scale: 0.62 }]);
    drawScreen(paper);
    return;
  }
  const traces = TRACES[value];
  const items = traces.map((alpha, index) => {
    return { ...piece, start: "a1", move: index / traces.length, alpha };
  });
  drawBoard(paper, look, [...items, piece]);
}

/** @param {Paper} paper */
function drawScreen({ ctx, width, height }) {
  ctx.strokeStyle = palette().mark;
  ctx.lineWidth = 2;
  ctx.lineJoin = "round";
  const [w, h] = [0.5 * width, 0.78 * height];
  ctx.strokeRect((width - w) / 2, 0.04 * height + 1, w, h);
  ctx.beginPath();
  ctx.moveTo(width / 2, h + 0.04 * height);
  ctx.lineTo(width / 2, height - 3);
  ctx.moveTo(0.36 * width, height - 3);
  ctx.lineTo(0.64 * width, height - 3);
  ctx.stroke();
}

/**
 * A page in outline: header, board, panel; in zen mode the board and two names.
 *
 * @param {Paper} paper
 * @param {string} value
 */
function drawZenChoice({ ctx, width, height }, value) {
  const { paper, squareA, squareB, mark, edge } = palette();
  const isOn = value === "on";
  ctx.fillStyle = paper;
  ctx.fillRect(0, 0, width, height);
  const top = isOn ? 4 : 11;
  const side = (height - top - 4) / 4;
  const left = isOn ? width / 2 - 3 * side : 6;
  for (let at = 0; at < 16; at += 1) {
    const [column, row] = [at % 4, Math.floor(at / 4)];
    ctx.fillStyle = (column + row) % 2 === 0 ? squareA : squareB;
    ctx.fillRect(left + column * side, top + row * side, side, side);
  }
  ctx.strokeStyle = edge;
  ctx.strokeRect(left, top, 4 * side, 4 * side);
  const x = left + 4 * side + 6;
  const long = Math.min(width - x - 6, 30);
  ctx.fillStyle = mark;
  for (const y of [top, top + 4 * side - 4]) ctx.fillRect(x, y, long, 4);
  if (isOn) return;
  ctx.fillStyle = edge;
  ctx.fillRect(6, 4, width - 12, 3);
  for (let y = top + 9; y < top + 4 * side - 8; y += 6) ctx.fillRect(x, y, long, 2);
}

/** @type {Record<string, (paper: Paper, value: string, label: HTMLElement) => void>} */
const PAINTERS = {
  ground: drawGroundChoice,
  figures: drawFiguresChoice,
  motion: drawMotionChoice,
  zen: drawZenChoice,
};

/** @type {Set<() => void>} */
const pictures = new Set();

/** @param {HTMLInputElement} input */
function addPicture(input) {
  const { name, value } = input;
  const label = /** @type {HTMLElement} */ (input.nextElementSibling);
  if (name === "ground") label.dataset.ground = value;
  const canvas = /** @type {HTMLCanvasElement} */ (
    makeElement("canvas", "", { "aria-hidden": "true" })
  );
  label.prepend(canvas);
  input.classList.add("drawn");
  const draw = () => {
    if (canvas.clientWidth > 0) PAINTERS[name](fitCanvas(canvas), value, label);
  };
  new ResizeObserver(draw).observe(canvas);
  pictures.add(draw);
}

/**
 * Gives the choices below `root` their pictures; once they have them, does nothing.
 *
 * @param {ParentNode} root
 */
export function addSettingPictures(root) {
  dispatchEvent(new Event("quiver-choices")); // theme.js loads the colours of all boards
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = root.querySelectorAll(".pictures input:not(.drawn)");
  if (pictures.size === 0) onPaletteChange(() => pictures.forEach((draw) => draw()));
  inputs.forEach(addPicture);
}
