/** What the page of Blotto shows: envelope, plots, tray, headline and track. It decides nothing. */

import { OTHER, roundHeadline } from "../panel/words.js";
import { t } from "../text.js";
import { Field } from "./field.js";
import { Letter } from "./letter.js";
import { Past } from "./past.js";
import { make } from "./make.js";
import { fieldAt } from "./reveal.js";
import { fillScore, roundsTable } from "./rounds.js";
import { inHand } from "./split.js";
import { Tray } from "./tray.js";
import { envelopeWords, verdictOf } from "./words.js";

const IDS = ["headline", "headline-what", "headline-who", "plots", "outcome", "score", "onward"];

export class Sheet {
  /** `deeds`: {change(field, by), submit(), onward()}; `proofs` as for Past. */
  constructor(root, rounds, deeds, proofs = null) {
    const part = (id) => root.querySelector(`#${id}`);
    Object.assign(this, { root, rounds, deeds });
    this.parts = Object.fromEntries(IDS.map((id) => [id, part(id)]));
    this.letter = new Letter(part("envelope"));
    this.tray = new Tray(part("tray"), deeds.submit);
    this.fields = [];
    this.past = new Past(proofs);
    rounds.replaceChildren(make("table", "track"), this.past.element);
    this.state = null;
    this.parts.onward.addEventListener("click", deeds.onward);
  }

  build(count) {
    if (this.fields.length === count) return;
    this.fields = Array.from({ length: count }, (_, index) => new Field(index, this.deeds.change));
    this.parts.plots.replaceChildren(...this.fields.map(({ element }) => element));
  }

  /**
   * `state`: {snapshot, past: whether an earlier round is looked back at, near: the role below,
   * revealing: {index, time} or null, split: the hand or null, mine: sealed counts or null, sent,
   * lifted, target: the field under the lifted block or null}.
   */
  show(state) {
    this.state = state;
    const held = this.root.contains(document.activeElement) ? document.activeElement : null;
    const { snapshot, past, near, revealing, mine, split } = state;
    const { view, status } = snapshot;
    this.build(view.fields);
    const open = revealing !== null;
    this.root.dataset.mode = open ? "reveal" : "compose";
    this.letter.element.hidden = open;
    this.parts.headline.hidden = !open;
    this.tray.element.hidden = open || split === null;
    this.parts.outcome.hidden = !open;
    if (open) this.showOutcome();
    else this.showTray();
    const next = status === "over" || past ? null : view.goes;
    this.rounds.firstElementChild.replaceWith(roundsTable(snapshot, near, open ? revealing.index : next));
    this.past.show(past ? { ...snapshot, commitments: {} } : snapshot, near);
    this.letter.show(envelopeWords(snapshot, mine !== null));
    this.showFields();
    if (held !== null && held.getClientRects().length === 0) this.handOn();
  }

  /** What had the focus is gone: it goes to what comes next, the way on or the first plot. */
  handOn() {
    const places = [this.parts.onward, this.fields[0].foot.number, this.root];
    places.find((place) => place.getClientRects().length > 0).focus();
  }

  showOutcome() {
    const { snapshot, past, near, revealing } = this.state;
    const { view, seats, you, status } = snapshot;
    const [above, below] = [OTHER[near], near].map((role) => seats[role].name);
    this.parts["headline-what"].textContent = roundHeadline(snapshot, revealing.index);
    this.parts["headline-who"].textContent =
      near === you
        ? t("{above} above, you below", { above })
        : t("{above} above, {below} below", { above, below });
    fillScore(this.parts.score, snapshot, near);
    this.parts.onward.hidden = past || status === "over" || you === null;
    this.parts.onward.textContent = t("On to round {round}", { round: view.round });
  }

  showTray() {
    const { split, mine, sent, lifted, near: role } = this.state;
    if (split === null) return;
    const mode = mine ? "sealed" : sent ? "sent" : "open";
    const left = mode === "open" ? inHand(split) : 0;
    this.tray.show({ left, total: split.total, lifted, role, mode });
  }

  /** Shows the plots only, as they are now or at another `time` of the reveal. */
  showFields(change = {}) {
    Object.assign(this.state, change);
    this.fields.forEach((field, index) => field.show(this.fieldState(index)));
  }

  fieldState(index) {
    const { revealing, split, mine, sent, target, near: role } = this.state;
    if (revealing !== null) return this.revealState(index);
    if (split === null) return { mode: "wait", role, count: 0 };
    const count = (mine ?? split.counts)[index];
    const mode = mine || sent ? "sealed" : "compose";
    return { mode, role, count, most: count + inHand(split), target: target === index };
  }

  revealState(index) {
    const { snapshot, near: role, revealing } = this.state;
    const { view, seats, you } = snapshot;
    const farRole = OTHER[role];
    const split = view.splits[revealing.index];
    const [near, far] = [split[role][index], split[farRole][index]];
    const [isYou, isFarYou] = [role === you, farRole === you];
    const names = {
      nearName: isYou ? t("you") : seats[role].name,
      farName: isFarYou ? t("you") : seats[farRole].name,
    };
    const { time } = revealing;
    return {
      mode: "reveal",
      role,
      count: near,
      shown: fieldAt(time, index, near).blocks,
      far: { role: farRole, count: far, shown: fieldAt(time, index, far).blocks },
      verdict: { ...verdictOf(near, far, { ...names, isYou, isFarYou }), near, far, ...names },
      said: fieldAt(time, index, near).verdict,
    };
  }

  paint() {
    if (this.state === null) return;
    this.fields.forEach((field) => field.paint());
    this.tray.paint();
    this.letter.paint();
  }
}
