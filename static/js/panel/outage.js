/** What the page says and does while the line is down: a veil and a notice, after a moment's grace. */

const GRACE = 2500;

export class Outage {
  /**
   * `veil(on)` veils the board; `clockRuns()`: whether the person's own clock runs on; `waiting()`:
   * whether a go of his waits for its answer.
   */
  constructor(notices, { veil, clockRuns, waiting }) {
    Object.assign(this, { notices, veil, clockRuns, waiting });
    this.timer = 0;
  }

  show({ open, since, retryAt }) {
    clearTimeout(this.timer);
    if (open) {
      this.notices.hide("line");
      this.veil(false);
      return;
    }
    const now = performance.now();
    const grace = since + GRACE - now;
    if (grace <= 0) this.tell(retryAt, now);
    const next = grace > 0 ? grace : 1000;
    this.timer = setTimeout(() => this.show({ open, since, retryAt }), next);
  }

  tell(retryAt, now) {
    const wait = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
    const again = wait > 0 ? `Trying again in ${wait} s.` : "Trying again now.";
    const clock = this.clockRuns() ? "Your clock runs on. " : "";
    const kept = this.waiting() ? "Your go is kept and sent again. " : clock;
    this.notices.hide("sending");
    this.notices.show("line", ["Not connected.", kept + again]);
    this.veil(true);
  }
}
