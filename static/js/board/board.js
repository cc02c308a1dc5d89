/** A board to play on: canvas, composer, pointer and hidden grid put together. */

import { Answer } from "./answer.js";
import { Composer, DEEDS } from "./composer.js";
import { FIGURES } from "./figure.js";
import { Fingers } from "./fingers.js";
import { Grid } from "./grid.js";
import { motionOf } from "./motion.js";
import { isComplete, keepOf, movesOf, targetsOf } from "./path.js";
import { reportOf } from "./report.js";
import { sceneOf } from "./scene.js";
import { SHELF } from "./shelf.js";
import { familyOf, labelOf, statesOf } from "./speech.js";
import { Stage } from "./stage.js";
import { afterHand, sizeOf } from "./stand.js";
import { momentOf, timelineOf } from "./tween.js";
import { typed } from "./typed.js";
import { unpacked } from "./unpack.js";
import { Wish } from "./wish.js";
import { onSettings, setting } from "../settings.js";
import { t } from "../text.js";

export class Board {
  /**
   * `element` holds a canvas and an element for the grid. `events`: {onHand(), onGo(actions),
   * onPlan(plan or null), onSaid(sentence), onWish(rev): asks for what may be planned, and tells
   * whether it could}; the last three may be left out.
   */
  constructor(element, { key, view, near, surroundOf }, events) {
    Object.assign(this, { element, key, events });
    this.snapshot = { view, last: [], status: "live" };
    this.burns = [];
    this.past = null; // {view, last, burns} of an earlier position while one looks back
    this.hover = null;
    this.drag = null;
    this.focus = null;
    this.veiled = false;
    this.composer = new Composer({ wayOf: () => setting("send"), shelf: SHELF });
    this.wish = new Wish(this);
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
    this.answer = new Answer(() => this.stage.wake());
    this.turn(near);
    this.fingers = new Fingers(this, element);
    element.addEventListener("focusin", () => this.wish.touch());
    onSettings(() => this.refresh());
  }

  /* What the hand is. */

  get hand() {
    return this.composer.hand;
  }

  get sent() {
    return this.composer.sent;
  }

  /** The planned go: {path, actions, text, …} (see plan.js), or null. */
  get plan() {
    const { plan } = this.composer;
    return plan && { ...plan, actions: this.hand ? this.composer.actions() : [] };
  }

  /** Why the last plan was dropped: "gone on", "no longer legal", or null. */
  get dropped() {
    return this.composer.dropped;
  }

  get over() {
    return this.snapshot.status === "over";
  }

  isActive() {
    const open = this.past === null && !this.veiled && !this.over;
    return open && this.hand !== null && this.sent === null;
  }

  isReady() {
    return this.isActive() && this.composer.isReady;
  }

  /** What the board shows: the newest position, or the one that is looked back at. */
  get shown() {
    const { view, last } = this.snapshot;
    return this.past ?? { view, last, burns: this.burns };
  }

  /** Everything that the picture is made from (see scene.js). */
  look(moment) {
    const { key, hover, drag, over, veiled, focus, composer, past } = this;
    const { dots, refused } = this.answer;
    const hands = past ? { hand: null, sent: null } : { hand: this.hand, sent: this.sent };
    return {
      ...{ key, hover, drag, veiled, focus, dots, refused, moment },
      ...this.shown,
      ...hands,
      over: over && past === null,
      active: this.isActive(),
      flipped: this.stage.flipped,
      planning: composer.planning,
      planned: composer.plan !== null,
      again: this.isReady() && setting("send") !== "button" ? this.hand.path.at(-1) : null,
    };
  }

  /* What the game tells. */

  /**
   * Shows a newer snapshot. `turns` are played as motion, null shows the state at once; `same`: the
   * turn is still the one shown before; `own`: the hand has already shown the slides. While one
   * looks back the picture stays where it is.
   */
  show(snapshot, { burns, turns, same, own }) {
    const plan = this.wish.knownOf(snapshot);
    this.snapshot = { ...snapshot, prompt: unpacked(snapshot.prompt, snapshot.view.board), plan };
    this.burns = burns;
    const deed = this.composer.meet(this.snapshot, { same });
    if (!same) {
      this.letGo();
      if (this.past === null) this.stage.run(turns && timelineOf(turns, { slides: !own }));
    }
    this.refresh();
    this.tell(deed, { later: true });
    this.wish.goOn();
  }

  /** Takes in what who waits may plan on this snapshot; null: nothing. */
  learn(plan) {
    this.snapshot = { ...this.snapshot, plan };
    const deed = this.composer.meet(this.snapshot, { same: true });
    this.refresh();
    this.tell(deed, { later: true });
  }

  /** Shows an earlier position; `turns` are played as motion. The hand stays, unseen. */
  still(view, last, burns, { turns = null } = {}) {
    this.past = { view, last, burns };
    this.letGo();
    this.stage.run(turns && timelineOf(turns));
    this.refresh();
  }

  /** Shows the newest position again. */
  live({ turns = null } = {}) {
    if (this.past === null) return;
    this.past = null;
    this.stage.run(turns && timelineOf(turns));
    this.refresh();
  }

  letGo() {
    this.drag = null;
    this.hover = null;
  }

  /** Draws, and tells the grid and the panel, what the hand is now. */
  refresh() {
    const hand = this.past ? null : (this.hand ?? this.sent);
    const { marks, victims } = afterHand(this.shown.view, hand);
    const gone = new Map(victims.map(({ square, mark }) => [square, mark]));
    const targets = new Set(this.isActive() ? targetsOf(this.hand) : []);
    const chosen = new Set(hand?.path ?? []);
    const planned = this.composer.planning && hand !== null && isComplete(hand);
    this.grid.update((square) => ({
      label: labelOf(
        square,
        marks.get(square) ?? gone.get(square),
        statesOf(square, { hand, targets, chosen, planned, gone }),
        this.key,
      ),
      target: targets.has(square),
      chosen: chosen.has(square),
    }));
    this.element.dataset.hand = this.state();
    this.stage.wake();
    this.events.onHand();
  }

  /** What the hand is, in a word, for style sheets and for tests. */
  state() {
    if (this.sent !== null) return "sent";
    if (this.plan !== null) return "planned";
    if (this.hand === null || this.hand.path.length === 0) return "empty";
    return this.composer.isReady ? "ready" : "open";
  }

  /** Does what the composer has found to be due; `later`: when the game has taken its snapshot in. */
  tell(deed, { later = false } = {}) {
    if (deed === DEEDS.plan) this.events.onPlan?.(this.plan);
    if (deed !== DEEDS.send) return;
    const { hand } = this;
    const go = () => {
      if (this.hand === hand) this.events.onGo(this.composer.actions());
    };
    if (!later) go();
    else {
      this.events.onPlan?.(null);
      queueMicrotask(go);
    }
  }

  /* What a person does. */

  /** Puts another hand in place of the present one; shows its newest step as a slide if wanted. */
  take(hand, { slide = true } = {}) {
    const before = this.hand;
    if (hand === before) return;
    const deed = this.composer.put(hand);
    this.hover = null;
    this.stage.run(slide ? motionOf(before, hand) : null);
    this.refresh();
    this.tell(deed);
  }

  tapped(square) {
    if (this.wish.defers(() => this.tapped(square)) || !this.isActive()) return;
    if (this.composer.sends(square)) this.submit();
    else this.take(this.composer.tapped(square));
  }

  /** Sends the complete go that waits; tells whether there was one. */
  submit() {
    if (!this.isReady()) return false;
    this.events.onGo(this.composer.actions());
    return true;
  }

  /** One made step back; a piece that is only chosen is let go with it. A plan is dropped. */
  undo() {
    if (!this.isActive() || this.hand.path.length === 0) return;
    this.take(this.composer.undone());
  }

  /** Nothing is in the hand any more, and nothing is planned. */
  clear() {
    if (!this.isActive() || this.hand.path.length === 0) return;
    this.take(this.composer.cleared(), { slide: false });
  }

  dropPlan() {
    if (this.plan !== null) this.take(this.composer.cleared(), { slide: false });
  }

  /** Leaves the arrow out, where the step allows it. */
  keep() {
    if (this.isActive() && keepOf(this.hand) !== null) this.tapped(keepOf(this.hand));
  }

  /**
   * Composes what is typed, as taps would: {ok, say}. The same text again, or none, sends a go that
   * waits. `say` is a sentence about what is wrong or still lacking, or null.
   */
  type(text) {
    const blank = text.trim() === "";
    if (blank) return this.submit() ? { ok: true, say: null } : { ok: false, say: this.idle() };
    if (this.wish.defers(() => this.typedLate(text))) return { ok: true, say: null };
    if (!this.isActive()) return { ok: false, say: this.idle() };
    const made = this.snapshot.view.moved ?? [];
    const knows = (square) => this.grid.has(square);
    const { hand, say } = typed(text, { hand: this.hand, made, knows });
    if (hand === null) return { ok: false, say };
    const again = this.isReady() && hand.path.join() === this.hand.path.join();
    if (again) this.submit();
    else this.take(hand);
    return { ok: true, say };
  }

  typedLate(text) {
    const { say } = this.type(text);
    if (say) this.events.onSaid?.(say);
  }

  /** Why nothing can be typed now. */
  idle() {
    if (this.past !== null) return t("You are looking back. Go to the newest move to play.");
    if (this.over) return t("The game is over.");
    if (this.veiled) return t("Not connected. Nothing can be played now.");
    if (this.sent !== null) return t("Your go is being sent.");
    return this.hand ? t("Write a go, for example d1-d7/g7.") : t("It is not your go.");
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
    this.composer.send();
    this.letGo();
    this.answer.wait();
    this.refresh();
  }

  /** The go that was sent has been answered. */
  settle() {
    this.composer.settle();
    this.answer.settle();
  }

  /** The sent go was refused: its pieces slide back, and the squares that say why are crossed. */
  refuse(squares) {
    const back = this.sent ? movesOf(this.sent).reverse() : [];
    this.settle();
    this.answer.refuse(squares);
    const slides = back.map(({ start, end }) => ({ kind: "slide", start: end, end: start }));
    const shakes = back.slice(-1).map(({ start }) => ({ kind: "refuse", at: start }));
    this.stage.run(timelineOf([{ effects: [...slides, ...shakes] }]));
    this.refresh();
  }

  veil(veiled) {
    if (this.veiled === veiled) return;
    this.veiled = veiled;
    if (veiled) {
      this.letGo();
      this.wish.forget();
    }
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

  /** See report.js. */
  read(snapshot) {
    return reportOf(this, snapshot);
  }
}
