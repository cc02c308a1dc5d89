/**
 * What became of the go that was sent: sending, accepted, refused because…, already done. It is shown
 * until something newer is to be said, at most for a few seconds.
 */

import { lagWords } from "../ledger/times.js";
import { t } from "../text.js";

const LASTS = 4000;

const CHIPS = {
  accepted: (go) => (go ? t("Accepted: {go}", { go }) : t("Accepted")),
  done: (go) => (go ? t("Already done: {go}", { go }) : t("Already done")),
  refused: (go) => (go ? t("Refused: {go}", { go }) : t("Refused")),
};

export class Fate {
  /** `onChange()` is called when there is something else to show. */
  constructor(onChange) {
    this.onChange = onChange;
    this.chip = null;
    this.timer = 0;
  }

  /** `kind`: accepted, done or refused; `go`: how it is spelled; `lag`: ms that it got back. */
  tell(kind, go, lag = 0) {
    clearTimeout(this.timer);
    const text = CHIPS[kind](go);
    this.chip = { kind, go, text: lag > 0 ? `${text} · ${lagWords(lag)}` : text };
    this.timer = setTimeout(() => this.forget(), LASTS);
    this.onChange();
  }

  forget() {
    clearTimeout(this.timer);
    if (this.chip === null) return;
    this.chip = null;
    this.onChange();
  }
}
