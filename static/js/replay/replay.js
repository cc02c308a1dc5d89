/**
 * The replay: the shown position of the game, fetched when it is first needed, and the controls.
 *
 * A view is a frozen value {at, count, seen}: `at` is the number of turns before the shown position, null
 * while the newest is followed; `count` is the number of turns that there are; `seen` how many there were
 * when one began to look back. The functions on views are pure.
 */

import { find } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";
import { pastPosition, turnText } from "./record.js";

/**
 * @param {number | null} at
 * @param {number} count
 * @param {number} seen
 */
const makeView = (at, count, seen) => Object.freeze({ at, count, seen });

/** @param {number} count */
export function followNewest(count) {
  return makeView(null, count, count);
}

/** @param {ReplayView} view */
export const isBack = ({ at }) => at !== null;

/**
 * The number of turns before the shown position.
 *
 * @param {ReplayView} view
 */
export const shownOf = ({ at, count }) => at ?? count;

/**
 * Returns how many turns have been played since one began to look back.
 *
 * @param {ReplayView} view
 */
export const newSince = ({ at, count, seen }) => (at === null ? 0 : Math.max(0, count - seen));

/**
 * Looks at the position after `turn` turns; at the last one it follows the game again.
 *
 * @param {ReplayView} view
 * @param {number} turn
 */
export function lookAt(view, turn) {
  const { count, seen } = view;
  const bounded = Math.max(0, Math.min(count, turn));
  if (bounded === count) return followNewest(count);
  return makeView(bounded, count, isBack(view) ? seen : count);
}

/** @type {Record<StepName, (view: ReplayView) => ReplayView>} */
export const VIEW_STEPS = {
  first: (view) => lookAt(view, 0),
  back: (view) => lookAt(view, shownOf(view) - 1),
  forward: (view) => lookAt(view, shownOf(view) + 1),
  last: (view) => followNewest(view.count),
};

/**
 * The game has `count` turns now. A past position stays, unless its turn was taken back.
 *
 * @param {ReplayView} view
 * @param {number} count
 */
export function withCount(view, count) {
  if (view.at === null || view.at >= count) return followNewest(count);
  return makeView(view.at, count, Math.min(view.seen, count));
}

/**
 * The turn that an address names ("#12"), or null.
 *
 * @param {string} hash
 */
export function turnInHash(hash) {
  const found = /^#(\d{1,4})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

export class Replay {
  /**
   * `record` has the steps; its `start` is the view before the first, once it has been fetched.
   *
   * @param {import("./record.js").GameRecord} record
   * @param {Surface} surface
   * @param {string} key
   */
  constructor(record, surface, key) {
    this.record = record;
    this.surface = surface;
    this.key = key;
    /** @type {ReplayView} */
    this.look = followNewest(record.turns().length);
    /** @type {ReplayView | null} */
    this.wanted = null;
  }

  get isBack() {
    return isBack(this.look);
  }

  /** The number of turns before the shown position. */
  get shown() {
    return shownOf(this.look);
  }

  /**
   * Shows what `view` looks at; one turn forward is played as motion. `fetch()` brings positions that
   * are missing; it may be enough although others, of turns played meanwhile, are not there yet. Tells
   * whether it is shown; the newest request wins.
   *
   * @param {ReplayView} view
   * @param {() => Promise<unknown>} fetch
   */
  async go(view, fetch) {
    this.wanted = view;
    const isKnown = () => view.at === null || this.past(view.at) !== null;
    if (!isKnown()) await fetch();
    if (this.wanted !== view) return true;
    if (!isKnown()) return false;
    const before = this.shown;
    this.look = withCount(view, this.record.turns().length);
    this.show(before);
    return true;
  }

  /** @param {number} turn */
  past(turn) {
    const { record } = this;
    return pastPosition(record.turns(), record.start, turn);
  }

  /**
   * The view of the position that is shown: a past one, or the newest.
   *
   * @param {Wire.Snapshot} snapshot
   */
  viewOf(snapshot) {
    return (this.isBack && this.past(this.shown)?.view) || snapshot.view;
  }

  /** @param {number} before */
  show(before) {
    const forward = this.shown === before + 1;
    const { at } = this.look;
    if (at === null) {
      const newest = this.record.turns().at(-1)?.steps ?? null;
      const moves = forward && this.key !== "blotto"; // a round that is revealed would wait there
      this.surface.live({ steps: moves ? newest : null });
      return;
    }
    const past = this.past(at);
    if (past === null) return;
    this.surface.still(past.view, past.last, past.burns, { steps: forward ? past.last : null });
  }

  /** The record has grown, or has lost turns that were taken back. */
  updateCount() {
    const was = this.isBack;
    this.look = withCount(this.look, this.record.turns().length);
    if (was && !this.isBack) this.surface.live();
  }

  /**
   * Returns the notation of a turn of the record, counted from 1.
   *
   * @param {number} turn
   */
  textOfTurn(turn) {
    const found = this.record.turns()[turn - 1];
    return found ? turnText(found, this.key) : "";
  }

  /**
   * The status of one who looks back: the sentence stays, the steps and hints give way.
   *
   * @param {Status} status
   */
  status(status) {
    const { shown, look } = this;
    const turn = this.textOfTurn(shown);
    const chip = {
      kind: "back",
      text: t("Move {at} of {count}", { at: shown, count: look.count }),
    };
    const hint = turn === "" ? t("Start position") : t("After {turn}.", { turn });
    return { ...status, hint: /** @type {BoldText} */ ([[hint, false]]), chip, keep: false };
  }
}

/** @type {StepName[]} */
const STEP_IDS = ["first", "back", "forward", "last"];

export class ReplayControls {
  /**
   * `root` holds the buttons and the slider, `follow` is apart; `onLook(view)` wants another view.
   *
   * @param {HTMLElement} root
   * @param {HTMLElement} follow
   * @param {(view: ReplayView) => void} onLook
   */
  constructor(root, follow, onLook) {
    this.root = root;
    this.follow = follow;
    this.onLook = onLook;
    this.view = followNewest(0);
    /** @type {HTMLInputElement} */
    this.slider = find(root, "#slider");
    this.place = find(root, "#place");
    this.followWord = find(follow, "span");
    this.buttons = Object.fromEntries(STEP_IDS.map((id) => [id, find(root, `#look-${id}`)]));
    for (const [id, button] of /** @type {[StepName, HTMLElement][]} */ (
      Object.entries(this.buttons)
    )) {
      button.addEventListener("click", () => this.step(id));
    }
    follow.addEventListener("click", () => this.step("last"));
    this.slider.addEventListener("input", () => {
      this.onLook(lookAt(this.view, Number(this.slider.value)));
    });
  }

  /** @param {StepName} id */
  step(id) {
    this.onLook(VIEW_STEPS[id](this.view));
  }

  /**
   * `spelled(turn)`: how a turn reads; `live`: the game runs.
   *
   * @param {ReplayView} view
   * @param {{ textOfTurn: (turn: number) => string, live: boolean }} options
   */
  show(view, { textOfTurn, live }) {
    this.view = view;
    const { count } = view;
    const at = shownOf(view);
    this.slider.max = String(count);
    this.slider.value = String(at);
    this.slider.disabled = count === 0;
    const place = this.placeWords(at, count, textOfTurn);
    this.slider.setAttribute("aria-valuetext", place);
    this.place.textContent = t("{at} of {count}", { at, count });
    this.mark("first", at > 0);
    this.mark("back", at > 0);
    this.mark("forward", isBack(view));
    this.mark("last", isBack(view));
    this.showFollow(view, live);
  }

  /**
   * @param {number} at
   * @param {number} count
   * @param {(turn: number) => string} textOfTurn
   */
  placeWords(at, count, textOfTurn) {
    if (count === 0) return t("No move yet.");
    if (at === 0) return t("Start of the game, {count} moves", { count });
    return t("move {at} of {count}: {turn}", { at, count, turn: textOfTurn(at) });
  }

  /**
   * @param {StepName} id
   * @param {boolean} may
   */
  mark(id, may) {
    this.buttons[id].setAttribute("aria-disabled", String(!may));
  }

  /**
   * @param {ReplayView} view
   * @param {boolean} live
   */
  showFollow(view, live) {
    const news = newSince(view);
    const on = live && isBack(view);
    if (!on && document.activeElement === this.follow) this.slider.focus();
    this.follow.hidden = !on;
    const words =
      news === 0
        ? t("Follow live")
        : tn("Follow live ({count} new)", "Follow live ({count} new)", news);
    if (this.followWord.textContent !== words) this.followWord.textContent = words;
  }
}
