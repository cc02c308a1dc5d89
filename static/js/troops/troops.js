/** Blotto to play on: the orders in the hand, the round that is shown, and what the panel reads. */

import { onPaletteChange } from "../board/palette.js";
import { reducedMotion } from "../board/still.js";
import { OTHER } from "../panel/words.js";
import { t } from "../text.js";
import { listenLift } from "./lift.js";
import { revealLength } from "./reveal.js";
import { Sheet } from "./sheet.js";
import {
  actionOf,
  change,
  countsOf,
  inHand,
  isPlaced,
  openSplit,
  since,
  takeBack,
  withCounts,
} from "./split.js";
import { typedSplit } from "./typed.js";
import { troopsStatus } from "./words.js";

/** How long a revealed round stays before the next one shows by itself, in seconds. */
const LINGER = 8;

export class Troops {
  /** `root` is #troops, `rounds` the place of the table. `events`: {onHand(), onGo(actions), proofs}. */
  constructor(root, rounds, { near }, events) {
    Object.assign(this, { root, near, events });
    this.snapshot = null;
    this.past = null; // {view, last} of an earlier round while one looks back
    this.split = null;
    this.origin = null; // the split before the block that is lifted now
    this.sent = false;
    this.revealing = null; // {index: the round shown, from 0, start, time}
    this.target = null;
    this.lifted = false;
    this.veiled = false;
    const deeds = {
      change: (field, by) => this.change(field, by),
      submit: () => this.submit(),
      onward: () => this.onward(),
    };
    this.sheet = new Sheet(root, rounds, deeds, events.proofs);
    listenLift(root, this);
    new ResizeObserver(() => this.sheet.paint()).observe(root);
    onPaletteChange(() => this.sheet.paint());
  }

  /* What the game tells. */

  /** Shows a newer state. `turns` have ended since the last one, null if they can't be shown. */
  show(snapshot, { turns, same }) {
    this.snapshot = snapshot;
    const over = snapshot.status === "over";
    if (!same || over) this.origin = this.split = this.fresh();
    if (over) clearInterval(this.counting);
    if (this.past === null) this.showRound(turns);
    this.refresh();
  }

  /** Shows the newest round that is over, if there is one and it is to be shown. */
  showRound(turns) {
    const { view, status, you } = this.snapshot;
    const stays = view.goes > 0 && (status === "over" || you === null);
    if (view.goes > 0 && turns !== null && turns.length > 0) this.reveal(view.goes - 1, true);
    else if (stays && this.revealing?.index !== view.goes - 1) this.reveal(view.goes - 1, false);
  }

  /** Shows the game as it stood after an earlier round; `turns` are played as motion. */
  still(view, last, burns, { turns = null } = {}) {
    this.past = { view, last };
    this.stop();
    if (view.goes > 0) this.reveal(view.goes - 1, turns !== null);
    this.refresh();
  }

  /** Shows the newest state again. */
  live({ turns = null } = {}) {
    if (this.past === null) return;
    this.past = null;
    this.stop();
    this.showRound(turns);
    this.refresh();
  }

  /** Nothing placed yet; null for those who only watch, and after the end. */
  fresh() {
    const { view, you, status } = this.snapshot;
    return you !== null && status === "live" ? openSplit(view) : null;
  }

  sealed() {
    const mine = this.snapshot.your_seal;
    return mine ? countsOf(mine[0]) : null;
  }

  isActive() {
    const open = this.snapshot?.prompt && this.sealed() === null && !this.sent;
    return Boolean(open) && !this.veiled && this.past === null && this.revealing === null;
  }

  isReady() {
    return this.isActive() && isPlaced(this.split);
  }

  /* What a person does. */

  change(field, by) {
    if (!this.isActive()) return;
    const after = change(this.split, field, by);
    if (after === this.split) return;
    this.split = after;
    this.refresh();
  }

  /** Takes the last change back. */
  undo() {
    if (!this.isActive() || this.lifted) return;
    this.split = takeBack(this.split);
    this.refresh();
  }

  /** Takes all troops back into the hand. */
  clear() {
    if (!this.canClear()) return;
    this.origin = this.split = this.fresh();
    this.refresh();
  }

  canClear() {
    return this.isActive() && this.split.counts.some((count) => count > 0);
  }

  /** Seals the orders that are complete; tells whether there were any. */
  submit() {
    if (!this.isReady()) return false;
    this.events.onGo([actionOf(this.snapshot.prompt.word, this.split)]);
    return true;
  }

  /** Places what is typed, "5 1 4": {ok, say}. The same again, or nothing, seals what is placed. */
  type(text) {
    if (!this.isActive()) return { ok: false, say: this.idle() };
    if (text.trim() === "") return this.submit() ? { ok: true, say: null } : { ok: false, say: this.rest() };
    const { counts, say } = typedSplit(text, this.split);
    if (counts === null) return { ok: false, say };
    const same = this.isReady() && counts.join() === this.split.counts.join();
    if (same) this.submit();
    else this.place(counts);
    return { ok: true, say: null };
  }

  place(counts) {
    this.split = since(this.split, withCounts(this.split, counts));
    this.refresh();
  }

  rest() {
    return t("Place {left} more to seal", { left: inHand(this.split) });
  }

  /** Why nothing can be typed now. */
  idle() {
    if (this.past !== null) return t("You are looking back. Go to the newest round to play.");
    if (this.snapshot.status === "over") return t("The game is over.");
    if (this.veiled) return t("Not connected. Nothing can be played now.");
    if (this.revealing !== null) return t("The last round is being shown. Go on to the next one first.");
    return t("Your orders are not asked for now.");
  }

  /** Orders are never planned, and keep no arrow. */
  get plan() {
    return null;
  }

  get dropped() {
    return null;
  }

  dropPlan() {}

  keep() {}

  /* What became of orders that were sent. */

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

  veil(veiled) {
    this.veiled = veiled;
    this.root.classList.toggle("veiled", veiled);
    this.refresh();
  }

  turn(near) {
    this.near = near;
    this.refresh();
  }

  /* The reveal. */

  reveal(index, moving) {
    this.stop();
    const still = !moving || reducedMotion();
    this.revealing = { index, start: performance.now(), time: still ? Infinity : 0 };
    this.wait = LINGER;
    if (!still) this.step();
    const { status, you } = this.snapshot;
    const goesOn = this.past === null && status === "live" && you !== null;
    if (goesOn) this.counting = setInterval(() => this.count(), 1000);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    clearInterval(this.counting);
    this.revealing = null;
  }

  step() {
    this.frame = requestAnimationFrame((now) => {
      if (this.revealing === null) return;
      const time = now - this.revealing.start;
      const done = time >= revealLength(this.snapshot.view.fields);
      this.revealing.time = done ? Infinity : time;
      this.sheet.showFields({ revealing: this.revealing });
      if (!done) this.step();
    });
  }

  count() {
    if (this.snapshot.status === "over") return;
    this.wait -= 1;
    if (this.wait <= 0) this.onward();
    else this.events.onHand();
  }

  onward() {
    this.stop();
    this.refresh();
  }

  /* What the page and the panel show. */

  get flips() {
    return false;
  }

  refresh() {
    if (!this.snapshot) return;
    const { past, near, revealing, sent, lifted, target } = this;
    const snapshot = past ? { ...this.snapshot, ...past } : this.snapshot;
    const split = past ? null : this.split;
    const mine = past ? null : this.sealed();
    const state = { near, revealing, sent, lifted, target, split, mine };
    this.sheet.show({ ...state, snapshot, past: past !== null });
    this.events.onHand();
  }

  /** {status, open: null, back: the word for taking back or null, ready, planned, planning, text}. */
  read(snapshot) {
    const { you, seats } = snapshot;
    const state = {
      revealing: this.revealing !== null && this.past === null,
      sealed: this.sealed() !== null || this.sent,
      sent: this.sent,
      placed: this.split !== null && isPlaced(this.split),
      wait: this.wait,
    };
    const other = seats[OTHER[you ?? "white"]].name;
    const status = troopsStatus(snapshot, state, other);
    const back = this.canClear() ? t("Clear") : null;
    const text = this.split === null ? "" : this.split.counts.join(" ");
    return { status, open: null, back, ready: this.isReady(), planned: false, planning: false, text };
  }

  /* What the lifting pointer asks and tells (see lift.js). */

  role() {
    return this.near;
  }

  lift(point, element) {
    if (!this.isActive() || element.closest("button")) return false;
    const { fields, tray } = this.sheet;
    const field = fields.findIndex((each) => each.canvas === element && each.holds(point));
    const origin = this.split;
    if (field >= 0) this.split = change(this.split, field, -1);
    else if (!tray.holds(point, element)) return false;
    this.origin = origin;
    this.lifted = true;
    this.refresh();
    return true;
  }

  fieldAt(point) {
    return this.sheet.fields.findIndex((field) => field.covers(point));
  }

  over(point) {
    const field = this.fieldAt(point);
    const next = field < 0 ? null : field;
    if (next === this.target) return;
    this.target = next;
    this.sheet.showFields({ target: next });
  }

  drop(point) {
    const field = point === null ? -1 : this.fieldAt(point);
    this.lifted = false;
    this.target = null;
    if (this.isActive()) {
      const split = field >= 0 ? change(this.split, field, 1) : this.split;
      this.split = since(this.origin, split);
    }
    this.refresh();
  }
}
