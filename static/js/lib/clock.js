/** Clocks: remaining time as arithmetic and text, the server's time, and a ticker for changing texts. */

import { t } from "./text.js";

const SECOND = 1000;

const MINUTE = 60 * SECOND;

const HOUR = 60 * MINUTE;

const DAY = 24 * HOUR;

/** Below this, tenths are shown. */
const LOW_MS = 20 * SECOND;

/** Least time that a running clock shows, ms: only the server ends a game. */
const LEAST_SHOWN_MS = 100;

/** A difference above this, beyond the round trip, means that a clock was set, ms. */
const CLOCK_JUMP_MS = 250;

/**
 * Returns the time left to `role` at server time `now`, in ms, or null without a clock. May be negative.
 *
 * @param {Wire.Clock | null | undefined} clock
 * @param {Role} role
 * @param {number} now
 */
export function timeLeft(clock, role, now) {
  if (!clock || clock.kind === "none") return null;
  const left = clock.left[role];
  if (left === null) return null;
  const runs = clock.running.includes(role) && !(role in (clock.first_turn ?? {}));
  return runs ? left - Math.max(0, now - clock.since) + rested(clock, role, now) : left;
}

/**
 * Returns whether the reader of a snapshot holds a seat in a live game of minutes whose clock runs.
 *
 * @param {Pick<Wire.Snapshot, "you" | "status" | "clock">} snapshot
 */
export function isPlayedNow({ you, status, clock }) {
  const isOfMinutes = clock.kind === "fischer" || clock.kind === "limit";
  return you !== null && status === "live" && isOfMinutes && clock.running.length > 0;
}

/**
 * Returns the ms since the clocks started in which that of `role` stood, because of a holiday.
 *
 * @param {Wire.Clock} clock
 * @param {Role} role
 * @param {number} now
 */
function rested({ holidays, since }, role, now) {
  const holiday = holidays?.[role];
  if (!holiday) return 0;
  return Math.max(0, Math.min(now, holiday.until) - Math.max(since, holiday.start));
}

/**
 * Returns until when the user of `role` is on holiday, in ms since the epoch; null if not at `now`.
 *
 * @param {Wire.Clock} clock
 * @param {Role} role
 * @param {number} now
 */
export function holidayUntil({ holidays }, role, now) {
  const holiday = holidays?.[role];
  return holiday && holiday.start <= now && now < holiday.until ? holiday.until : null;
}

/**
 * "3 May, 14:00", in the page's language.
 *
 * @param {number} at
 */
export function momentText(at) {
  const language = globalThis.document?.documentElement.lang || "en";
  return new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
}

/**
 * "on holiday until 3 May"
 *
 * @param {number} until
 */
export function holidayText(until) {
  const language = globalThis.document?.documentElement.lang || "en";
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  return t("on holiday until {day}", { day: day.format(until) });
}

/**
 * Returns the time left to `role` for its first turn, during which its clock stands, in ms; null in
 * other turns, while it does not run, and without such a limit.
 *
 * @param {Wire.Clock} clock
 * @param {Role} role
 * @param {number} now
 */
export function firstTurnLeft({ first_turn: allowances, running, since }, role, now) {
  const allowance = allowances?.[role];
  if (allowance === undefined || !running.includes(role)) return null;
  return allowance - Math.max(0, now - since);
}

/**
 * "First move: 0:27", in whole seconds; "first move: 2 d 3 h" in slow games.
 *
 * @param {number} left
 */
export function firstTurnText(left) {
  if (left >= HOUR) return t("first move: {time}", { time: clockText(left) });
  const seconds = Math.max(0, Math.ceil(left / SECOND));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return t("first move: {time}", { time });
}

/**
 * "4:12", "1:02:07", "2 d 3 h"; under 20 s "0:19.3". A live clock never shows less than 0:00.1.
 *
 * @param {number} left
 * @param {{ live?: boolean }} [options]
 */
export function clockText(left, { live = true } = {}) {
  const shown = Math.max(live ? LEAST_SHOWN_MS : 0, left);
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, "0");
  if (shown < LOW_MS) {
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

/**
 * Returns how long the present text of a running clock stays true, in ms.
 *
 * @param {number} left
 */
export function nextChange(left) {
  if (left <= 0) return SECOND;
  const grain = left < LOW_MS ? 100 : left >= DAY ? MINUTE : SECOND;
  return Math.max(20, (left % grain) + 1);
}

/** The difference between the server's clock and ours, from the fastest answers heard. */
export class ServerTime {
  /** @param {() => number} [now] */
  constructor(now = () => Date.now()) {
    this.now = now;
    this.offset = 0;
    this.best = Infinity;
  }

  /**
   * `server` is the server's time in a message that took at most `trip` ms there and back. A slow
   * answer counts only where its trip cannot be why it differs: then our own clock has jumped.
   *
   * @param {number} server
   * @param {number} [trip]
   */
  observe(server, trip = Infinity) {
    const offset = server + (trip === Infinity ? 0 : trip / 2) - this.now();
    const jumped = Math.abs(offset - this.offset) > trip + CLOCK_JUMP_MS;
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
  /** @param {() => number | null} tick */
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

/**
 * Two sentences: no server was there for so long (in ms), and the consequence.
 *
 * @param {number} ms
 */
export function creditSentences(ms) {
  const count = Math.max(1, Math.round(ms / SECOND));
  return [t("The server was down for {count} s.", { count }), t("No clock lost time.")];
}

/**
 * The sentence that an action was under way for so long.
 *
 * @param {number} ms
 */
export function lagText(ms) {
  return t("{ms} ms network lag returned", { ms });
}

/**
 * "away", "away 2 min", "away 3 h": for how long somebody has had no page open.
 *
 * @param {number | null} since
 * @param {number} now
 */
export function absenceText(since, now) {
  const away = since === null ? 0 : now - since;
  if (away < MINUTE) return t("away");
  if (away < HOUR) return t("away {count} min", { count: Math.floor(away / MINUTE) });
  return t("away {count} h", { count: Math.floor(away / HOUR) });
}
