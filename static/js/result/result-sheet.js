/** The result sheet: who won and why, over the panel, with the ways to go on from there. */

import { freeze } from "../lib/action-buttons.js";
import { find } from "../lib/dom.js";
import { durationText, resultReason, resultTitle } from "../lib/result-words.js";
import { t, tn } from "../lib/text.js";
import { RatingChange } from "./rating-change.js";
import { Rematch } from "./rematch.js";

/**
 * "17 moves · 4 min": how long the game was. Pure.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function lengthText({ key, turns, started, ended }) {
  const count =
    key === "blotto"
      ? tn("{count} round", "{count} rounds", turns)
      : tn("{count} move", "{count} moves", turns);
  return ended === null ? count : `${count} · ${durationText(ended - started)}`;
}

export class ResultSheet {
  /**
   * `sheet` is #result, `row` the row below the status that brings it back; `share()` opens the
   * share sheet, `tell(sentence)` speaks, `leave(url)` goes to another page, `mayLeave()`: whether a
   * spectator may be taken along now; `bring()` brings the place of the sheet into view.
   *
   * @param {{ sheet: HTMLElement, row: HTMLElement, panel: HTMLElement }} parts
   * @param {{ share: () => void, tell: (sentence: string) => void, leave: (url: string) => void, mayLeave: () => boolean, bring: () => void }} commands
   */
  constructor({ sheet, row, panel }, commands) {
    this.sheet = sheet;
    this.row = row;
    this.panel = panel;
    this.commands = commands;
    this.title = find(sheet, "#result-title");
    this.reason = find(sheet, "#result-reason");
    this.facts = find(sheet, "#result-facts");
    this.opener = find(row, "#show-result");
    /** @type {HTMLAnchorElement} */
    this.lobby = find(row, "#to-lobby");
    /** @type {Wire.Snapshot | null} */
    this.snapshot = null;
    this.rematch = new Rematch(sheet, this.lobby, commands);
    this.rating = new RatingChange(sheet.querySelector("#result-rating"));
    this.opener.addEventListener("click", () => this.open({ focus: true }));
    find(sheet, "#close-result").addEventListener("click", () => this.close());
    find(sheet, "#share").addEventListener("click", () => this.commands.share());
  }

  get isOpen() {
    return !this.sheet.hidden;
  }

  /**
   * Shows a snapshot of a game that is over; `ended`: it has ended while this page was open.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {{ ended: boolean }} news
   */
  show(snapshot, { ended }) {
    const first = this.snapshot === null;
    this.snapshot = snapshot;
    this.row.hidden = false;
    this.lobby.hidden = !snapshot.lobby;
    if (first && snapshot.lobby) this.lobby.href = `/l/${snapshot.lobby}/`;
    this.title.textContent = resultTitle(snapshot);
    const reason = resultReason(snapshot);
    this.reason.textContent = reason && t("{sentence}.", { sentence: reason });
    this.facts.textContent = lengthText(snapshot);
    this.rematch.show(snapshot, { ended });
    this.rating.show(snapshot);
    if (first && ended) this.open({ focus: this.panel.contains(document.activeElement) });
  }

  /** @param {{ focus: boolean }} options whether the focus goes to the sheet */
  open({ focus }) {
    if (this.isOpen) return;
    this.commands.bring();
    this.sheet.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.sheet.querySelectorAll(".result-row .button").forEach((each) => freeze(each));
    if (focus) this.sheet.focus();
  }

  /** Puts the sheet away; returns whether it was there. */
  close() {
    if (!this.isOpen) return false;
    const focused = this.sheet.contains(document.activeElement);
    this.sheet.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    if (focused) this.opener.focus();
    return true;
  }
}
