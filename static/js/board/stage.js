/** The canvas: its size, its layers, and a frame loop that sleeps when nothing moves. */

import { layoutOf } from "./geometry.js";
import { drawGround } from "./ground.js";
import { drawScene } from "./draw.js";
import { onPaletteChange, palette } from "./palette.js";

/** The margin around the field by width of the canvas: a frame, stones of the wall, or none. */
const MARGINS = {
  frame: () => 24,
  wall: (width) => width * (width < 600 ? 0.058 : 0.054),
  none: () => 0,
};

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Stage {
  /**
   * `sceneAt(moment)` gives the items to draw; `surroundOf()` a key of MARGINS; `onLayout` is called
   * after every change of size.
   */
  constructor(canvas, { columns, rows, figure, sceneAt, surroundOf, momentAt, onLayout }) {
    Object.assign(this, { canvas, columns, rows, figure, sceneAt, surroundOf, momentAt, onLayout });
    this.context = canvas.getContext("2d");
    this.ground = document.createElement("canvas");
    this.flipped = false;
    this.layout = null;
    this.motion = null;
    this.frame = 0;
    this.size = new ResizeObserver(() => this.resize());
    this.size.observe(canvas);
    addEventListener("resize", () => {
      if (this.layout && this.layout.ratio !== window.devicePixelRatio) this.resize();
    });
    onPaletteChange(() => this.repaint());
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const surround = this.surroundOf();
    this.layout = {
      ...layoutOf({
        width,
        height,
        ratio,
        columns: this.columns,
        rows: this.rows,
        margin: MARGINS[surround](width),
        flipped: this.flipped,
      }),
      surround,
      inside: surround === "none",
      sans: palette().sans,
    };
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.onLayout(this.layout);
    this.repaint();
  }

  /** Turns the board; the first call is also what draws it first. */
  flip(flipped) {
    this.flipped = flipped;
    this.resize();
  }

  /** Draws the ground again (theme, size), and then the scene at once. */
  repaint() {
    if (!this.layout) return;
    const ctx = this.ground.getContext("2d");
    ctx.setTransform(this.layout.ratio, 0, 0, this.layout.ratio, 0, 0);
    drawGround(ctx, this.layout, palette());
    this.draw(performance.now());
  }

  /** Starts a motion of `timeline` in place of any other; without motion it is over at once. */
  run(timeline) {
    const still = timeline === null || timeline.length === 0 || reducedMotion();
    this.motion = still ? null : { timeline, start: performance.now() };
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

  draw(now) {
    if (!this.layout) return;
    const { ratio } = this.layout;
    const time = this.motion ? Math.max(0, now - this.motion.start) : 0;
    if (this.motion && time >= this.motion.timeline.length) this.motion = null;
    const moment = this.motion ? this.momentAt(this.motion.timeline, time) : [];
    const ctx = this.context;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.ground, 0, 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { layout, figure } = this;
    drawScene(ctx, this.sceneAt(moment), { layout, colours: palette(), figure });
  }
}
