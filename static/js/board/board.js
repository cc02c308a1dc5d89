/** A board to play on: canvas, hand, pointer and hidden grid put together. */

import {
  actionsOf,
  back,
  carry,
  choose,
  heldPiece,
  keepOf,
  movesOf,
  openHand,
  rewind,
  stepOf,
  tap,
  targetsOf,
  wordAt,
} from "./path.js";
import { FIGURES } from "./draw.js";
import { Fingers } from "./fingers.js";
import { Grid } from "./grid.js";
import { openEntry, pathStatus } from "../panel/path.js";
import { momentOf, timelineOf } from "./tween.js";
import { sceneOf } from "./scene.js";
import { sendPolicy } from "./policy.js";
import { afterHand, sizeOf } from "./stand.js";
import { familyOf, captureSentence, labelOf } from "./speech.js";
import { Stage, reducedMotion } from "./stage.js";

/** How long an answer may take before the board says that it waits, and how fast its dots fill. */
const PATIENCE = 150;
const DOTS = 300;
const REFUSAL = 1200;

export class Board {
  /** `element` holds a canvas and an element for the grid. `events`: {onHand(), onGo(actions)}. */
  constructor(element, { key, view, near, surroundOf }, events) {
    Object.assign(this, { element, key, view, events });
    this.last = [];
    this.burns = [];
    this.hand = null;
    this.sent = null;
    this.hover = null;
    this.drag = null;
    this.focus = null;
    this.dots = null;
    this.refused = [];
    this.over = false;
    this.veiled = false;
    const size = sizeOf(view);
    this.grid = new Grid(element.querySelector(".grid"), {
      ...size,
      onTap: (square) => this.tapped(square),
      onFocus: (square) => this.focusOn(square),
    });
    this.stage = new Stage(element.querySelector("canvas"), {
      ...size,
      figure: FIGURES[familyOf(key)],
      surroundOf,
      sceneAt: (moment) => sceneOf(this.look(moment)),
      momentAt: momentOf,
      onLayout: (layout) => this.grid.place(layout),
    });
    this.turn(near);
    this.fingers = new Fingers(this, element);
  }

  isActive() {
    return this.hand !== null && !this.veiled && !this.over && this.sent === null;
  }

  /** Everything that the picture is made from (see scene.js). */
  look(moment) {
    const { key, view, last, burns, hand, sent, hover, drag, dots, refused, over, veiled } = this;
    const state = { key, view, last, burns, hand, sent, hover, drag, dots, refused, over, veiled };
    const focus = this.focus;
    return { ...state, focus, moment, active: this.isActive(), flipped: this.stage.flipped };
  }

  /**
   * Shows a newer state of the game. `turns` are played as motion, null shows the state at once;
   * `same`: the turn is still the one shown before; `own`: the hand has already shown the slides.
   */
  show({ view, last, prompt, status }, { burns, turns, same, own }) {
    Object.assign(this, { view, last, burns, over: status === "over" });
    this.hand = this.handFor(prompt, same);
    if (!same) {
      this.letGo();
      this.stage.run(turns && timelineOf(turns, { slides: !own }));
    }
    this.refresh();
  }

  handFor(prompt, same) {
    if (!prompt || this.sent !== null) return null;
    return same && this.hand ? carry(this.hand, prompt) : openHand(prompt);
  }

  letGo() {
    this.drag = null;
    this.hover = null;
  }

  /** Draws, and tells the grid and the panel, what the hand is now. */
  refresh() {
    const chosen = new Set(this.hand ? this.hand.path : []);
    const targets = this.isActive() ? new Set(targetsOf(this.hand)) : new Set();
    const { marks } = afterHand(this.view, this.hand ?? this.sent);
    this.grid.update((square) => ({
      label: labelOf(square, marks.get(square), this.stateOf(square, targets, chosen), this.key),
      target: targets.has(square),
      chosen: chosen.has(square),
    }));
    this.stage.wake();
    this.events.onHand();
  }

  stateOf(square, targets, chosen) {
    if (!targets.has(square)) return chosen.has(square) ? ["chosen"] : [];
    if (square === keepOf(this.hand)) return ["target: keeps the arrow"];
    return [stepOf(this.hand).word.startsWith("from") ? "can move" : "target"];
  }

  /** Puts another hand in place of the present one; shows its newest step as a slide if wanted. */
  take(hand, { slide = true } = {}) {
    const before = this.hand;
    if (hand === before) return;
    this.hand = hand;
    this.hover = null;
    this.stage.run(slide ? this.motionOf(before, hand) : null);
    this.refresh();
    if (sendPolicy(hand)) this.events.onGo(actionsOf(hand));
  }

  motionOf(before, hand) {
    const held = heldPiece(hand);
    if (held !== null) return timelineOf([{ effects: [{ kind: "raise", at: held }] }]);
    const index = hand.path.length - 1;
    const forward = hand.path.length > before.path.length;
    if (!forward || !wordAt(hand, index).startsWith("to")) return null;
    const { start, end } = movesOf(hand).at(-1);
    return timelineOf([{ effects: [{ kind: "slide", start, end }] }]);
  }

  tapped(square) {
    if (this.isActive()) this.take(tap(this.hand, square));
  }

  /** One made step back; a piece that is only chosen is let go with it. */
  undo() {
    if (!this.isActive() || this.hand.path.length === 0) return;
    const held = heldPiece(this.hand) !== null;
    this.take(back(this.hand), { slide: !held });
  }

  /** On a board the button takes back as much as the key does. */
  clear() {
    this.undo();
  }

  focusOn(square) {
    this.focus = square;
    this.hoverOn(this.isActive() && targetsOf(this.hand).includes(square) ? square : null);
    this.stage.wake();
  }

  hoverOn(square) {
    if (square === this.hover) return;
    this.hover = square;
    this.stage.wake();
    this.events.onHand();
  }

  dragTo(drag) {
    this.drag = drag;
    this.stage.wake();
  }

  /* What became of a go that was sent. */

  /** Shows the go in the hand as sent and not answered. */
  send() {
    this.sent = this.hand;
    this.hand = null;
    this.letGo();
    const begun = performance.now();
    clearInterval(this.dotting);
    this.dotting = setInterval(() => this.tickDots(performance.now() - begun), PATIENCE);
    this.refresh();
  }

  /** The go that was sent has been answered. */
  settle() {
    clearInterval(this.dotting);
    this.sent = null;
    this.dots = null;
    this.stage.wake();
  }

  tickDots(waited) {
    const phase = 2 - (Math.floor(waited / DOTS) % 3);
    const dots = reducedMotion() ? 2 : phase;
    if (dots === this.dots) return;
    this.dots = dots;
    this.stage.wake();
  }

  /** The sent go was refused: its pieces slide back, and the squares that say why are crossed. */
  refuse(squares) {
    const back = this.sent ? movesOf(this.sent).reverse() : [];
    this.settle();
    this.refused = squares;
    const slides = back.map(({ start, end }) => ({ kind: "slide", start: end, end: start }));
    const shakes = back.slice(-1).map(({ start }) => ({ kind: "refuse", at: start }));
    this.stage.run(timelineOf([{ effects: [...slides, ...shakes] }]));
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => {
      this.refused = [];
      this.stage.wake();
    }, REFUSAL);
    this.refresh();
  }

  veil(veiled) {
    if (this.veiled === veiled) return;
    this.veiled = veiled;
    if (veiled) this.letGo();
    this.refresh();
  }

  /** Turns the board so that `near` is at its low edge. */
  turn(near) {
    this.stage.flip(near === "black");
  }

  /* What the panel reads. */

  /** The board has two sides to be seen from. */
  get flips() {
    return true;
  }

  /** {status, open: the entry in the hand or null, back: the word for taking back, or null}. */
  read(snapshot) {
    const { hand, sent } = this;
    const tap = matchMedia("(pointer: coarse)").matches ? "Tap" : "Click";
    const captures = this.captures(snapshot.you);
    const made = hand !== null && movesOf(hand).length > 0 && this.isActive();
    return {
      status: pathStatus(snapshot, { hand, sent, captures, tap }),
      open: openEntry(snapshot, hand ?? sent),
      back: made ? "Undo step" : null,
    };
  }

  /** Leaves the arrow out, where the step allows it. */
  keep() {
    if (this.isActive() && keepOf(this.hand) !== null) this.tapped(keepOf(this.hand));
  }

  /** The sentence about captures of the step under the hand, or of the newest step made; or null. */
  captures(role) {
    const hand = this.hand;
    if (!hand || hand.path.length === 0) return null;
    const held = heldPiece(hand) !== null;
    const aimed = held && targetsOf(hand).includes(this.hover);
    if (held && !aimed) return null;
    const after = aimed ? choose(hand, this.hover) : hand;
    const before = afterHand(this.view, rewind(after, 2 * (movesOf(after).length - 1)));
    return captureSentence(this.view, after, before.marks, role);
  }
}
