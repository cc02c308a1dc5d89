/** The page of Blotto: envelope, fields, tray, headline and rounds. It shows a state and decides nothing. */

import { find, makeElement } from "../lib/dom.js";
import { OTHER } from "../lib/game-words.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import { Envelope } from "./envelope.js";
import { Field } from "./field.js";
import { fieldRevealAt } from "./layout.js";
import { isOpening, untold } from "./reveal-gate.js";
import { BreakingSeals, flyPoints } from "./reveal-motions.js";
import { RoundHistory, roundsTable, showScore } from "./round-history.js";
import { SpectatorSheet } from "./spectator-sheet.js";
import { troopsLeft } from "./split-draft.js";
import { Tray } from "./tray.js";
import { envelopeTexts, fieldVerdict, roundHeadline, sideWord } from "./troops-sentences.js";

const IDS = ["headline", "headline-what", "headline-who", "plots", "outcome", "score", "onward"];

export class Sheet {
  /**
   * `commands`: {change(field, by), submit(), onward()}; `proofs` as for RoundHistory.
   *
   * @param {HTMLElement} root
   * @param {HTMLElement} rounds
   * @param {SheetCommands} commands
   * @param {RoundProofs | null | undefined} [proofs]
   */
  constructor(root, rounds, commands, proofs = null) {
    /** @param {string} id */
    const part = (id) => find(root, `#${id}`);
    this.root = root;
    this.rounds = rounds;
    this.commands = commands;
    this.parts = Object.fromEntries(IDS.map((id) => [id, part(id)]));
    this.envelope = new Envelope(part("envelope"));
    this.tray = new Tray(part("tray"), commands.submit);
    this.watching = new SpectatorSheet(root);
    this.seals = new BreakingSeals(this.parts.headline);
    /** @type {Field[]} */
    this.fields = [];
    this.past = new RoundHistory(proofs);
    rounds.replaceChildren(makeElement("table", "track"), this.past.element);
    /** @type {SheetState | null} */
    this.shown = null;
    this.parts.onward.addEventListener("click", commands.onward);
  }

  /** The shown state; TypeError before the first one. */
  get state() {
    return required(this.shown, "the state of the sheet");
  }

  /** @param {number} count */
  build(count) {
    if (this.fields.length === count) return;
    this.fields = Array.from(
      { length: count },
      (_, index) => new Field(index, this.commands.change),
    );
    this.parts.plots.replaceChildren(...this.fields.map(({ element }) => element));
  }

  /**
   * `state`: {snapshot, past: whether an earlier round is looked back at, near: the role below,
   * revealing: {index, time} or null, split: the draft or null, mine: sealed counts or null, sent,
   * lifted, target: the field under the lifted block or null}.
   *
   * @param {SheetState} state
   */
  show(state) {
    this.shown = state;
    const held = this.root.contains(document.activeElement) ? document.activeElement : null;
    const { snapshot, past, near, revealing, mine, split } = state;
    const { view, status } = snapshot;
    this.build(view.fields);
    const open = revealing !== null;
    const told = isOpening(revealing, view.fields)
      ? untold(snapshot, revealing?.index ?? 0)
      : snapshot;
    this.root.dataset.mode = open ? "reveal" : "compose";
    const watches = snapshot.you === null && status === "live" && !past && !open;
    this.watching.show(watches ? snapshot : null, near);
    this.parts.plots.hidden = watches;
    this.envelope.element.hidden = open || watches;
    this.parts.headline.hidden = !open;
    this.tray.element.hidden = open || split === null;
    this.parts.outcome.hidden = !open;
    if (revealing) this.showOutcome(revealing, told);
    else this.showTray();
    const next = status === "over" || past ? null : view.turns;
    this.rounds.firstElementChild?.replaceWith(
      roundsTable(told, near, revealing ? revealing.index : next),
    );
    this.past.show(past ? { ...told, commitments: {} } : told, near);
    this.envelope.show(envelopeTexts(snapshot, mine !== null));
    this.showFields();
    if (held !== null && held.getClientRects().length === 0) this.moveFocus();
  }

  /** Moves a lost focus to what comes next: the button that goes on, or the first field. */
  moveFocus() {
    const places = [this.parts.onward, this.fields[0].stepper.number, this.root];
    places.find((place) => place.getClientRects().length > 0)?.focus();
  }

  /**
   * `told`: the snapshot without a result that is still being shown.
   *
   * @param {Revealing} revealing
   * @param {Wire.SplitSnapshot} told
   */
  showOutcome(revealing, told) {
    const { snapshot, past, near } = this.state;
    const { view, seats, you, status } = snapshot;
    this.parts["headline-what"].textContent =
      told === snapshot
        ? roundHeadline(snapshot, revealing.index)
        : t("Round {round}", { round: revealing.index + 1 });
    this.parts["headline-who"].textContent =
      near === you
        ? t("You below, opponent above")
        : t("{above} above, {below} below", {
            above: seats[OTHER[near]].name,
            below: seats[near].name,
          });
    showScore(this.parts.score, told, near);
    this.parts.onward.hidden = past || status === "over" || you === null;
    this.parts.onward.textContent = t("On to round {round}", { round: view.round });
  }

  showTray() {
    const { split, mine, sent, lifted, near: role } = this.state;
    if (split === null) return;
    const mode = mine ? "sealed" : sent ? "sent" : "open";
    const left = mode === "open" ? troopsLeft(split) : 0;
    this.tray.show({ left, total: split.total, lifted, role, mode });
  }

  /**
   * Shows the plots only, as they are now or at another `time` of the reveal.
   *
   * @param {Partial<SheetState>} [change]
   */
  showFields(change = {}) {
    Object.assign(this.state, change);
    this.fields.forEach((field, index) => field.show(this.fieldState(index)));
    const { revealing } = this.state;
    if (revealing !== null) this.seals.paint(revealing.time);
  }

  /** Lets the points of each field of the revealed round fly to the sum of the side that got them. */
  flyPoints() {
    const { snapshot, near, revealing } = this.state;
    if (revealing === null) return;
    const split = snapshot.view.splits[revealing.index];
    const sums = this.parts.score.querySelectorAll("b");
    this.fields.forEach(({ verdict }, index) => {
      const [ours, theirs] = [split[near][index], split[OTHER[near]][index]];
      const text = ours === theirs ? "+1" : "+2";
      if (ours >= theirs) flyPoints(verdict.element, sums[0], text);
      if (theirs >= ours) flyPoints(verdict.element, sums[1], text);
    });
  }

  /**
   * @param {number} index
   * @returns {FieldState}
   */
  fieldState(index) {
    const { revealing, split, mine, sent, target, near: role } = this.state;
    if (revealing !== null) return this.revealState(index, revealing);
    if (split === null) return { mode: "wait", role, count: 0 };
    const count = (mine ?? split.counts)[index];
    const mode = mine || sent ? "sealed" : "compose";
    return { mode, role, count, most: count + troopsLeft(split), target: target === index };
  }

  /**
   * @param {number} index
   * @param {Revealing} revealing
   * @returns {FieldState}
   */
  revealState(index, revealing) {
    const { snapshot, near: role } = this.state;
    const { view, you } = snapshot;
    const farRole = OTHER[role];
    const split = view.splits[revealing.index];
    const [near, far] = [split[role][index], split[farRole][index]];
    const [isYou, isFarYou] = [role === you, farRole === you];
    const words = { yours: t("you"), theirs: t("them") };
    const names = {
      nearName: sideWord(snapshot, role, words),
      farName: sideWord(snapshot, farRole, words),
    };
    const { time } = revealing;
    const ours = fieldRevealAt(time, index, near);
    const theirs = fieldRevealAt(time, index, far);
    const verdict = fieldVerdict(near, far, { ...names, isYou, isFarYou });
    const said = ours.verdict;
    return {
      mode: "reveal",
      role,
      count: near,
      since: ours.since,
      fall: ours.fall,
      far: { role: farRole, count: far },
      verdict: { ...verdict, near: ours.blocks, far: theirs.blocks, ...names },
      said,
    };
  }

  paint() {
    if (this.shown === null) return;
    this.fields.forEach((field) => field.paint());
    this.tray.paint();
    this.envelope.paint();
    this.watching.paint();
  }
}
