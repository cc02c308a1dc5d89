/** One plot: its name, its ground with the blocks, and its foot with steppers or the verdict. */

import { FIELDS } from "../board/speech.js";
import { crisp } from "../board/figure.js";
import { palette } from "../board/palette.js";
import { reducedMotion } from "../board/still.js";
import { EASE, share } from "../board/tween.js";
import { drawBlock } from "./blocks.js";
import { Foot } from "./foot.js";
import { make } from "./make.js";
import { isIn, ranks } from "./places.js";
import { drawTerrain, drawUnknown } from "./terrain.js";
import { Verdict } from "./verdict.js";

const FRONT = { wide: 0.36, narrow: 0.24, open: 0.48 };
const NARROW = 140;
/** A block that is laid down comes from where it hung: so many ms, tilted, a little higher. */
const LAYING = { length: 120, tilt: (-7 * Math.PI) / 180, height: 8 };

/** Between the front line and the first rank. */
const gapOf = (width) => (width < NARROW ? 10 : 15);

export class Field {
  constructor(index, onChange) {
    this.index = index;
    this.element = make("section", "plot", { "aria-label": FIELDS[index], "data-plot": index });
    this.canvas = make("canvas", "ground", { "aria-hidden": "true" });
    this.foot = new Foot(index, onChange);
    this.verdict = new Verdict();
    const name = make("h2", "plot-name head-3", {}, FIELDS[index]);
    this.element.append(name, this.canvas, this.foot.element, this.verdict.element);
    this.state = null;
    this.laying = -Infinity; // when the newest block was laid down
  }

  /** Whether this state has one block more than the one shown. */
  lays({ mode, count }) {
    const known = this.state?.mode === "compose" && mode === "compose";
    return known && count === this.state.count + 1 && !reducedMotion();
  }

  /**
   * `state`: {mode: "compose" | "sealed" | "wait" | "reveal", role, count, most, target, far: {role,
   * count}, verdict: {sign, words, bold, near, far, nearName, farName} | null, said}. Blocks shown are
   * `shown` and `far.shown` of them.
   */
  show(state) {
    this.laying = this.lays(state) ? performance.now() : this.laying;
    this.state = state;
    const { mode, count, most } = state;
    this.element.dataset.mode = mode;
    const composing = mode === "compose" || mode === "sealed";
    this.foot.element.hidden = !composing;
    this.verdict.element.hidden = mode !== "reveal";
    if (composing) this.foot.show({ count, most, sealed: mode === "sealed" });
    if (mode === "reveal") this.verdict.show(state.verdict, state.said);
    this.paint();
  }

  front(width, height) {
    const open = this.state.mode === "reveal";
    return (open ? FRONT.open : width < NARROW ? FRONT.narrow : FRONT.wide) * height;
  }

  paint() {
    if (!this.state || this.canvas.clientWidth === 0) return;
    const { ctx, width, height } = crisp(this.canvas);
    const colours = palette();
    const { mode, target } = this.state;
    const front = Math.round(this.front(width, height));
    ctx.fillStyle = colours.squareA;
    ctx.fillRect(0, 0, width, height);
    drawTerrain(ctx, this.index, { width, height }, colours);
    if (mode !== "reveal") drawUnknown(ctx, { width, height: mode === "wait" ? height : front }, colours);
    if (mode !== "wait") this.line(ctx, front, width, colours);
    if (target) this.frame(ctx, front, width, height, colours);
    this.blocks(ctx, front, { width, height }, colours);
  }

  line(ctx, front, width, colours) {
    const inset = this.state.mode === "reveal" ? 0.06 * width : 0;
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = 1.8;
    ctx.setLineDash([8, 5]);
    ctx.beginPath();
    ctx.moveTo(inset, front);
    ctx.lineTo(width - inset, front);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  frame(ctx, front, width, height, colours) {
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = 2;
    ctx.strokeRect(2, front + 4, width - 4, height - front - 6);
  }

  boxes(front, width, height) {
    const gap = gapOf(width);
    const count = this.state.shown ?? this.state.count;
    return ranks(width, count, front + gap, 1, height - front - gap);
  }

  blocks(ctx, front, { width, height }, colours) {
    const { role, far, mode } = this.state;
    if (mode === "wait") return;
    const near = this.boxes(front, width, height);
    const newest = this.newest(ctx, near, role, colours);
    near.slice(0, near.length - newest).forEach((box) => drawBlock(ctx, box, role, colours));
    if (mode !== "reveal") return;
    const base = front - gapOf(width) + 2;
    const boxes = ranks(width, far.shown, base, -1, base);
    boxes.reverse().forEach((box) => drawBlock(ctx, box, far.role, colours));
  }

  /** Draws the newest block as long as it is being laid down; gives how many blocks that were. */
  newest(ctx, boxes, role, colours) {
    const done = EASE.out(share(performance.now() - this.laying, 0, LAYING.length));
    if (done >= 1 || boxes.length === 0) return 0;
    const { x, y, width } = boxes.at(-1);
    ctx.save();
    ctx.translate(x + width / 2, y + width / 3 - LAYING.height * (1 - done));
    ctx.rotate(LAYING.tilt * (1 - done));
    drawBlock(ctx, { x: -width / 2, y: -width / 3, width }, role, colours);
    ctx.restore();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
    return 1;
  }

  /** Whether there is a block at a point of the page. */
  holds(point) {
    const box = this.canvas.getBoundingClientRect();
    const at = { x: point.x - box.left, y: point.y - box.top };
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const boxes = this.boxes(this.front(width, height), width, height);
    return boxes.some((block) => isIn(block, at));
  }

  /** Whether a point of the page is on this plot. */
  covers(point) {
    const box = this.element.getBoundingClientRect();
    const across = point.x >= box.left && point.x <= box.right;
    return across && point.y >= box.top && point.y <= box.bottom;
  }
}
