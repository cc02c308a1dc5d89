/** Blotto to play on: three plots, the tray, the envelope, and the reveal. */

import { onPaletteChange } from "../board/palette.js";
import { t } from "../text.js";
import { reducedMotion } from "../board/stage.js";
import { OTHER, roundHeadline } from "../panel/words.js";
import { Field } from "./field.js";
import { Letter } from "./letter.js";
import { listenLift } from "./lift.js";
import { fieldAt, revealLength } from "./reveal.js";
import { fillScore, roundsTable } from "./rounds.js";
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
import { Tray } from "./tray.js";
import { typedSplit } from "./typed.js";
import { envelopeWords, troopsStatus, verdictOf } from "./words.js";

/** How long a revealed round stays before the next one shows by itself, in seconds. */
const LINGER = 8;

export class Troops {
  /** `root` is #troops, `rounds` the place of the table. `events`: {onHand(), onGo(actions)}. */
  constructor(root, rounds, { near }, events) {
    const part = (id) => root.querySelector(`#${id}`);
    Object.assign(this, { root, rounds, near, events });
    this.parts = Object.fromEntries(
      ["headline", "headline-what", "headline-who", "plots", "outcome", "score", "onward"].map(
        (id) => [id, part(id)],
      ),
    );
    this.letter = new Letter(part("envelope"));
    this.tray = new Tray(part("tray"), () => this.submit());
    this.split = null;
    /** The split before the block that is lifted now. */
    this.origin = null;
    this.sent = false;
    this.revealing = null;
    this.target = null;
    this.lifted = false;
    this.veiled = false;
    this.past = null; // {view, last} of an earlier round while one looks back
    this.fields = [];
    this.parts.onward.addEventListener("click", () => this.onward());
    listenLift(root, this);
    new ResizeObserver(() => this.paint()).observe(root);
    onPaletteChange(() => this.paint());
  }

  build(count) {
    const onChange = (field, by) => this.change(field, by);
    this.fields = Array.from({ length: count }, (_, index) => new Field(index, onChange));
    this.parts.plots.replaceChildren(...this.fields.map(({ element }) => element));
  }

  /** Shows a newer state. `turns` have ended since the last one, null if they can't be shown. */
  show(snapshot, { turns, same }) {
    const { view, status, you } = snapshot;
    this.snapshot = snapshot;
    if (this.fields.length !== view.fields) this.build(view.fields);
    const over = status === "over";
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
    const open = this.snapshot.prompt !== null && this.sealed() === null && !this.sent;
    return open && !this.veiled && this.past === null && this.revealing === null;
  }

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

  isReady() {
    return this.isActive() && isPlaced(this.split);
  }

  /** Seals the orders that are complete; tells whether there were any. */
  submit() {
    if (!this.isReady()) return false;
    this.events.onGo([actionOf(this.snapshot.prompt.word, this.split)]);
    return true;
  }

  /** Places what is typed, "5 1 4": {ok, say}. The same again, or nothing, seals what is placed. */
  type(text) {
    const blank = text.trim() === "";
    if (!this.isActive()) return { ok: false, say: this.idle() };
    if (blank) return { ok: this.submit(), say: null };
    const { counts, say } = typedSplit(text, this.split);
    if (counts === null) return { ok: false, say };
    const same = this.isReady() && counts.join() === this.split.counts.join();
    if (same) this.submit();
    else this.place(counts);
    return { ok: true, say: null };
  }

  place(counts) {
    this.origin = this.split = since(this.split, withCounts(this.split, counts));
    this.refresh();
  }

  /** Why nothing can be typed now. */
  idle() {
    if (this.past !== null) return t("You are looking back. Go to the newest round to play.");
    if (this.snapshot.status === "over") return t("The game is over.");
    if (this.veiled) return t("Not connected. Nothing can be played now.");
    if (this.revealing !== null) return t("The last round is being shown. Go on to the next one first.");
    return t("Your orders are not asked for now.");
  }

  /** Orders are never planned. */
  get plan() {
    return null;
  }

  get dropped() {
    return null;
  }

  dropPlan() {}

  keep() {}

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
    this.revealing = { index, start: performance.now(), done: still };
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
      this.time = now - this.revealing.start;
      this.revealing.done = this.time >= revealLength(this.fields.length);
      this.showFields();
      if (!this.revealing.done) this.step();
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

  /* What the page shows. */

  get flips() {
    return false;
  }

  /** {status, open: null, back: the word for taking back, or null}. */
  read(snapshot) {
    const { you, seats } = snapshot;
    const state = {
      revealing: this.revealing !== null,
      sealed: this.sealed() !== null || this.sent,
      sent: this.sent,
      placed: this.split !== null && isPlaced(this.split),
      wait: this.wait,
    };
    const other = seats[OTHER[you ?? "white"]].name;
    const back = this.canClear() ? t("Clear") : null;
    const status = troopsStatus(snapshot, state, other);
    const text = this.split === null ? "" : this.split.counts.join(" ");
    return { status, open: null, back, ready: this.isReady(), planned: false, planning: false, text };
  }

  refresh() {
    if (!this.snapshot) return;
    const { view, status } = this.snapshot;
    const revealing = this.revealing !== null;
    this.root.dataset.mode = revealing ? "reveal" : "compose";
    this.letter.element.hidden = revealing;
    this.parts.headline.hidden = !revealing;
    this.tray.element.hidden = revealing || this.split === null;
    this.parts.outcome.hidden = !revealing;
    if (revealing) this.showOutcome();
    else this.showTray();
    const next = status === "over" ? null : view.goes;
    const current = revealing ? this.revealing.index : next;
    this.rounds.replaceChildren(...roundsTable(this.snapshot, this.near, current));
    this.letter.show(envelopeWords(this.snapshot, this.sealed() !== null));
    this.showFields();
    this.events.onHand();
  }

  showOutcome() {
    const { view, seats, you, status } = this.snapshot;
    const far = seats[OTHER[this.near]].name;
    const near = this.near === you ? "you" : seats[this.near].name;
    this.parts["headline-what"].textContent = roundHeadline(this.snapshot, this.revealing.index);
    this.parts["headline-who"].textContent = `${far} above, ${near} below`;
    fillScore(this.parts.score, this.snapshot, this.near);
    this.parts.onward.hidden = status === "over" || you === null;
    this.parts.onward.textContent = `On to round ${view.round}`;
  }

  showTray() {
    if (this.split === null) return;
    const mode = this.sealed() ? "sealed" : this.sent ? "sent" : "open";
    const left = mode === "open" ? inHand(this.split) : 0;
    const { total } = this.split;
    this.tray.show({ left, total, lifted: this.lifted, role: this.near, mode });
  }

  showFields() {
    this.fields.forEach((field, index) => field.show(this.fieldState(index)));
  }

  fieldState(index) {
    if (this.revealing !== null) return this.revealState(index);
    const role = this.near;
    if (this.split === null) return { mode: "wait", role, count: 0 };
    const mine = this.sealed();
    const counts = mine ?? this.split.counts;
    const mode = mine || this.sent ? "sealed" : "compose";
    const more = inHand(this.split) > 0;
    return { mode, role, count: counts[index], more, target: this.target === index };
  }

  revealState(index) {
    const { view, seats, you } = this.snapshot;
    const { index: round, done } = this.revealing;
    const farRole = OTHER[this.near];
    const split = view.splits[round];
    const [near, far] = [split[this.near][index], split[farRole][index]];
    const [nearName, farName] = [seats[this.near].name, seats[farRole].name];
    const isYou = this.near === you;
    const time = done ? Infinity : (this.time ?? 0);
    const names = { nearName: isYou ? "you" : nearName, farName: farRole === you ? "you" : farName };
    const verdict = { ...verdictOf(near, far, { ...names, isYou }), near, far, ...names };
    return {
      mode: "reveal",
      role: this.near,
      count: near,
      shown: fieldAt(time, index, near).blocks,
      far: { role: farRole, count: far, shown: fieldAt(time, index, far).blocks },
      verdict,
      said: fieldAt(time, index, near).verdict,
    };
  }

  paint() {
    this.fields.forEach((field) => field.paint());
    this.tray.paint();
    if (this.snapshot) this.letter.paint();
  }

  /* What the lifting pointer asks and tells (see lift.js). */

  role() {
    return this.near;
  }

  lift(point, element) {
    if (!this.isActive() || element.closest("button")) return false;
    const field = this.fields.findIndex((each) => each.canvas === element && each.holds(point));
    const origin = this.split;
    if (field >= 0) this.split = change(this.split, field, -1);
    else if (!this.tray.holds(point, element)) return false;
    this.origin = origin;
    this.lifted = true;
    this.refresh();
    return true;
  }

  over(point) {
    const target = this.fields.findIndex((field) => field.covers(point));
    const next = target < 0 ? null : target;
    if (next === this.target) return;
    this.target = next;
    this.showFields();
  }

  drop(point) {
    const field = point === null ? -1 : this.fields.findIndex((each) => each.covers(point));
    this.lifted = false;
    this.target = null;
    if (this.isActive()) {
      const split = field >= 0 ? change(this.split, field, 1) : this.split;
      this.split = since(this.origin, split);
    }
    this.refresh();
  }
}
