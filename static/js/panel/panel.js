/** The panel beside the board: strips, status, moves, replay, side actions and sheets put together. */

import { Ticker, nextChange } from "../clock.js";
import { familyOf } from "../board/speech.js";
import { Controls } from "../replay/controls.js";
import { isBack, shownOf } from "../replay/view.js";
import { t, tn } from "../text.js";
import { Acts } from "./acts.js";
import { clockLabel, gameName } from "./labels.js";
import { Moves } from "./moves.js";
import { Notices } from "./notices.js";
import { thingsOf } from "./offers.js";
import { Sheets } from "./sheets.js";
import { Status, stepsAt } from "./status.js";
import { Strip } from "./strips.js";
import { Tabs } from "./tabs.js";
import { OTHER, sealedWords } from "./words.js";

const FLAG_AGAIN = 1000;
const AGES = 1000;

export class Panel {
  /**
   * `deeds`: what the buttons do (see acts.js, status.js and offers.js), `look(view)`, `flag()`;
   * `now()`: the server's time; `onLow()`: the own clock has come to its last seconds.
   */
  constructor(root, deeds, { now, onLow, onThing }) {
    const part = (id) => document.getElementById(id);
    Object.assign(this, { root, deeds, now, onLow, onThing });
    this.strips = { far: new Strip(part("far")), near: new Strip(part("near")) };
    this.status = new Status(part("status"), deeds);
    const look = (go) => deeds.lookAt(go);
    this.moves = part("moves") ? new Moves(part("moves"), root.dataset.key, look) : null;
    this.count = part("count");
    this.acts = new Acts(part("acts"), deeds);
    this.tabs = new Tabs(part("inner"));
    this.notices = new Notices(part("notices"));
    this.sheets = new Sheets(part("asks"), deeds);
    this.sheets.onLost = () => this.takeFocus(part("acts"));
    this.controls = new Controls(part("replay"), part("follow"), deeds.look);
    this.name = part("game-name");
    this.watchers = part("watchers");
    this.watching = part("watching");
    this.people = { watchers: 0, here: null, away: {}, claim: null };
    this.asked = null;
    this.goes = [];
    this.ticker = new Ticker(() => this.tick());
    this.flagged = 0;
  }

  /** Shows a snapshot; `near` is the role at the low edge. */
  show(snapshot, near) {
    this.snapshot = snapshot;
    this.near = near;
    const { view } = snapshot;
    this.name.textContent = `${gameName(snapshot)} · ${clockLabel(snapshot)}`;
    if (this.count) {
      this.count.hidden = view.moves_limit === undefined;
      const [made, limit] = [view.moves_made, view.moves_limit];
      this.count.textContent = t("{made} of {limit} moves", { made, limit });
    }
    if (snapshot.status === "over" || !snapshot.may.includes(this.asked)) this.asked = null;
    this.showStrips();
    this.showThings();
    this.ticker.start();
  }

  showStrips() {
    const { control, sealed, status, key } = this.snapshot;
    const blotto = familyOf(key) === "blotto";
    for (const [place, role] of [["far", OTHER[this.near]], ["near", this.near]]) {
      const acting = status === "live" && control.includes(role) && !sealed.includes(role);
      const word = blotto ? t("placing") : t("to move");
      const done = status === "live" && sealed.includes(role) ? sealedWords(this.snapshot, role) : "";
      const here = this.people.here?.includes(role) ?? null;
      const bot = this.snapshot.seats[role].bot;
      const away = this.people.away?.[role] ?? null;
      const doing = acting ? word : done;
      this.strips[place].show(this.snapshot, role, { doing, acting, here: bot ? null : here, away });
    }
  }

  showPeople(people) {
    this.people = { away: {}, claim: null, ...people };
    const { watchers } = people;
    this.watchers.hidden = watchers === 0;
    this.watching.textContent = String(watchers);
    this.watching.setAttribute("aria-label", tn("{count} watching", "{count} watching", watchers));
    this.showStrips();
    this.showThings();
    this.ticker.start();
  }

  /** What wants an answer; it is looked at again while it stands, for its age. */
  showThings() {
    clearTimeout(this.aging);
    const { claim } = this.people;
    const things = thingsOf(this.snapshot, { claim, now: this.now(), goes: this.goes, asked: this.asked });
    const fresh = this.sheets.show(things);
    fresh.filter(({ mine, key }) => !mine && !key.startsWith("ask-")).forEach(this.onThing);
    this.tabs.count("more", things.filter(({ mine }) => mine).length);
    if (things.length > 0) this.aging = setTimeout(() => this.showThings(), AGES);
  }

  /** Asks whether it is meant; null takes the question away. The focus follows. */
  ask(what) {
    const before = this.asked;
    this.asked = what;
    this.showThings();
    if (what) this.sheets.answer(`ask-${what}`)?.focus();
    else if (before) this.takeFocus(document.getElementById("resign"));
  }

  /** The focus goes to `place`; where that is behind a tab, to the tab that is open. */
  takeFocus(place) {
    if (place.getClientRects().length > 0) place.focus();
    else this.tabs.focus();
  }

  /**
   * `report`: what the surface says of the hand; `goes` of the record; `look`: where one looks, with
   * `spelled(go)`; `sends`: goes are sent by a button.
   */
  showHand(status, { report, goes, look, spelled, flips, sends }) {
    this.goes = goes;
    const steps = stepsAt(status.labels, status.index);
    const back = isBack(look) ? null : report.back;
    this.status.show({ ...status, steps, back, ready: report.ready, sends });
    this.root.toggleAttribute("data-back", isBack(look));
    this.moves?.show(goes, report.open, shownOf(look), isBack(look));
    this.controls.show(look, { spelled, live: this.snapshot.status === "live" });
    this.acts.show(this.snapshot, { flips });
  }

  /** Writes both clocks; gives the ms until one of them reads differently, null if none runs. */
  tick() {
    const now = this.now();
    const running = Object.values(this.strips)
      .map((strip) => [strip, strip.tick(this.snapshot, now)])
      .filter(([, left]) => left !== null);
    if (running.length === 0) return null;
    for (const [strip, left] of running) if (strip.role === this.snapshot.you) this.onLow(left);
    const lefts = running.map(([, left]) => left);
    if (Math.min(...lefts) <= 0) this.flag();
    return Math.min(...lefts.map(nextChange));
  }

  /** A clock is at its end: asks the server to look, now and then again until it has answered. */
  flag() {
    const now = performance.now();
    if (now - this.flagged < FLAG_AGAIN) return;
    this.flagged = now;
    this.deeds.flag();
  }
}
