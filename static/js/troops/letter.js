/** The envelope on the page: its picture, with the sealing as motion, and its two sentences. */

import { crisp } from "../board/figure.js";
import { palette } from "../board/palette.js";
import { reducedMotion } from "../board/still.js";
import { SEAL_LENGTH, drawEnvelope, sealAt } from "./envelope.js";

export class Letter {
  constructor(element) {
    this.element = element;
    this.canvas = element.querySelector("canvas");
    this.what = element.querySelector("#envelope-what");
    this.then = element.querySelector("#envelope-then");
    /** When it was closed; null while it is open. */
    this.since = null;
    this.known = false;
  }

  /** `closed`: whether it is sealed. The first one shown is shown without motion. */
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
    const still = this.since === null || time >= SEAL_LENGTH || reducedMotion();
    const end = this.since === null ? 0 : SEAL_LENGTH;
    const { ctx, width, height } = crisp(this.canvas);
    drawEnvelope(ctx, { width, height }, sealAt(still ? end : time), palette());
    if (!still) this.frame = requestAnimationFrame(() => this.paint());
  }
}
