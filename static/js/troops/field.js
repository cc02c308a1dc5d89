/** One field: its name, its ground with the blocks, and its foot with steppers or the verdict. */

import { EASE, share } from "../board/tween.js";
import { fitCanvas } from "../drawing/canvas.js";
import { drawBlock } from "../drawing/figure.js";
import { palette } from "../drawing/palette.js";
import { drawTerrain, drawUnknown } from "../drawing/terrain.js";
import { makeElement } from "../lib/dom.js";
import { FIELDS } from "../lib/game-words.js";
import { reducedMotion } from "../lib/motion.js";
import { FieldStepper } from "./field-stepper.js";
import { isIn, marchAt, ranks } from "./layout.js";

const FRONT = { wide: 0.36, narrow: 0.24, open: 0.48 };

const NARROW = 140;

/** Motion of a block that is laid down: its length in ms, and its tilt and height at the start. */
const LAYING_MS_TILT = { length: 120, tilt: (-7 * Math.PI) / 180, height: 8 };

/** Way in CSS pixels by which losing blocks fall back, and their opacity afterwards. */
const FALLEN = { back: 6, alpha: 0.4 };

/** The winner's colour over its half. */
const TINT = { white: 0.5, black: 0.24 };

const FLAG_PX = 34;

/**
 * Between the front line and the first rank.
 *
 * @param {number} width
 */
const gapOf = (width) => (width < NARROW ? 10 : 15);

export class Field {
  /**
   * @param {number} index
   * @param {(field: number, by: number) => void} onChange
   */
  constructor(index, onChange) {
    this.frameRequest = 0;
    this.index = index;
    this.element = makeElement("section", "plot", {
      "aria-label": FIELDS[index],
      "data-plot": index,
    });
    const canvas = makeElement("canvas", "ground", { "aria-hidden": "true" });
    this.canvas = /** @type {HTMLCanvasElement} */ (canvas);
    this.stepper = new FieldStepper(index, onChange);
    this.verdict = new Verdict();
    const name = makeElement("h2", "plot-name head-3", {}, FIELDS[index]);
    this.element.append(name, this.canvas, this.stepper.element, this.verdict.element);
    /** The shown state. @type {FieldState} */
    this.state = { mode: "wait", role: "white", count: 0 };
    /** The values from which the ground of a reveal was drawn. */
    this.drawn = "";
    this.laidAt = -Infinity; // when the newest block was laid down
  }

  /**
   * Returns whether this state has one block more than the one shown.
   *
   * @param {FieldState} state
   */
  lays({ mode, count }) {
    const known = this.state.mode === "compose" && mode === "compose";
    return known && count === this.state.count + 1 && !reducedMotion();
  }

  /**
   * `state`: {mode: "compose" | "sealed" | "wait" | "reveal", role, count, most, target, far: {role,
   * count}, verdict: {sign, words, bold, near, far, nearName, farName} | null, said, since, fall}.
   *
   * @param {FieldState} state
   */
  show(state) {
    this.laidAt = this.lays(state) ? performance.now() : this.laidAt;
    this.state = state;
    const { mode, count, most } = state;
    this.element.dataset.mode = mode;
    const composing = mode === "compose" || mode === "sealed";
    this.stepper.element.hidden = !composing;
    this.verdict.element.hidden = mode !== "reveal";
    if (composing) this.stepper.show({ count, most: most ?? count, sealed: mode === "sealed" });
    if (state.verdict) this.verdict.show(state.verdict, Boolean(state.said));
    if (this.isNews(state)) this.paint();
  }

  /**
   * Returns whether the ground has to be drawn again: in most frames of a reveal, two fields rest.
   *
   * @param {FieldState} state
   */
  isNews({ mode, role, count, far, since = 0, fall }) {
    if (mode !== "reveal") this.drawn = "";
    else {
      const key = JSON.stringify([role, count, far, Math.max(since, 0), fall]);
      if (key === this.drawn) return false;
      this.drawn = key;
    }
    return true;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  front(width, height) {
    const open = this.state.mode === "reveal";
    return (open ? FRONT.open : width < NARROW ? FRONT.narrow : FRONT.wide) * height;
  }

  paint() {
    if (this.canvas.clientWidth === 0) return;
    const { ctx, width, height } = fitCanvas(this.canvas);
    const colours = palette();
    const { mode, target } = this.state;
    const front = Math.round(this.front(width, height));
    ctx.fillStyle = colours.squareA;
    ctx.fillRect(0, 0, width, height);
    drawTerrain(ctx, this.index, { width, height }, colours);
    if (mode !== "reveal")
      drawUnknown(ctx, { width, height: mode === "wait" ? height : front }, colours);
    if (mode === "reveal") this.tint(ctx, front, { width, height }, colours);
    if (mode !== "wait") this.line(ctx, front, width, colours);
    if (target) this.frame(ctx, front, width, height, colours);
    if (mode === "reveal") this.battle(ctx, front, { width, height }, colours);
    else this.blocks(ctx, front, { width, height }, colours);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {number} width
   * @param {Palette} colours
   */
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

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {number} width
   * @param {number} height
   * @param {Palette} colours
   */
  frame(ctx, front, width, height, colours) {
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = 2;
    ctx.strokeRect(2, front + 4, width - 4, height - front - 6);
  }

  /**
   * @param {number} front
   * @param {number} width
   * @param {number} height
   */
  boxes(front, width, height) {
    const gap = gapOf(width);
    return ranks(width, this.state.count, front + gap, 1, height - front - gap);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {Size} size
   * @param {Palette} colours
   */
  blocks(ctx, front, { width, height }, colours) {
    const { role, mode } = this.state;
    if (mode === "wait") return;
    const near = this.boxes(front, width, height);
    const newest = this.newest(ctx, near, role, colours);
    near.slice(0, near.length - newest).forEach((box) => drawBlock(ctx, box, role, colours));
  }

  /**
   * Both sides' blocks as they march in from the edges; the losing ones fall back and pale.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {Size} size
   * @param {Palette} colours
   */
  battle(ctx, front, { width, height }, colours) {
    const { role, count, far } = this.state;
    if (far === undefined) return;
    const base = front - gapOf(width) + 2;
    const [near, theirs] = [
      this.boxes(front, width, height),
      ranks(width, far.count, base, -1, base),
    ];
    this.march(ctx, near, { role, edge: height, back: 1, lost: count < far.count }, colours);
    const lost = far.count < count;
    this.march(ctx, theirs, { role: far.role, edge: -0.2 * width, back: -1, lost }, colours);
    if (count !== far.count) this.flag(ctx, front, { width, height }, colours);
  }

  /**
   * Draws the blocks of a side; `edge`: where they come from, `back`: the direction away from the front.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {Box[]} boxes
   * @param {{ role: Role, edge: number, back: number, lost: boolean }} side
   * @param {Palette} colours
   */
  march(ctx, boxes, { role, edge, back, lost }, colours) {
    const { since = Infinity, fall = 1 } = this.state;
    const fallen = lost ? fall : 0;
    const drawn = boxes.map((box, index) => ({ box, done: EASE.out(marchAt(since, index)) }));
    ctx.save();
    ctx.globalAlpha = 1 - (1 - FALLEN.alpha) * fallen;
    for (const { box, done } of back === 1 ? drawn : drawn.reverse()) {
      if (done === 0) continue;
      const y = edge + (box.y - edge) * done + back * FALLEN.back * fallen;
      drawBlock(ctx, { ...box, y }, role, colours);
    }
    ctx.restore();
  }

  /**
   * The half of a field that has been won.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {Size} size
   * @param {Palette} colours
   */
  tint(ctx, front, { width, height }, colours) {
    const { role, count, far, fall = 1 } = this.state;
    if (far === undefined || count === far.count || fall === 0) return;
    const winner = count > far.count ? role : far.role;
    ctx.save();
    ctx.globalAlpha = fall * TINT[winner];
    ctx.fillStyle = colours[winner === "white" ? "lightFill" : "darkFill"];
    if (count > far.count) ctx.fillRect(0, front, width, height - front);
    else ctx.fillRect(0, 0, width, front);
    ctx.restore();
  }

  /**
   * The winner's flag at the outer corner of its half.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} front
   * @param {Size} size
   * @param {Palette} colours
   */
  flag(ctx, front, { width, height }, colours) {
    const { role, count, far, fall = 1 } = this.state;
    if (far === undefined || fall === 0) return;
    const isNear = count > far.count;
    const winner = isNear ? role : far.role;
    const high = Math.min(FLAG_PX, 0.2 * height);
    const foot = isNear ? height - 6 : Math.min(front - 6, high + 8);
    const [x, top] = [width - 0.75 * high - 4, foot - high * fall];
    ctx.save();
    ctx.fillStyle = colours[winner === "white" ? "lightFill" : "darkFill"];
    ctx.strokeStyle = colours[winner === "white" ? "lightLine" : "darkLine"];
    ctx.lineWidth = 1.5;
    ctx.lineJoin = "round";
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x + 0.7 * high, top + 0.22 * high);
    ctx.lineTo(x, top + 0.44 * high);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
    ctx.strokeStyle = colours.mark;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, foot);
    ctx.stroke();
    ctx.restore();
  }

  /**
   * Draws the newest block as long as it is being laid down; returns how many blocks that were.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {Box[]} boxes
   * @param {Role} role
   * @param {Palette} colours
   */
  newest(ctx, boxes, role, colours) {
    const done = EASE.out(share(performance.now() - this.laidAt, 0, LAYING_MS_TILT.length));
    const box = boxes.at(-1);
    if (done >= 1 || box === undefined) return 0;
    const { x, y, width } = box;
    ctx.save();
    ctx.translate(x + width / 2, y + width / 3 - LAYING_MS_TILT.height * (1 - done));
    ctx.rotate(LAYING_MS_TILT.tilt * (1 - done));
    drawBlock(ctx, { x: -width / 2, y: -width / 3, width }, role, colours);
    ctx.restore();
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = requestAnimationFrame(() => this.paint());
    return 1;
  }

  /**
   * Returns whether there is a block at a point of the page.
   *
   * @param {Point} point
   */
  holds(point) {
    const box = this.canvas.getBoundingClientRect();
    const at = { x: point.x - box.left, y: point.y - box.top };
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const boxes = this.boxes(this.front(width, height), width, height);
    return boxes.some((block) => isIn(block, at));
  }

  /**
   * Returns whether a point of the page is on this field.
   *
   * @param {Point} point
   */
  covers(point) {
    const box = this.element.getBoundingClientRect();
    const across = point.x >= box.left && point.x <= box.right;
    return across && point.y >= box.top && point.y <= box.bottom;
  }
}

/** @param {[number | string, string, boolean]} cell */
function cellOf([value, label, greater]) {
  const cell = makeElement(
    "span",
    greater ? "verdict-cell greater" : "verdict-cell",
    {},
    String(value),
  );
  cell.append(makeElement("small", "verdict-name", {}, label));
  return cell;
}

export class Verdict {
  constructor() {
    this.element = makeElement("div", "verdict");
    this.shown = "";
  }

  /**
   * `verdict`: {near, far, sign, nearName, farName, words, bold}; before it is said, its numbers count
   * the blocks that stand, and nothing else of it is on the page.
   *
   * @param {FieldVerdict} verdict
   * @param {boolean} said
   */
  show(verdict, said) {
    const key = JSON.stringify([verdict, said]);
    if (key === this.shown) return;
    this.shown = key;
    const { near, far, sign, nearName, farName, words, bold } = verdict;
    const numbers = makeElement("p", "verdict-numbers number");
    /** @type {[number | string, string, boolean][]} */
    const cells = [
      [near, nearName, said && near > far],
      [said ? sign : "\u00a0", "", false],
      [far, farName, said && far > near],
    ];
    numbers.append(...cells.map(cellOf));
    const sentence = makeElement("p", bold ? "verdict-words own" : "verdict-words");
    sentence.textContent = said ? words : "";
    this.element.replaceChildren(numbers, sentence);
  }
}
