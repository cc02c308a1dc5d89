/** Clocks as arithmetic, and the ticker that asks for a new text just when it changes. */

import { t } from "./text.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, tenths are shown and the strip says it in words. */
export const LOW = 20 * SECOND;

/** The server ends a game; until it has, no clock shows nothing left. */
const LEAST = 100;

/** More than this beyond a round trip is no delay, but a clock that was set, in ms. */
const JUMP = 250;

/** What is left to `role` at server time `now`, or null without a clock. May be negative. */
export function leftOf(clock, role, now) {
  if (!clock || clock.left === null || clock.kind === "none") return null;
  const left = clock.left[role];
  return clock.running.includes(role) ? left - Math.max(0, now - clock.since) : left;
}

/** "4:12", "1:02:07", "2 d 3 h"; under 20 s "0:19.3". A live clock never shows less than 0:00.1. */
export function clockText(left, { live = true } = {}) {
  const shown = Math.max(live ? LEAST : 0, left);
  const two = (value) => String(value).padStart(2, "0");
  if (shown < LOW) {
    const tenths = Math.floor(shown / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  if (shown >= DAY) {
    const [days, hours] = [Math.floor(shown / DAY), Math.floor((shown % DAY) / HOUR)];
    return t("{days} d {hours} h", { days, hours });
  }
  const seconds = two(Math.floor((shown % MINUTE) / SECOND));
  const minutes = Math.floor((shown % HOUR) / MINUTE);
  if (shown >= HOUR) return `${Math.floor(shown / HOUR)}:${two(minutes)}:${seconds}`;
  return `${minutes}:${seconds}`;
}

/** "20 s left" and below, in whole seconds, for the strip's words; null while there is more. */
export function lowWords(left) {
  if (left === null || left >= LOW) return null;
  return t("{count} s left", { count: Math.max(1, Math.ceil(left / SECOND)) });
}

/** How long the present text of a running clock stays true. */
export function nextChange(left) {
  if (left <= 0) return SECOND;
  const grain = left < LOW ? 100 : left >= DAY ? MINUTE : SECOND;
  return Math.max(20, (left % grain) + 1);
}

/** The difference between the server's clock and ours, from the fastest answers heard. */
export class ServerTime {
  constructor(now = () => Date.now()) {
    this.now = now;
    this.offset = 0;
    this.best = Infinity;
  }

  /**
   * `server` is the server's time in a message that took at most `trip` ms there and back. A slow
   * answer counts only where its trip cannot be why it differs: then our own clock has jumped.
   */
  hear(server, trip = Infinity) {
    const offset = server + (trip === Infinity ? 0 : trip / 2) - this.now();
    const jumped = Math.abs(offset - this.offset) > trip + JUMP;
    if (trip > 1.5 * this.best && !jumped) return;
    this.best = jumped ? trip : Math.min(this.best, trip);
    this.offset = offset;
  }

  /** The next answer counts, however slow. */
  forget() {
    this.best = Infinity;
  }

  read() {
    return this.now() + this.offset;
  }
}

/** Calls `tick()` whenever it must; `tick` returns the ms until the next change, or null to sleep. */
export class Ticker {
  constructor(tick) {
    this.tick = tick;
    this.timer = 0;
  }

  start() {
    clearTimeout(this.timer);
    const wait = this.tick();
    this.timer = wait === null ? 0 : setTimeout(() => this.start(), wait);
  }
}
