/** The ghost hand: shows a newcomer one first choice of the turn; with reduced motion a still ring. */

import { reducedMotion } from "../lib/motion.js";
import { isFirstGame } from "./newcomer.js";

const SVG = "http://www.w3.org/2000/svg";

/** A hand that points, in a box of 24 × 24; its fingertip is at TIP. */
const HAND =
  "M9 13.5V4.5a1.5 1.5 0 0 1 3 0V10.2l5.2 1a2 2 0 0 1 1.6 2.3l-.8 4.5a3 3 0 0 1-3 2.5h-4a3 3 0 0 1-2.3-1.1L4.6 14.6a1.6 1.6 0 0 1 2.3-2.2Z";
const TIP = { x: 10.5 / 24, y: 3.5 / 24 };

const SIZE_PX = 44;
const TURNS = 3;
const REPEATS = 6;

/** The hand comes, taps twice as a finger would, and goes. */
const FRAMES = [
  { transform: "translate(36px, 44px)", opacity: 0 },
  { transform: "translate(0, 0)", opacity: 1, offset: 0.35 },
  { transform: "translate(0, 0) scale(0.86)", opacity: 1, offset: 0.5 },
  { transform: "translate(0, 0)", opacity: 1, offset: 0.6 },
  { transform: "translate(0, 0)", opacity: 1, offset: 0.85 },
  { transform: "translate(0, 0)", opacity: 0 },
];
const PERIOD_MS = 2000;

/** @param {HTMLElement} element */
function lieOver(element) {
  element.className = "ghost-hand";
  element.setAttribute("aria-hidden", "true");
  Object.assign(element.style, { position: "fixed", zIndex: "2", pointerEvents: "none" });
  return element;
}

function makeHand() {
  const element = lieOver(document.createElement("div"));
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", HAND);
  Object.assign(picture.style, { width: `${SIZE_PX}px`, height: `${SIZE_PX}px`, display: "block" });
  const paint = { fill: "var(--fire)", stroke: "var(--ink)", strokeWidth: "1.4" };
  Object.assign(path.style, { ...paint, strokeLinejoin: "round" });
  picture.append(path);
  element.append(picture);
  return element;
}

function makeRing() {
  const element = lieOver(document.createElement("div"));
  Object.assign(element.style, { border: "3px solid var(--fire)", boxSizing: "border-box" });
  return element;
}

/**
 * A button that the turn may begin with: a square that the prompt offers, or one more on a field.
 *
 * @param {HTMLElement} root
 * @returns {HTMLElement | null}
 */
function firstChoice(root) {
  if (root.dataset.turn !== "yours") return null;
  const board = document.getElementById("board");
  if (!board) return root.querySelector("[data-do=plus]:not(.cannot):not([hidden])");
  if (board.dataset.hand !== "empty") return null;
  /** @type {NodeListOf<HTMLElement>} */
  const offered = board.querySelectorAll(".grid button[data-target]");
  return offered[Math.floor(offered.length / 2)] ?? null;
}

export class GhostHand {
  /**
   * @param {HTMLElement} root
   * @param {string} game its slug, by which a newcomer's first games are counted
   */
  constructor(root, game) {
    this.root = root;
    this.isWanted = isFirstGame(game, () => localStorage);
    /** @type {HTMLElement | null} */
    this.shown = null;
    /** The step in whose turn it was shown last. */
    this.step = "";
    this.turns = 0;
    this.isGone = false;
    const leave = () => this.leave();
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, leave, true);
    new ResizeObserver(() => this.place()).observe(root);
  }

  /** Shows the hand in each of the first turns, until the person does something. */
  show() {
    if (!this.isWanted) return;
    if (firstChoice(this.root) === null) {
      this.remove();
      return;
    }
    const { step = "" } = this.root.dataset;
    if (step !== this.step) {
      if (this.turns >= TURNS) return;
      this.step = step;
      this.turns += 1;
      this.isGone = false;
    }
    if (this.isGone || this.shown) return;
    const isStill = reducedMotion();
    this.shown = isStill ? makeRing() : makeHand();
    this.shown.dataset.kind = isStill ? "ring" : "hand";
    document.body.append(this.shown);
    this.place();
    if (!isStill) this.shown.animate(FRAMES, { duration: PERIOD_MS, iterations: REPEATS });
  }

  /** Puts it on the choice, which may have moved. */
  place() {
    const choice = this.shown && firstChoice(this.root);
    if (!choice || !this.shown) return;
    const { left, top, width, height } = choice.getBoundingClientRect();
    const { style, dataset } = this.shown;
    if (dataset.kind === "ring") {
      const box = { left, top, width, height };
      for (const [name, value] of Object.entries(box)) style.setProperty(name, `${value}px`);
      return;
    }
    style.left = `${left + width / 2 - TIP.x * SIZE_PX}px`;
    style.top = `${top + height / 2 - TIP.y * SIZE_PX}px`;
  }

  /** The person knows what to do: nothing more in this turn. */
  leave() {
    if (this.shown) this.isGone = true;
    this.remove();
  }

  remove() {
    this.shown?.remove();
    this.shown = null;
  }
}
