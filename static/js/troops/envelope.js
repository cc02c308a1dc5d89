/** The envelope of sealed orders: an open flap while its owner decides, closed with wax once sealed. */

import { EASE, share } from "../board/tween.js";
import { fitCanvas } from "../drawing/canvas.js";
import { palette } from "../drawing/palette.js";
import { find } from "../lib/dom.js";
import { reducedMotion } from "../lib/motion.js";

export const SEALING_MS = { flap: 140, wax: 120 };

export const SEAL_DURATION_MS = SEALING_MS.flap + SEALING_MS.wax;

/**
 * Returns how far flap and wax are at `time` of the sealing.
 *
 * @param {number} time
 */
export function sealAt(time) {
  return {
    flap: EASE.inOut(share(time, 0, SEALING_MS.flap)),
    wax: EASE.out(share(time, SEALING_MS.flap, SEAL_DURATION_MS)),
  };
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {[number, number][]} points
 */
function trace(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} r
 */
function bowStamp(ctx, r) {
  ctx.lineWidth = 0.13 * r;
  ctx.beginPath();
  ctx.arc(-0.02 * r, 0, 0.46 * r, -Math.PI / 2, Math.PI / 2);
  ctx.closePath();
  ctx.moveTo(-0.52 * r, 0);
  ctx.lineTo(0.58 * r, 0);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {number} grown
 * @param {Palette} colours
 */
function drawWax(ctx, x, y, r, grown, colours) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(grown, grown);
  ctx.beginPath();
  for (let step = 0; step <= 40; step += 1) {
    const angle = (step / 40) * 2 * Math.PI;
    const edge = r * (1 + 0.05 * Math.sin(5 * angle + 0.6) + 0.03 * Math.sin(3 * angle));
    ctx.lineTo(edge * Math.cos(angle), edge * Math.sin(angle));
  }
  ctx.closePath();
  ctx.fillStyle = colours.wax;
  ctx.fill();
  ctx.strokeStyle = colours.waxStamp;
  ctx.lineCap = "round";
  bowStamp(ctx, r);
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Box & Size} box
 * @param {Palette} colours
 */
function drawPaper(ctx, box, colours) {
  const { x, y, width, height } = box;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, 2);
  ctx.fillStyle = colours.waxPaper;
  ctx.fill();
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Box & Size} box
 * @param {number} flap
 * @param {Palette} colours
 */
function drawOpen(ctx, box, flap, colours) {
  const { x, y, width, height } = box;
  const tip = y - 0.28 * height * (1 - 2 * flap);
  drawPaper(ctx, box, colours);
  if (flap < 0.5) {
    trace(ctx, [
      [x, y],
      [x + width / 2, tip],
      [x + width, y],
    ]);
    ctx.closePath();
    ctx.fillStyle = colours.lightShade;
    ctx.fill();
    ctx.stroke();
  }
  trace(ctx, [
    [x, y],
    [x + width / 2, y + 0.5 * height],
    [x + width, y],
  ]);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Box & Size} box
 * @param {Palette} colours
 */
function drawClosed(ctx, box, colours) {
  const { x, y, width, height } = box;
  const [cx, cy] = [x + width / 2, y + 0.56 * height];
  drawPaper(ctx, box, colours);
  trace(ctx, [
    [x, y + height],
    [cx, cy],
    [x + width, y + height],
  ]);
  ctx.stroke();
  trace(ctx, [
    [x, y],
    [cx, cy],
    [x + width, y],
  ]);
  ctx.closePath();
  ctx.fillStyle = colours.lightShade;
  ctx.fill();
  ctx.stroke();
}

/**
 * Draws an envelope into {width, height}. `flap` 1 and `wax` 1: sealed; both 0: open.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Size} size
 * @param {{ flap: number, wax: number }} seal
 * @param {Palette} colours
 */
export function drawEnvelope(ctx, { width, height }, seal, colours) {
  ctx.clearRect(0, 0, width, height);
  ctx.lineJoin = "round";
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colours.lightLine;
  const closed = seal.flap >= 1;
  const room = closed ? 0.92 : 0.72;
  const box = { x: 2, width: width - 4, height: room * height, y: height - room * height - 2 };
  if (!closed) {
    drawOpen(ctx, box, seal.flap, colours);
    return;
  }
  box.y = (height - box.height) / 2;
  drawClosed(ctx, box, colours);
  const r = 0.26 * box.height;
  if (seal.wax > 0) drawWax(ctx, width / 2, box.y + 0.56 * box.height, r, seal.wax, colours);
}

export class Envelope {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.frame = 0;
    this.element = element;
    /** @type {HTMLCanvasElement} */
    this.canvas = find(element, "canvas");
    this.what = find(element, "#envelope-what");
    this.then = find(element, "#envelope-then");
    /** Time of closing; null while it is open. @type {number | null} */
    this.since = null;
    this.known = false;
  }

  /**
   * `closed`: whether it is sealed. The first one shown is shown without motion.
   *
   * @param {EnvelopeTexts} texts
   */
  show({ closed, what, then }) {
    this.what.textContent = what;
    this.then.textContent = then;
    if (!closed) this.since = null;
    else if (this.since === null) this.since = this.known ? performance.now() : -Infinity;
    this.known = true;
    this.paint();
  }

  paint() {
    cancelAnimationFrame(this.frame);
    if (this.canvas.clientWidth === 0) return;
    const time = this.since === null ? 0 : performance.now() - this.since;
    const still = this.since === null || time >= SEAL_DURATION_MS || reducedMotion();
    const end = this.since === null ? 0 : SEAL_DURATION_MS;
    const { ctx, width, height } = fitCanvas(this.canvas);
    drawEnvelope(ctx, { width, height }, sealAt(still ? end : time), palette());
    if (!still) this.frame = requestAnimationFrame(() => this.paint());
  }
}
