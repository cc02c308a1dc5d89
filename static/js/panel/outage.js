/** What the page says and does while the line is down or silent: a veil and a notice. */

import { t } from "../text.js";

/** A line that is lost and comes back at once is nobody's concern, in ms. */
const GRACE = 1500;

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

  show({ open, since, retryAt, silent }) {
    clearTimeout(this.timer);
    if (open && !silent) {
      this.notices.hide("line");
      this.veil(false);
      this.told(false);
      return;
    }
    const now = performance.now();
    const grace = silent ? 0 : since + GRACE - now;
    if (grace <= 0) this.tell(silent, retryAt, now);
    const next = grace > 0 ? grace : 1000;
    this.timer = setTimeout(() => this.show({ open, since, retryAt, silent }), next);
  }

  tell(silent, retryAt, now) {
    this.notices.hide("sending");
    this.notices.show("line", [this.what(silent), this.then(silent, retryAt, now)]);
    this.veil(true);
    this.told(true);
  }

  what(silent) {
    return silent
      ? t("Not connected: no answer. The board may be old.")
      : t("Not connected. The board may be old.");
  }

  then(silent, retryAt, now) {
    const wait = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
    const again = silent
      ? t("Waiting for an answer.")
      : wait > 0
        ? t("Trying again in {count} s.", { count: wait })
        : t("Trying again now.");
    if (this.waiting()) return `${t("Your go is kept and sent again.")} ${again}`;
    return this.clockRuns() ? `${t("Your clock runs on.")} ${again}` : again;
  }

  told(lost) {
    if (lost === this.isTold) return;
    this.isTold = lost;
    this.onChange(lost);
  }
}
