/** Looking back: which position the surface shows, fetched when it is first wanted. */

import { t } from "../text.js";
import { pastOf, spellingOf } from "./past.js";
import { follow, grown, isBack, shownOf } from "./view.js";

export class Replay {
  /** `record` has the turns; its `start` is the view before the first, once it has been fetched. */
  constructor(record, surface, key) {
    Object.assign(this, { record, surface, key });
    this.look = follow(record.goes().length);
    this.wanted = null;
  }

  get isBack() {
    return isBack(this.look);
  }

  /** The number of goes played in what is shown. */
  get shown() {
    return shownOf(this.look);
  }

  /**
   * Shows what `view` looks at; one go forward is played as motion. `fetch()` brings positions that
   * are missing; it may be enough although others, of goes played meanwhile, are not there yet. Tells
   * whether it is shown; the newest wish wins.
   */
  async go(view, fetch) {
    this.wanted = view;
    if (isBack(view) && !this.past(view.at)) await fetch();
    if (this.wanted !== view) return true;
    if (isBack(view) && !this.past(view.at)) return false;
    const before = this.shown;
    this.look = grown(view, this.record.goes().length);
    this.show(before);
    return true;
  }

  past(go) {
    const { record } = this;
    return pastOf(record.goes(), record.start, go);
  }

  show(before) {
    const forward = this.shown === before + 1;
    if (!this.isBack) {
      const newest = this.record.goes().at(-1)?.turns ?? null;
      const moves = forward && this.key !== "blotto"; // a round that is revealed would wait there
      this.surface.live({ turns: moves ? newest : null });
      return;
    }
    const past = this.past(this.look.at);
    if (past === null) return;
    this.surface.still(past.view, past.last, past.burns, { turns: forward ? past.last : null });
  }

  /** The record has grown, or has lost goes that were taken back. */
  grown() {
    const was = this.isBack;
    this.look = grown(this.look, this.record.goes().length);
    if (was && !this.isBack) this.surface.live();
  }

  /** How a go of the record reads, counted from 1. */
  spelled(go) {
    const found = this.record.goes()[go - 1];
    return found ? spellingOf(found, this.key) : "";
  }

  /** The status of one who looks back: the sentence stays, the steps and hints give way. */
  status(status) {
    const { shown, look } = this;
    const go = this.spelled(shown);
    const chip = { kind: "back", text: t("Looking back: {at} of {count}", { at: shown, count: look.count }) };
    const hint = go === "" ? t("The start of the game.") : t("After {go}.", { go });
    return { ...status, hint: [[hint, false]], chip, keep: false };
  }
}
