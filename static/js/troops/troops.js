/** Blotto to play on: the orders in the draft, the round that is shown, and the report to the panel. */

import { onPaletteChange } from "../drawing/palette.js";
import { OTHER } from "../lib/game-words.js";
import { untilReconnect } from "../lib/reconnect.js";
import { required } from "../lib/required.js";
import { playSound } from "../lib/sounds.js";
import { t } from "../lib/text.js";
import { BlockDrag } from "./block-drag.js";
import { pauseAfterReveal, RevealClock } from "./reveal-clock.js";
import { untold } from "./reveal-gate.js";
import { Sheet } from "./sheet.js";
import {
  actionOf,
  asOneChange,
  changeField,
  countsOf,
  isComplete,
  openSplit,
  readOrders,
  troopsLeft,
  undoChange,
  withCounts,
} from "./split-draft.js";
import { sealButtonText, troopsStatus } from "./troops-sentences.js";

/** Each field that opens sounds higher than the one before, as a share of the tone's pitch. */
const FIELD_PITCHES = [1, 1.26, 1.5];

/** Keys that do nothing by themselves. */
const PASSIVE_KEYS = new Set(["Shift", "Control", "Alt", "Meta", "Tab", "CapsLock"]);

export class Troops {
  /**
   * `root` is #troops, `rounds` the place of the table.
   *
   * @param {HTMLElement} root
   * @param {HTMLElement} rounds
   * @param {{ near: Role }} options
   * @param {TroopsEvents} events
   */
  constructor(root, rounds, { near }, events) {
    this.root = root;
    this.near = near;
    this.events = events;
    /** @type {Wire.SplitSnapshot | null} */
    this.newest = null;
    /** {view, last} of an earlier round while one looks back. @type {{ view: Wire.SplitView, last: Wire.ResolvedStep[] } | null} */
    this.past = null;
    /** @type {SplitDraft | null} */
    this.split = null;
    this.sent = false;
    this.revealClock = new RevealClock({
      onTime: (revealing) => {
        this.sheet.showFields({ revealing });
        if (revealing.time === Infinity) this.events.onDraftChange();
      },
      onField: (field) => playSound("field", { pitch: FIELD_PITCHES[field] }),
      onTold: ({ isSkipped }) => {
        this.refresh();
        if (!isSkipped) this.sheet.flyPoints();
      },
      onSecond: () => this.events.onDraftChange(),
      onDone: () => this.onward(),
    });
    this.wasOpening = false;
    this.veiled = false;
    const commands = {
      change: (/** @type {number} */ field, /** @type {number} */ by) => this.change(field, by),
      submit: () => this.submit(),
      onward: () => this.onward(),
    };
    this.sheet = new Sheet(root, rounds, commands, events.proofs);
    this.blockDrag = new BlockDrag(this, root);
    new ResizeObserver(() => this.sheet.paint()).observe(root);
    const skip = () => this.revealClock.skip();
    root.addEventListener("click", skip);
    document.addEventListener("keydown", ({ key }) => {
      if (!PASSIVE_KEYS.has(key)) skip();
    });
    onPaletteChange(() => this.sheet.paint());
  }

  /** The newest state; TypeError before the first. */
  get snapshot() {
    return required(this.newest, "a state of the game");
  }

  /** The round that is shown; null for none. */
  get revealing() {
    return this.revealClock.revealing;
  }

  /** A motion runs that the end of a game waits for. */
  get moving() {
    return this.revealClock.isOpening;
  }

  /** The newest round is being opened: its result is not told yet. */
  get isOpening() {
    return this.past === null && this.revealClock.isOpening;
  }

  /**
   * The snapshot that the page may tell of: without the result of a round that is being opened.
   *
   * @param {Wire.SplitSnapshot} snapshot
   */
  tellable(snapshot) {
    const { revealing } = this;
    return this.isOpening && revealing ? untold(snapshot, revealing.index) : snapshot;
  }

  /** The draft that may be changed now; null if none may. */
  get activeSplit() {
    return this.isActive() ? this.split : null;
  }

  /* Updates from the game. */

  /**
   * Shows a newer state. `steps` have ended since the last one, null if they can't be shown.
   *
   * @param {Wire.SplitSnapshot} snapshot
   * @param {{ steps: Wire.ResolvedStep[] | null, same: boolean }} options
   */
  show(snapshot, { steps, same }) {
    this.newest = snapshot;
    const over = snapshot.status === "over";
    if (!same || over) this.split = this.newDraft();
    if (over) this.revealClock.stopCounting();
    if (this.past === null) this.showRound(steps);
    this.refresh();
  }

  /**
   * Shows the newest round that is over, if there is one and it is to be shown.
   *
   * @param {Wire.ResolvedStep[] | null} steps
   */
  showRound(steps) {
    const { view, status } = this.snapshot;
    const stays = view.turns > 0 && status === "over";
    if (view.turns > 0 && steps !== null && steps.length > 0) this.reveal(view.turns - 1, true);
    else if (stays && this.revealing?.index !== view.turns - 1) this.reveal(view.turns - 1, false);
  }

  /**
   * Shows the game as it stood after an earlier round; `steps` are played as motion.
   *
   * @param {Wire.SplitView} view
   * @param {Wire.ResolvedStep[]} last
   * @param {Square[]} _burns
   * @param {{ steps?: Wire.ResolvedStep[] | null }} [options]
   */
  still(view, last, _burns, { steps = null } = {}) {
    this.past = { view, last };
    this.revealClock.stop();
    if (view.turns > 0) this.reveal(view.turns - 1, steps !== null);
    this.refresh();
  }

  /**
   * Shows the newest state again.
   *
   * @param {{ steps?: Wire.ResolvedStep[] | null }} [options]
   */
  live({ steps = null } = {}) {
    if (this.past === null) return;
    this.past = null;
    this.revealClock.stop();
    this.showRound(steps);
    this.refresh();
  }

  /** Nothing placed yet; null for those who only watch, and after the end. */
  newDraft() {
    const { view, you, status } = this.snapshot;
    return you !== null && status === "live" ? openSplit(view) : null;
  }

  sealed() {
    const mine = this.snapshot.your_seal;
    return mine ? countsOf(mine[0]) : null;
  }

  isActive() {
    const open = this.newest?.prompt && this.sealed() === null && !this.sent;
    return Boolean(open) && !this.veiled && this.past === null && this.revealing === null;
  }

  isReady() {
    const split = this.activeSplit;
    return split !== null && isComplete(split);
  }

  /* Input. */

  /**
   * @param {number} field
   * @param {number} by
   */
  change(field, by) {
    const split = this.activeSplit;
    if (split === null) return;
    const after = changeField(split, field, by);
    if (after === split) return;
    this.split = after;
    this.refresh();
  }

  /** Takes the last change back. */
  undo() {
    const split = this.activeSplit;
    if (split === null || this.blockDrag.lifted) return;
    this.split = undoChange(split);
    this.refresh();
  }

  /** Takes all troops back into the draft. */
  clear() {
    if (!this.canClear()) return;
    this.split = this.newDraft();
    this.refresh();
  }

  canClear() {
    return Boolean(this.activeSplit?.counts.some((count) => count > 0));
  }

  /** Seals the orders that are complete; returns whether there were any. */
  submit() {
    const { split } = this;
    const { prompt } = this.snapshot;
    if (split === null || prompt === null || !this.isReady()) return false;
    this.events.onTurn([actionOf(prompt.word, split)]);
    return true;
  }

  /**
   * Places typed orders, "5 1 4": {ok, say}. The same text again, or none, seals the placed orders.
   *
   * @param {string} text
   */
  type(text) {
    const split = this.activeSplit;
    if (split === null) return { ok: false, say: this.idleReason() };
    if (text.trim() === "")
      return this.submit() ? { ok: true, say: null } : { ok: false, say: this.restSentence(split) };
    const { counts, say } = readOrders(text, split);
    if (counts === null) return { ok: false, say };
    const same = this.isReady() && counts.join() === split.counts.join();
    if (same) this.submit();
    else this.place(split, counts);
    return { ok: true, say: null };
  }

  /**
   * @param {SplitDraft} split
   * @param {readonly number[]} counts
   */
  place(split, counts) {
    this.split = asOneChange(split, withCounts(split, counts));
    this.refresh();
  }

  /** @param {SplitDraft} split */
  restSentence(split) {
    return sealButtonText(troopsLeft(split));
  }

  /** Returns why nothing can be typed now. */
  idleReason() {
    if (this.past !== null)
      return t("You’re viewing an earlier round. Go to the latest round to play.");
    if (this.snapshot.status === "over") return t("The game is over.");
    if (this.veiled) return untilReconnect(t("Not connected. You can’t play right now."));
    if (this.revealing !== null)
      return t("You’re viewing the last round. Continue to the next one first.");
    return t("You can’t place troops right now.");
  }

  /** Orders are never planned, and keep no arrow. */
  /** @returns {null} */
  get premove() {
    return null;
  }

  /** @returns {null} */
  get dropped() {
    return null;
  }

  keep() {}

  /* The outcome of sent orders. */

  /** The orders are on their way. */
  send() {
    this.sent = true;
    this.refresh();
  }

  /** The orders have been answered. */
  settle() {
    this.sent = false;
  }

  refuse() {
    this.settle();
    this.refresh();
  }

  /** @param {boolean} veiled */
  veil(veiled) {
    this.veiled = veiled;
    this.root.classList.toggle("veiled", veiled);
    this.refresh();
  }

  /** @param {Role} near */
  orient(near) {
    this.near = near;
    this.refresh();
  }

  /* The reveal. */

  /**
   * Shows a round that is over; `moving`: block by block.
   *
   * @param {number} index
   * @param {boolean} moving
   */
  reveal(index, moving) {
    const { view, status } = this.snapshot;
    if (moving) playSound("reveal");
    const goesOn = this.past === null && status === "live";
    const waitS = pauseAfterReveal(this.snapshot);
    this.revealClock.start(index, { fields: view.fields, moving, goesOn, waitS });
  }

  onward() {
    this.revealClock.stop();
    this.refresh();
  }

  /* The page and the panel. */

  get flips() {
    return false;
  }

  refresh() {
    if (!this.newest) return;
    const { past, near, revealing, sent } = this;
    const { lifted, target } = this.blockDrag;
    const snapshot = past ? { ...this.newest, ...past } : this.newest;
    const split = past ? null : this.split;
    const mine = past ? null : this.sealed();
    const state = { near, revealing, sent, lifted, target, split, mine };
    this.sheet.show({ ...state, snapshot, past: past !== null });
    this.events.onDraftChange();
    const wasOpening = this.wasOpening;
    this.wasOpening = this.isOpening;
    if (wasOpening && !this.isOpening) this.events.onRevealed?.();
  }

  /**
   * {status, open: null, back: the word for taking back or null, ready, planned, planning, text}.
   *
   * @param {Wire.SplitSnapshot} snapshot
   * @returns {Report}
   */
  read(snapshot) {
    const { you, seats } = snapshot;
    const state = {
      opening: this.isOpening,
      revealing: this.revealing !== null && this.past === null,
      sealed: this.sealed() !== null || this.sent,
      sent: this.sent,
      placed: this.split !== null && isComplete(this.split),
      wait: this.revealClock.waitS,
    };
    const other = seats[OTHER[you ?? "white"]].name;
    const status = troopsStatus(this.tellable(snapshot), state, other);
    const back = this.canClear() ? t("Clear") : null;
    const text = this.split === null ? "" : this.split.counts.join(" ");
    return {
      status,
      open: null,
      back,
      ready: this.isReady(),
      planned: false,
      planning: false,
      text,
    };
  }
}
