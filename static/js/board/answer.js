/** What the board shows while a go has no answer, and for a moment after a refusal. */

import { reducedMotion } from "./still.js";

/** How long an answer may take before the board says that it waits, and how fast its dots fill. */
const PATIENCE = 150;
const DOTS = 300;
const REFUSAL = 1200;

export class Answer {
  constructor(onChange) {
    this.onChange = onChange;
    this.dots = null; // which of the three dots is hollow
    this.refused = []; // the squares that say why
  }

  /** A go is on its way. */
  wait() {
    const begun = performance.now();
    clearInterval(this.dotting);
    this.dotting = setInterval(() => this.tick(performance.now() - begun), PATIENCE);
  }

  tick(waited) {
    const phase = reducedMotion() ? 2 : 2 - (Math.floor(waited / DOTS) % 3);
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

  refuse(squares) {
    this.refused = squares;
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => {
      this.refused = [];
      this.onChange();
    }, REFUSAL);
  }
}
