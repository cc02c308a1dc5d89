/** A board to play on: canvas, composer, gestures and hidden grid put together. */

import { figuresOf } from "../drawing/figure.js";
import { find, importWithRetry } from "../lib/dom.js";
import { familyOf } from "../lib/game-words.js";
import { onSettings, setting } from "../lib/settings.js";
import { cellsOf } from "./board-sentences.js";
import { Composer, FOLLOW_UPS } from "./composer.js";
import { endingOf, motionOf } from "./ending.js";
import { Gestures } from "./gestures.js";
import { HiddenGrid } from "./hidden-grid.js";
import { tapByKey } from "./key-taps.js";
import { afterDraft, sizeOf } from "./occupancy.js";
import { isComplete, keepOf, movesOf, targetsOf } from "./path-draft.js";
import { PREMOVE_STORAGE, PremoveRequests } from "./premove.js";
import { unpackPrompt } from "./prompt.js";
import { sceneOf } from "./scene.js";
import { ReplyMarks, Stage, surroundOf } from "./stage.js";
import { reportOf } from "./status.js";
import { draftMotion, momentOf, refusalMotion, timelineOf } from "./tween.js";

export class Board {
  /**
   * `element` holds a canvas and an element for the grid.
   *
   * @param {HTMLElement} element
   * @param {{ snapshot: Wire.BoardSnapshot, near: Role }} options
   * @param {BoardEvents} events
   */
  constructor(element, { snapshot, near }, events) {
    const { key, view } = snapshot;
    this.element = element;
    this.key = key;
    this.events = events;
    /** @type {BoardState} */
    this.snapshot = { ...snapshot, prompt: null };
    /** @type {Square[]} */
    this.burns = [];
    /** An earlier position while one looks back. @type {{ view: Wire.BoardView, last: Wire.ResolvedStep[], burns: Square[] } | null} */
    this.past = null;
    /** @type {Square | null} */
    this.hover = null;
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {Square | null} */
    this.focus = null;
    this.veiled = false;
    this.composer = new Composer({ wayOf: () => setting("send"), storage: PREMOVE_STORAGE });
    this.premoves = new PremoveRequests(this);
    const size = sizeOf(view);
    this.grid = new HiddenGrid(find(element, ".grid"), {
      ...size,
      onTap: (square) => tapByKey(this, square),
      onFocus: (square) => this.focusOn(square),
    });
    this.stage = new Stage(find(element, "canvas"), {
      ...size,
      figureOf: () => figuresOf(familyOf(key)),
      surroundOf: () => surroundOf(element, key),
      sceneAt: (moment) => sceneOf(this.look(moment)),
      momentAt: momentOf,
      onLayout: (layout) => this.grid.place(layout),
    });
    this.replyMarks = new ReplyMarks(() => this.stage.wake());
    this.orient(near);
    this.gestures = new Gestures(this, element);
    element.addEventListener("focusin", () => this.premoves.request());
    onSettings(() => this.refresh());
  }

  /* The state of the draft. */

  get draft() {
    return this.composer.draft;
  }

  get sent() {
    return this.composer.sent;
  }

  /** The planned turn with its actions, or null. */
  get premove() {
    const { premove } = this.composer;
    return premove && { ...premove, actions: this.draft ? this.composer.actions() : [] };
  }

  /** The reason why the last premove was dropped, or null; see premove.js. */
  get dropped() {
    return this.composer.dropped;
  }

  /** Whether a motion runs on the board. */
  get moving() {
    return this.stage.motion !== null;
  }

  get over() {
    return this.snapshot.status === "over";
  }

  isActive() {
    const open = this.past === null && !this.veiled && !this.over;
    return open && this.draft !== null && this.sent === null;
  }

  /** The draft that may be changed now; null if none may. */
  get activeDraft() {
    return this.isActive() ? this.draft : null;
  }

  isReady() {
    return this.isActive() && this.composer.isReady;
  }

  /** The position on the board: the newest one, or an earlier one. */
  get shown() {
    const { view, last } = this.snapshot;
    return this.past ?? { view, last, burns: this.burns };
  }

  /**
   * The input of the scene (see scene.js).
   *
   * @param {Phase[]} moment
   */
  look(moment) {
    const { key, hover, drag, veiled, focus, composer, past } = this;
    const { dots, refused } = this.replyMarks;
    const drafts = past ? { draft: null, sent: null } : { draft: this.draft, sent: this.sent };
    return {
      ...{ key, hover, drag, veiled, focus, dots, refused, moment },
      ...this.shown,
      ...drafts,
      ...endingOf(this.snapshot, past),
      active: this.isActive(),
      flipped: this.stage.flipped,
      planning: composer.planning,
      planned: composer.premove !== null,
      again:
        this.isReady() && setting("send") !== "button" ? (this.draft?.path.at(-1) ?? null) : null,
    };
  }

  /* Updates from the game. */

  /**
   * Shows a newer snapshot. `steps` are played as motion, null shows the state at once; `same`: the
   * step is still the one shown before; `own`: the draft has already shown the slides. While one
   * looks back the picture stays where it is.
   *
   * @param {Wire.BoardSnapshot} snapshot
   * @param {ShowOptions} options
   */
  show(snapshot, { burns, steps, same, own }) {
    const premove = this.premoves.carryOver(snapshot);
    this.snapshot = {
      ...snapshot,
      prompt: unpackPrompt(snapshot.prompt, snapshot.view.board),
      premove,
    };
    this.burns = burns;
    const followUp = this.composer.update(this.snapshot, { same });
    if (!same) {
      this.forgetPointer();
      if (this.past === null) this.stage.run(motionOf(steps, snapshot, { slides: !own }));
    }
    this.refresh();
    this.perform(followUp, { later: true });
    this.premoves.requestIfInUse();
  }

  /**
   * Takes the premove options of this snapshot; null: there are none.
   *
   * @param {Wire.BoardPrompt | null} premove
   */
  setPremoveOptions(premove) {
    this.snapshot = { ...this.snapshot, premove };
    const followUp = this.composer.update(this.snapshot, { same: true });
    this.refresh();
    this.perform(followUp, { later: true });
  }

  /**
   * Shows an earlier position; `steps` are played as motion. The draft stays, unseen.
   *
   * @param {Wire.BoardView} view
   * @param {Wire.ResolvedStep[]} last
   * @param {Square[]} burns
   * @param {{ steps?: Wire.ResolvedStep[] | null }} [options]
   */
  still(view, last, burns, { steps = null } = {}) {
    this.past = { view, last, burns };
    this.forgetPointer();
    this.stage.run(steps && timelineOf(steps));
    this.refresh();
  }

  /**
   * Shows the newest position again.
   *
   * @param {{ steps?: Wire.ResolvedStep[] | null }} [options]
   */
  live({ steps = null } = {}) {
    if (this.past === null) return;
    this.past = null;
    this.stage.run(steps && timelineOf(steps));
    this.refresh();
  }

  forgetPointer() {
    this.drag = null;
    this.hover = null;
  }

  /** Draws the draft, and updates the grid and the panel. */
  refresh() {
    this.gestures.keepGrasp();
    const draft = this.past ? null : (this.draft ?? this.sent);
    const { marks, victims } = afterDraft(this.shown.view, draft);
    const targets = this.activeDraft ? targetsOf(this.activeDraft) : [];
    const planned = this.composer.planning && draft !== null && isComplete(draft);
    this.grid.update(cellsOf(this.key, { draft, marks, victims, targets, planned }));
    this.element.dataset.hand = this.state();
    this.stage.wake();
    this.events.onDraftChange();
  }

  /** Returns the state of the draft in a word, for style sheets and for tests. */
  state() {
    if (this.sent !== null) return "sent";
    if (this.premove !== null) return "planned";
    if (this.draft === null || this.draft.path.length === 0) return "empty";
    return this.composer.isReady ? "ready" : "open";
  }

  /**
   * Performs the composer's follow-up; `later`: after the game has taken its snapshot in.
   *
   * @param {string} followUp
   * @param {{ later?: boolean }} [options]
   */
  perform(followUp, { later = false } = {}) {
    if (followUp === FOLLOW_UPS.premove) this.events.onPremove?.(this.premove);
    if (followUp !== FOLLOW_UPS.send) return;
    const { draft } = this;
    const turn = () => {
      if (this.draft === draft) this.events.onTurn(this.composer.actions());
    };
    if (!later) return turn();
    this.events.onPremove?.(null);
    queueMicrotask(turn);
  }

  /* Input. */

  /**
   * Puts another draft in place of the present one; shows its newest step as a slide if wanted.
   *
   * @param {Draft} draft
   * @param {{ slide?: boolean }} [options]
   */
  setDraft(draft, { slide = true } = {}) {
    const before = this.draft;
    if (draft === before) return;
    const followUp = this.composer.put(draft);
    this.hover = null;
    this.stage.run(slide && before !== null ? draftMotion(before, draft) : null);
    this.refresh();
    this.perform(followUp);
  }

  /** @param {Square} square */
  tapSquare(square) {
    if (this.premoves.delay(() => this.tapSquare(square)) || !this.isActive()) return;
    if (this.composer.sends(square)) this.submit();
    else this.gestures.tap(square);
  }

  /** Sends the complete turn that waits; returns whether there was one. */
  submit() {
    if (!this.isReady()) return false;
    this.events.onTurn(this.composer.actions());
    return true;
  }

  /** Takes one step of the draft back, with a piece chosen after it; a premove is dropped as a whole. */
  undo() {
    if (this.activeDraft?.path.length) this.setDraft(this.composer.draftAfterUndo());
  }

  /** Empties the draft, and drops a premove. */
  clear() {
    if (this.activeDraft?.path.length) {
      this.setDraft(this.composer.emptyDraft(), { slide: false });
    }
  }

  /** Leaves the arrow out, where the step allows it. */
  keep() {
    const square = this.activeDraft && keepOf(this.activeDraft);
    if (square !== null) this.tapSquare(square);
  }

  loadTyping = () => importWithRetry(() => import("./typed-turns.js"));

  /** Composes a typed turn; see typed-turns.js. @param {string} text */
  async type(text) {
    const { TypedTurns } = await this.loadTyping();
    return new TypedTurns(this).type(text);
  }

  /** @param {Square | null} square */
  focusOn(square) {
    this.focus = square;
    const draft = this.activeDraft;
    const isTarget = draft !== null && square !== null && targetsOf(draft).includes(square);
    this.hoverOn(isTarget ? square : null);
    this.stage.wake();
  }

  /** @param {Square | null} square */
  hoverOn(square) {
    if (square === this.hover) return;
    this.hover = square;
    this.stage.wake();
    this.events.onDraftChange();
  }

  /** @param {Drag | null} drag */
  dragTo(drag) {
    this.drag = drag;
    this.stage.wake();
  }

  /* The outcome of a sent turn. */

  /** Shows the turn in the draft as sent and not answered. */
  send() {
    this.composer.send();
    this.forgetPointer();
    this.replyMarks.wait();
    this.refresh();
  }

  /** The turn that was sent has been answered. */
  settle() {
    this.composer.settle();
    this.replyMarks.settle();
  }

  /**
   * The sent turn was refused: its pieces slide back, and the squares that say why are crossed.
   *
   * @param {Square[]} squares
   */
  refuse(squares) {
    const moves = this.sent ? movesOf(this.sent) : [];
    this.settle();
    this.replyMarks.refuse(squares);
    this.stage.run(refusalMotion(moves));
    this.refresh();
  }

  /** @param {boolean} veiled */
  veil(veiled) {
    if (this.veiled === veiled) return;
    this.veiled = veiled;
    if (veiled) {
      this.forgetPointer();
      this.premoves.forget();
    }
    this.refresh();
  }

  /**
   * Turns the board so that `near` is at its low edge.
   *
   * @param {Role} near
   */
  orient(near) {
    this.stage.flip(near === "black");
  }

  /* For the panel. */

  /** The board has two sides to be seen from. */
  get flips() {
    return true;
  }

  /**
   * See status.js.
   *
   * @param {Wire.BoardSnapshot} snapshot
   */
  read(snapshot) {
    return reportOf(this, snapshot);
  }
}
