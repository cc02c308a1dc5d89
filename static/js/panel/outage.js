/** What the page says and does while the line is down or silent: a veil and a notice. */

import { t } from "../text.js";

/** A line that is lost and comes back at once is nobody's concern, in ms. */
const GRACE = 1500;

const WHYS = {
  restart: t("The server restarts. The board may be old."),
  flood: t("This page has sent too much at once. The board may be old."),
  "signed out": t("You were signed out. The board may be old."),
  "turned away": t("This game is not shown to you now."),
  gone: t("This game is no longer there."),
};

/** These are told at once; after the others the line is often back before anybody misses it. */
const SURE = ["restart", "flood", "turned away", "gone"];

function what({ silent, why }) {
  if (silent) return t("Not connected: no answer. The board may be old.");
  return WHYS[why] ?? t("Not connected. The board may be old.");
}

function again({ silent, retryAt }, now) {
  if (silent) return t("Waiting for an answer.");
  const wait = Math.ceil((retryAt - now) / 1000);
  return wait > 0 ? t("Trying again in {count} s.", { count: wait }) : t("Trying again now.");
}

/** What is wrong, and what happens next, by the line's state. Pure. */
export function outageWords(state, now, { clockRuns, waiting }) {
  if (state.why === "gone") return [what(state), t("Load the page again to see what is left.")];
  const then = again(state, now);
  if (waiting) return [what(state), `${t("Your go is kept and sent again.")} ${then}`];
  return [what(state), clockRuns ? `${t("Your clock runs on.")} ${then}` : then];
}

export class Outage {
  /**
   * `veil(on)` veils the board; `clockRuns()`: whether the person's own clock runs on; `waiting()`:
   * whether a go of theirs waits for its answer; `onChange(lost)` when a loss is first told, or over.
   */
  constructor(notices, { veil, clockRuns, waiting, onChange }) {
    Object.assign(this, { notices, veil, clockRuns, waiting, onChange });
    this.timer = 0;
    this.isTold = false;
  }

  show(state) {
    const { open, silent, since, why } = state;
    clearTimeout(this.timer);
    if (open && !silent) {
      this.notices.hide("line");
      this.veil(false);
      this.told(false);
      return;
    }
    const now = performance.now();
    const grace = silent || SURE.includes(why) ? 0 : since + GRACE - now;
    if (grace <= 0) this.tell(state, now);
    const next = grace > 0 ? grace : 1000;
    this.timer = setTimeout(() => this.show(state), next);
  }

  tell(state, now) {
    const clockRuns = this.clockRuns() && state.why !== "restart";
    this.notices.hide("sending");
    this.notices.show("line", outageWords(state, now, { clockRuns, waiting: this.waiting() }));
    this.veil(true);
    this.told(true);
  }

  told(lost) {
    if (lost === this.isTold) return;
    this.isTold = lost;
    this.onChange(lost);
  }
}
