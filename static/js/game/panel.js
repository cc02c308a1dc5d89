/** The panel beside the board: strips, status, moves, replay, side actions and sheets put together. */

import { SideActions } from "../lib/action-buttons.js";
import { nextChange, Ticker } from "../lib/clock.js";
import { byId } from "../lib/dom.js";
import { clockLabel, familyOf, gameName, OTHER } from "../lib/game-words.js";
import { required } from "../lib/required.js";
import { t, tn } from "../lib/text.js";
import { MoveList } from "../replay/move-list.js";
import { isBack, ReplayControls, shownOf } from "../replay/replay.js";
import { clocksAfter } from "../replay/turn-times.js";
import { Notices } from "./notices.js";
import { OfferSheets } from "./offer-sheets.js";
import { openOffers } from "./offers.js";
import { PlayerStrip } from "./player-strips.js";
import { SideColumn } from "./side-column.js";
import { StatusBlock, stepsAt } from "./status-block.js";
import { Tabs } from "./tabs.js";

const FLAG_INTERVAL_MS = 1000;

const AGES_INTERVAL_MS = 1000;

export class Panel {
  /**
   * `commands`: of the buttons (action-buttons.js, status-block.js, offers.js), `look(view)`, `flag()`;
   * `now()`: the server's time; `onLow()`: the own clock has come to its last seconds.
   *
   * @param {HTMLElement} root
   * @param {Commands} commands
   * @param {{ now: () => number, onLow: (left: number) => void, onThing: (offer: OpenOffer) => void }} options
   */
  constructor(root, commands, { now, onLow, onThing }) {
    /** @type {Wire.Snapshot | null} */
    this.shown = null;
    /** @type {Role} */
    this.near = "white";
    /** @type {number | undefined} */
    this.aging = undefined;
    /** @param {string} id */
    const part = (id) => byId(id);
    this.root = root;
    this.commands = commands;
    this.now = now;
    this.onLow = onLow;
    this.onThing = onThing;
    /** @type {SeatRatings} */
    const ratings = JSON.parse(document.getElementById("seat-ratings")?.textContent ?? "{}");
    this.strips = {
      far: new PlayerStrip(part("far"), ratings),
      near: new PlayerStrip(part("near"), ratings),
    };
    this.status = new StatusBlock(part("status"), commands);
    /** @param {number} turn */
    const look = (turn) => commands.lookAt(turn);
    const moves = document.getElementById("moves");
    this.moves = moves && new MoveList(moves, root.dataset.key ?? "", look);
    /** Only a game with a limit of moves has one. */
    this.count = document.getElementById("count");
    this.acts = new SideActions(part("acts"), commands);
    this.tabs = new Tabs(part("inner"));
    this.notices = new Notices(part("notices"));
    this.sheets = new OfferSheets(part("asks"), commands);
    this.sheets.onLost = () => this.takeFocus(part("acts"));
    this.controls = new ReplayControls(part("replay"), part("follow"), commands.look);
    this.column = new SideColumn(part("beside"));
    this.name = part("game-name");
    this.length = part("game-clock");
    this.watchers = part("watchers");
    this.watching = part("watching");
    /** Null until the server has said who is here. @type {Wire.People | null} */
    this.people = null;
    /** @type {Wire.SideAction | null} */
    this.asked = null;
    /** Loaded in games that may be decided. @type {typeof import("./end-offers.js") | null} */
    this.ends = null;
    /** @type {Turn[]} */
    this.turns = [];
    /** The clocks after the turn that one looks back at. @type {Wire.ByRole<number | null> | null} */
    this.pastClocks = null;
    this.ticker = new Ticker(() => this.tick());
    this.flagged = 0;
  }

  /** The newest snapshot; TypeError before the first. */
  get snapshot() {
    return required(this.shown, "a snapshot");
  }

  /**
   * Shows a snapshot; `near` is the role at the low edge.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {Role} near
   */
  show(snapshot, near) {
    this.shown = snapshot;
    this.near = near;
    const { view } = snapshot;
    this.name.textContent = gameName(snapshot);
    this.length.textContent = clockLabel(snapshot);
    this.column.show(snapshot);
    if (this.count) {
      this.count.hidden = view.moves_limit === undefined;
      const [made, limit] = [view.moves_made, view.moves_limit];
      this.count.textContent = t("{made} of {limit} steps", { made, limit });
    }
    if (this.asked && !snapshot.may.includes(this.asked)) this.asked = null;
    this.showStrips();
    this.showThings();
    this.ticker.start();
  }

  showStrips() {
    const { snapshot } = this;
    const { control, sealed, status, key } = snapshot;
    const blotto = familyOf(key) === "blotto";
    const rest = blotto && status === "live" && control.length === 0 ? t("revealing") : "";
    /** @type {["far" | "near", Role][]} */
    const places = [
      ["far", OTHER[this.near]],
      ["near", this.near],
    ];
    for (const [place, role] of places) {
      const acting = status === "live" && control.includes(role) && !sealed.includes(role);
      const word = blotto ? t("placing") : t("to move");
      const done = status === "live" && sealed.includes(role) ? t("locked in") : "";
      const here = this.people?.here.includes(role) ?? null;
      const bot = snapshot.seats[role].bot;
      const away = this.people?.away[role] ?? null;
      const doing = acting ? word : done || rest;
      this.strips[place].show(snapshot, role, {
        doing,
        acting,
        here: bot ? null : here,
        away,
      });
    }
  }

  /**
   * Shows the points of a game that is over, "1" and "0", at the names.
   *
   * @param {Wire.Snapshot} snapshot
   */
  showPoints({ outcome }) {
    for (const strip of Object.values(this.strips)) strip.showPoints(outcome);
  }

  /** @param {Wire.People} people */
  showPeople(people) {
    this.people = people;
    const { watchers } = people;
    this.watchers.hidden = watchers === 0;
    this.watching.textContent = String(watchers);
    this.watching.setAttribute("aria-label", tn("{count} watching", "{count} watching", watchers));
    this.column.showWatchers(people);
    this.showStrips();
    this.showThings();
    this.ticker.start();
  }

  /** Shows the open offers; repeated while there are any, to update their age. */
  showThings() {
    clearTimeout(this.aging);
    const claim = this.people?.claim ?? null;
    const things = openOffers(this.snapshot, {
      claim,
      now: this.now(),
      turns: this.turns,
      asked: this.asked,
      ends: this.ends,
    });
    const fresh = this.sheets.show(things);
    fresh.filter(({ mine, key }) => !mine && !key.startsWith("ask-")).forEach(this.onThing);
    if (things.length > 0) this.aging = setTimeout(() => this.showThings(), AGES_INTERVAL_MS);
  }

  /**
   * Asks to confirm a command; null removes the question. The focus follows.
   *
   * @param {Wire.SideAction | null} what
   */
  ask(what) {
    const before = this.asked;
    this.asked = what;
    this.showThings();
    if (what) this.sheets.answer(`ask-${what}`)?.focus();
    else if (before) this.takeFocus(document.getElementById(before) ?? byId("resign"));
  }

  /**
   * The focus goes to `place`; where that is behind a tab, to the tab that is open.
   *
   * @param {HTMLElement} place
   */
  takeFocus(place) {
    if (place.getClientRects().length > 0) place.focus();
    else this.tabs.focus();
  }

  /**
   * `report`: the surface's report on the draft; `turns` of the record; `look`: where one looks, with
   * `spelled(turn)`; `sends`: turns are sent by a button.
   *
   * @param {Status} status
   * @param {DraftOptions} options
   */
  showDraft(status, { report, turns, look, textOfTurn, flips, sends }) {
    this.turns = turns;
    this.showClocksOf(turns, look);
    const steps = stepsAt(status.labels, status.index);
    const back = isBack(look) ? null : report.back;
    const { you, status: state, control } = this.snapshot;
    const waits = you !== null && state === "live" && !status.mine;
    this.status.show({ ...status, steps, waits, back, ready: report.ready, sends });
    const isTheirs = waits && control.includes(OTHER[you]);
    this.status.showWait(isTheirs ? this.snapshot.clock.since : null, this.now);
    this.root.toggleAttribute("data-back", isBack(look));
    this.moves?.show(turns, report.open, shownOf(look), isBack(look));
    this.controls.show(look, { textOfTurn, live: this.snapshot.status === "live" });
    const { count } = this.snapshot;
    const countHint = count ? this.ends?.countHint(count) : "";
    this.acts.show(this.snapshot, { flips, countHint });
  }

  /**
   * While one looks back, the strips show the clocks after that turn.
   *
   * @param {Turn[]} turns
   * @param {ReplayView} look
   */
  showClocksOf(turns, look) {
    const was = this.pastClocks;
    this.pastClocks = isBack(look) ? clocksAfter(turns, shownOf(look), this.snapshot) : null;
    if (was !== null || this.pastClocks !== null) this.ticker.start();
  }

  /** Writes both clocks; returns the ms until one of them reads differently, null if none runs. */
  tick() {
    const now = this.now();
    /** @type {[PlayerStrip, number][]} */
    const running = [];
    for (const strip of Object.values(this.strips)) {
      const left = strip.tick(this.snapshot, now, this.pastClocks?.[strip.role]);
      if (left !== null) running.push([strip, left]);
    }
    const { begin } = this.snapshot.clock;
    if (begin) return this.tickBegin(begin.by - now);
    if (running.length === 0) return null;
    for (const [strip, left] of running) if (strip.role === this.snapshot.you) this.onLow(left);
    const lefts = running.map(([, left]) => left);
    if (Math.min(...lefts) <= 0) this.flag();
    return Math.min(...lefts.map(nextChange));
  }

  /**
   * The game waits for its pages, and begins by itself when the time is up.
   *
   * @param {number} left
   */
  tickBegin(left) {
    if (left <= 0) this.flag();
    return nextChange(left);
  }

  /** A clock is at its end: asks the server to look, now and then again until it has answered. */
  flag() {
    const now = performance.now();
    if (now - this.flagged < FLAG_INTERVAL_MS) return;
    this.flagged = now;
    this.commands.flag();
  }
}
