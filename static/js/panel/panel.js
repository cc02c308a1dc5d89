/** The panel beside the board: strips, status, moves, side actions and notices put together. */

import { Ticker, nextChange } from "../clock.js";
import { OTHER } from "./words.js";
import { familyOf } from "../board/speech.js";
import { Acts } from "./acts.js";
import { Moves } from "./moves.js";
import { Notices } from "./notices.js";
import { Status, stepsAt } from "./status.js";
import { Strip } from "./strips.js";

const DOING = { blotto: "placing" };
const FLAG_AGAIN = 1000;

export class Panel {
  /** `deeds`: what the buttons do (see acts.js), `keep()`, `flag()`; `now()`: the server's time. */
  constructor(root, deeds, now) {
    const part = (id) => document.getElementById(id);
    Object.assign(this, { root, deeds, now });
    this.strips = { far: new Strip(part("far")), near: new Strip(part("near")) };
    this.status = new Status(part("status"), deeds.keep);
    this.moves = part("moves") ? new Moves(part("moves"), root.dataset.key) : null;
    this.count = part("count");
    this.acts = new Acts(part("acts"), deeds);
    this.notices = new Notices(part("notices"));
    this.name = part("game-name");
    this.watchers = part("watchers");
    this.watching = part("watching");
    this.people = { watchers: 0, here: null };
    this.ticker = new Ticker(() => this.tick());
    this.flagged = 0;
  }

  /** Shows a snapshot; `near` is the role at the low edge. */
  show(snapshot, near) {
    this.snapshot = snapshot;
    this.near = near;
    const { name, clock, view } = snapshot;
    this.name.textContent = `${name} · ${clock.label}`;
    if (this.count) {
      this.count.hidden = view.moves_limit === undefined;
      this.count.querySelector("b").textContent = `${view.moves_made} of ${view.moves_limit}`;
    }
    this.showStrips();
    this.ticker.start();
  }

  showStrips() {
    const { control, sealed, status, key } = this.snapshot;
    for (const [place, role] of [["far", OTHER[this.near]], ["near", this.near]]) {
      const acting = status === "live" && control.includes(role) && !sealed.includes(role);
      const word = DOING[familyOf(key)] ?? "to move";
      const done = status === "live" && sealed.includes(role) ? "sealed" : "";
      const here = this.people.here?.includes(role) ?? null;
      const bot = this.snapshot.seats[role].bot;
      const doing = acting ? word : done;
      this.strips[place].show(this.snapshot, role, { doing, acting, here: bot ? null : here });
    }
  }

  showPeople({ watchers, here }) {
    this.people = { watchers, here };
    this.watchers.hidden = watchers === 0;
    this.watching.textContent = String(watchers);
    this.watching.setAttribute("aria-label", `${watchers} watching`);
    this.showStrips();
    this.ticker.start();
  }

  /** `status`: {sentence, labels, index, hint, keep, mine}; `hand`: {open, goes, back, flips}. */
  showHand(status, { open, goes, back, flips }) {
    const steps = stepsAt(status.labels, status.index);
    this.status.show({ ...status, steps });
    this.moves?.show(goes, open);
    this.acts.show(this.snapshot, { back, flips });
  }

  /** Writes both clocks; gives the ms until one of them reads differently, null if none runs. */
  tick() {
    const now = this.now();
    const running = Object.values(this.strips)
      .map((strip) => strip.tick(this.snapshot, now))
      .filter((left) => left !== null);
    if (running.length === 0) return null;
    if (Math.min(...running) <= 0) this.flag();
    return Math.min(...running.map(nextChange));
  }

  /** A clock is at its end: asks the server to look, now and then again until it has answered. */
  flag() {
    const now = performance.now();
    if (now - this.flagged < FLAG_AGAIN) return;
    this.flagged = now;
    this.deeds.flag();
  }
}
