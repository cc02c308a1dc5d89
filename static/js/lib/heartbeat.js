/**
 * The heartbeat of a page's connection: when it pings, and when the connection counts as silent or dead.
 *
 * Pages that wait ping rarely: thousands of them are to cost the server next to nothing. A page that has to
 * know within seconds that its connection is dead probes: it pings as soon as nothing was heard for a while.
 */

/** Between two pings of a page, before they are spread by `PING_SPREAD`. */
export const PING_INTERVAL_MS = 25_000;

/** Share by which an interval is longer or shorter at random: thousands of pages must not ping at once. */
const PING_SPREAD = 0.2;

/** The first ping after the connection has opened, spread by a half: it measures the round trip. */
export const FIRST_PING_MS = 2000;

/** A probing page pings when it has heard nothing for so long. */
export const PROBE_AFTER_MS = 4000;

/** A connection whose ping is unanswered for longer is silent: it may be dead. */
export const PONG_DEADLINE_MS = 1500;

/** A request after which nothing is heard for so long makes the page ping. */
export const ANSWER_DEADLINE_MS = 1200;

/** A connection whose ping is unanswered for longer is dead. */
export const DEAD_AFTER_MS = 5000;

/** A longer silence means that the page was asleep: even hidden pages ping once a minute. */
const ASLEEP_AFTER_MS = 90_000;

/** A longer silence of a probing page means that it was asleep, or that its timers were delayed. */
const PROBER_ASLEEP_AFTER_MS = PROBE_AFTER_MS + DEAD_AFTER_MS;

/**
 * @typedef {object} HeartbeatEvents
 * @property {() => boolean} isProbing whether a dead connection has to be noticed within seconds
 * @property {() => void} sendPing
 * @property {() => void} onSilent
 * @property {() => void} onDead
 */

export class Heartbeat {
  /**
   * It runs between `start` and `stop`.
   *
   * @param {import("./connection.js").Browser} browser
   * @param {HeartbeatEvents} events
   */
  constructor(browser, events) {
    this.browser = browser;
    this.events = events;
    /** @type {number | undefined} */
    this.pingTimer = undefined;
    /** Runs while a ping is unanswered. @type {number | undefined} */
    this.pongTimer = undefined;
    /** Runs while a request may be unanswered. @type {number | undefined} */
    this.requestTimer = undefined;
    this.isProbing = false;
    this.lastHeard = 0;
    this.nextPing = 0;
    /** Time at which the oldest ping without a pong was sent. @type {number | null} */
    this.pingedAt = null;
  }

  /** The connection has opened. */
  start() {
    this.stop();
    this.lastHeard = this.browser.now();
    this.nextPing = this.lastHeard + FIRST_PING_MS * (0.5 + this.browser.random());
    this.isProbing = this.events.isProbing();
    this.schedule();
  }

  stop() {
    this.browser.cancel(this.pingTimer);
    this.cancelDeadlines();
    this.pingedAt = null;
  }

  /** Something was heard: the connection lives. */
  noteHeard() {
    this.lastHeard = this.browser.now();
    const wasAwaiting = this.isAwaiting;
    this.cancelDeadlines();
    if (wasAwaiting) this.schedule();
  }

  /** A message was sent that wants an answer. */
  noteRequest() {
    this.requestTimer ??= this.browser.later(() => {
      this.requestTimer = undefined;
      if (!this.isAwaiting) this.ping();
    }, ANSWER_DEADLINE_MS);
  }

  /** Take a change of the shown state: a game has begun, or has ended. */
  update() {
    const isProbing = this.events.isProbing();
    if (isProbing === this.isProbing) return;
    this.isProbing = isProbing;
    this.schedule();
  }

  ping() {
    const now = this.browser.now();
    this.pingedAt ??= now;
    this.pongTimer ??= this.browser.later(() => this.doubt(), PONG_DEADLINE_MS);
    this.nextPing = now + PING_INTERVAL_MS * (1 + PING_SPREAD * (2 * this.browser.random() - 1));
    this.schedule();
    this.events.sendPing();
  }

  /** Returns the ms since the oldest ping without a pong, as a pong has come; undefined without one. */
  takeTrip() {
    const trip = this.pingedAt === null ? undefined : this.browser.now() - this.pingedAt;
    this.pingedAt = null;
    return trip;
  }

  /** Whether the page was asleep, so that nothing can be known of the connection. */
  get wasAsleep() {
    const limit = this.isProbing ? PROBER_ASLEEP_AFTER_MS : ASLEEP_AFTER_MS;
    return this.browser.now() - this.lastHeard > limit;
  }

  get isAwaiting() {
    return this.pongTimer !== undefined;
  }

  /** Time of the next ping: that of a probing page after a silence, unless one is unanswered. */
  due() {
    if (!this.isProbing || this.isAwaiting) return this.nextPing;
    return Math.min(this.nextPing, this.lastHeard + PROBE_AFTER_MS);
  }

  /** Sets the timer of the next ping, which waits on if something was heard meanwhile. */
  schedule() {
    this.browser.cancel(this.pingTimer);
    const wait = Math.max(0, this.due() - this.browser.now());
    this.pingTimer = this.browser.later(() => {
      if (this.browser.now() >= this.due()) this.ping();
      else this.schedule();
    }, wait);
  }

  /** A ping had no answer in time: the connection may be dead, and is so after a while. */
  doubt() {
    const rest = DEAD_AFTER_MS - PONG_DEADLINE_MS;
    this.pongTimer = this.browser.later(() => this.events.onDead(), rest);
    this.events.onSilent();
  }

  cancelDeadlines() {
    this.browser.cancel(this.pongTimer);
    this.browser.cancel(this.requestTimer);
    this.pongTimer = this.requestTimer = undefined;
  }
}
