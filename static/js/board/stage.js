/** The board's canvas: its size, its frame loop, which sleeps when nothing moves, and the marks of a reply. */

import { contextOf } from "../drawing/canvas.js";
import { drawScene } from "../drawing/draw.js";
import { layoutOf } from "../drawing/geometry.js";
import { drawGround } from "../drawing/ground.js";
import { onPaletteChange, palette } from "../drawing/palette.js";
import { motionSpeed, reducedMotion } from "../lib/motion.js";
import { onSettings, setting } from "../lib/settings.js";
import { boardShift } from "./tween.js";

/**
 * The margin around the field by width of the canvas: a frame, stones of the wall, or none.
 *
 * @type {Record<string, (width: number) => number>}
 */
const MARGINS = {
  frame: () => 24,
  wall: (width) => width * (width < 600 ? 0.058 : 0.054),
  none: () => 0,
};

/**
 * Calls `onSize(pixels)` with a canvas's size in device pixels, where the browser tells it, else null.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {(pixels: PixelSize | null) => void} onSize
 */
function observe(canvas, onSize) {
  const observer = new ResizeObserver(([entry]) => {
    const exact = entry.devicePixelContentBoxSize?.[0];
    onSize(exact ? { width: exact.inlineSize, height: exact.blockSize } : null);
  });
  try {
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    observer.observe(canvas); // a browser that doesn't know this box
  }
}

/**
 * Calls `onChange()` whenever the page comes to a screen of another pixel ratio, or is zoomed.
 *
 * @param {() => void} onChange
 */
function observeRatio(onChange) {
  const here = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  const changed = () => {
    onChange();
    observeRatio(onChange);
  };
  here.addEventListener("change", changed, { once: true });
}

/**
 * The surround of a board: the wall of Pincer, else a frame where the style sheet has room for one.
 *
 * @param {HTMLElement} element
 * @param {string} key
 */
export function surroundOf(element, key) {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(element).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

export class Stage {
  /**
   * `sceneAt(moment)` gives the items to draw; `surroundOf()` a key of MARGINS; `onLayout` is called
   * after every change of size.
   *
   * @param {HTMLCanvasElement} canvas
   * @param {StageOptions} options
   */
  constructor(canvas, { columns, rows, figureOf, sceneAt, surroundOf, momentAt, onLayout }) {
    this.canvas = canvas;
    this.columns = columns;
    this.rows = rows;
    this.figureOf = figureOf;
    this.sceneAt = sceneAt;
    this.surroundOf = surroundOf;
    this.momentAt = momentAt;
    this.onLayout = onLayout;
    this.context = contextOf(canvas);
    this.ground = document.createElement("canvas");
    this.groundContext = contextOf(this.ground);
    this.figure = figureOf();
    /** Draw above the scene, the last one on top. @type {((ctx: CanvasRenderingContext2D, layout: Layout) => void)[]} */
    this.overlays = [];
    this.flipped = false;
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {{ timeline: Timeline, start: number, speed: number } | null} */
    this.motion = null;
    this.frame = 0;
    /** The canvas's size in device pixels. @type {PixelSize | null} */
    this.pixels = null;
    observe(canvas, (pixels) => {
      this.pixels = pixels;
      if (!this.fits()) this.resize();
    });
    observeRatio(() => this.resize());
    onPaletteChange(() => this.repaint());
    onSettings(() => {
      if (this.layout && this.layout.bare !== this.isBare()) this.resize();
    });
  }

  /** Returns whether the coordinates are left out. */
  isBare() {
    return setting("coordinates") === "off";
  }

  /**
   * The canvas's size in device pixels; as the browser tells it, it is exact on every ratio.
   *
   * @param {number} ratio
   */
  device(ratio) {
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth * ratio, clientHeight * ratio].map(Math.round);
    const { pixels } = this;
    const fits =
      pixels &&
      Math.abs(pixels.width - width) <= ratio &&
      Math.abs(pixels.height - height) <= ratio;
    return fits ? pixels : { width, height };
  }

  /** Returns whether the drawing has the canvas's size: the browser reports once more than it changes. */
  fits() {
    const { width, height } = this.device(window.devicePixelRatio || 1);
    const isDrawn = this.layout?.surround === this.surroundOf();
    return isDrawn && this.canvas.width === width && this.canvas.height === height;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const device = this.device(ratio);
    if (device.width === 0 || device.height === 0) return;
    const [width, height] = [device.width / ratio, device.height / ratio];
    const surround = this.surroundOf();
    const bare = this.isBare();
    const { columns, rows, flipped } = this;
    const margin = MARGINS[surround](width);
    this.layout = {
      ...layoutOf({ width, height, ratio, columns, rows, margin, flipped }),
      surround,
      bare,
      inside: surround === "none" && !bare,
      sans: palette().sans,
    };
    for (const canvas of [this.canvas, this.ground]) Object.assign(canvas, device);
    this.onLayout(this.layout);
    this.repaint();
  }

  /**
   * Turns the board; the first call is also what draws it first.
   *
   * @param {boolean} flipped
   */
  flip(flipped) {
    this.flipped = flipped;
    this.resize();
  }

  /** Draws the ground again (theme, size, figures), and then the scene at once. */
  repaint() {
    if (!this.layout) return;
    const ctx = this.groundContext;
    ctx.setTransform(this.layout.ratio, 0, 0, this.layout.ratio, 0, 0);
    drawGround(ctx, this.layout, palette());
    this.figure = this.figureOf();
    this.draw(performance.now());
  }

  /**
   * Starts a motion of `timeline` in place of any other; without motion it is over at once.
   *
   * @param {Timeline | null} timeline
   */
  run(timeline) {
    const still = timeline === null || timeline.length === 0 || reducedMotion();
    const start = performance.now();
    this.motion = still ? null : { timeline, start, speed: motionSpeed() };
    this.wake();
  }

  /** Asks for one frame; as long as a motion runs, the next frame asks for another. */
  wake() {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      this.draw(now);
      if (this.motion) this.wake();
    });
  }

  /** @param {number} now */
  draw(now) {
    if (!this.layout) return;
    const { ratio } = this.layout;
    const time = this.motion ? Math.max(0, (now - this.motion.start) * this.motion.speed) : 0;
    if (this.motion && time >= this.motion.timeline.length) this.motion = null;
    const moment = this.motion ? this.momentAt(this.motion.timeline, time) : [];
    const ctx = this.context;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.ground, 0, 0);
    const shift = boardShift(moment) * ratio;
    if (shift !== 0) ctx.drawImage(this.ground, shift, 0);
    ctx.setTransform(ratio, 0, 0, ratio, shift, 0);
    const { layout, figure } = this;
    drawScene(ctx, this.sceneAt(moment), { layout, colours: palette(), figure });
    for (const overlay of this.overlays) overlay(ctx, layout);
  }
}

/** Delay before the board shows that it waits for an answer, and the interval of its dots. */
const DOTS_DELAY_MS = 150;

const DOT_INTERVAL_MS = 300;

const REFUSAL_MS = 1200;

export class ReplyMarks {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** The hollow one of the three dots. @type {number | null} */
    this.dots = null;
    /** The squares that explain a refusal. @type {Square[]} */
    this.refused = [];
    /** Why a square could not be chosen; outdated once the draft differs. @type {{ sentence: string, signature: string | null } | null} */
    this.why = null;
  }

  /** A turn is on its way. */
  wait() {
    const begun = performance.now();
    clearInterval(this.dotting);
    this.dotting = setInterval(() => this.tick(performance.now() - begun), DOTS_DELAY_MS);
  }

  /** @param {number} waited */
  tick(waited) {
    const phase = reducedMotion() ? 2 : 2 - (Math.floor(waited / DOT_INTERVAL_MS) % 3);
    if (phase === this.dots) return;
    this.dots = phase;
    this.onChange();
  }

  /** It has been answered. */
  settle() {
    clearInterval(this.dotting);
    this.dots = null;
    this.onChange();
  }

  /** @param {Square[]} squares */
  refuse(squares) {
    this.refused = squares;
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => {
      this.refused = [];
      this.onChange();
    }, REFUSAL_MS);
  }

  /**
   * A square could not be chosen: says why while the draft stays what it is.
   *
   * @param {string} sentence
   * @param {Square[]} squares
   * @param {string | null} signature
   */
  explain(sentence, squares, signature) {
    this.why = { sentence, signature };
    this.refuse(squares);
  }

  /**
   * The sentence about a click in a draft; null if there is none.
   *
   * @param {string | null} signature
   */
  reasonFor(signature) {
    if (this.why?.signature !== signature) this.why = null;
    return this.why?.sentence ?? null;
  }
}
