/**
 * The page's WebSocket: its topics, heartbeat, detection of a dead socket, reconnection.
 *
 * All parts of a page share one connection and subscribe to what they show (`page-connection.js`). It carries
 * messages and decides nothing about the game.
 */

import { backoff, slowDelay } from "./retry-delays.js";
import { Subscription } from "./subscription.js";

/** A question every two seconds, and doubt when its answer takes longer: a dead line shows within three. */
export const PING_INTERVAL_MS = 2000;

export const PONG_DEADLINE_MS = 900;

export const DEAD_AFTER_MS = 9000;

/** Duration of a restart where the server has not told it. */
const RESTART_MS = 1500;

/**
 * Reasons why the server has closed a connection, by close code. `restart`: it comes back;
 * `flood`: the page has sent too much; `behind`: the page did not take what it was sent; `signed
 * out`: the session has ended.
 *
 * @type {Record<number, string>}
 */
const CLOSE_REASONS = {
  1008: "flood",
  1012: "restart",
  4008: "flood",
  4009: "behind",
  4012: "restart",
  4401: "signed out",
};

const BROWSER = {
  /** @param {string} url */
  open: (url) => new WebSocket(url),
  now: () => performance.now(),
  /** @param {() => void} call @param {number} wait */
  later: (call, wait) => setTimeout(call, wait),
  /** @param {number | undefined} timer */
  cancel: (timer) => clearTimeout(timer),
  random: () => Math.random(),
  isVisible: () => document.visibilityState === "visible",
};

export class Connection {
  /**
   * @param {string} url
   * @param {typeof BROWSER} [browser]
   */
  constructor(url, browser = BROWSER) {
    /** @type {number | undefined} */
    this.heartbeatTimer = undefined;
    /** @type {number | undefined} */
    this.silenceTimer = undefined;
    /** @type {number | undefined} */
    this.retryTimer = undefined;
    this.url = url;
    this.browser = browser;
    /** @type {Map<string, Subscription>} */
    this.subscriptions = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.lastHeard = 0;
    this.lastPing = 0;
    /** @type {number | null} */
    this.retry = null;
    /** @type {ConnectionState} */
    this.state = { open: false, since: browser.now(), retryAt: null, silent: false, why: null };
  }

  /**
   * Makes a subscription, which begins with its `connect`.
   *
   * @param {string} topic
   * @param {ConnectionOptions} options
   */
  subscription(topic, options) {
    return new Subscription(this, topic, options);
  }

  /** @param {Subscription} subscription */
  add(subscription) {
    this.subscriptions.set(subscription.topic, subscription);
    if (!this.state.open) {
      if (this.state.retryAt === null) this.connect();
      return;
    }
    subscription.subscribe();
    subscription.onState(this.state);
    subscription.onOpen();
  }

  /** @param {Subscription} subscription */
  remove(subscription) {
    const { topic } = subscription;
    if (this.subscriptions.get(topic) !== subscription) return;
    this.subscriptions.delete(topic);
    this.send({ t: "unsubscribe", topic });
    if (this.subscriptions.size > 0) return;
    this.browser.cancel(this.retryTimer);
    this.dropSocket();
    this.state = { ...this.state, open: false, retryAt: null };
  }

  connect() {
    this.browser.cancel(this.retryTimer);
    if (this.socket || this.subscriptions.size === 0) return;
    const socket = this.browser.open(this.url);
    this.socket = socket;
    this.lastHeard = this.browser.now();
    socket.onopen = () => this.handleOpen(socket);
    socket.onmessage = (event) => this.handleMessage(socket, event.data);
    socket.onclose = (event) => this.handleClose(socket, CLOSE_REASONS[event?.code]);
    socket.onerror = () => this.handleClose(socket);
    this.scheduleHeartbeat();
  }

  /** @param {WebSocket} socket */
  handleOpen(socket) {
    if (socket !== this.socket) return;
    this.failures = 0;
    this.lastHeard = this.browser.now();
    const isAnother = this.state.why === "signed out"; // whoever asks now may see another game
    const all = [...this.subscriptions.values()];
    for (const each of all) {
      each.subscribe(isAnother ? -1 : each.revOf());
      each.ended = null;
    }
    this.change({ open: true, since: this.browser.now(), retryAt: null, silent: false, why: null });
    for (const each of all) each.onOpen();
  }

  /**
   * @param {WebSocket} socket
   * @param {string} data
   */
  handleMessage(socket, data) {
    if (socket !== this.socket) return;
    this.lastHeard = this.browser.now();
    this.markAlive();
    const message = JSON.parse(data);
    if (message.t === "bye") this.retry = message.retry;
    if (message.topic) {
      this.subscriptions.get(message.topic)?.receive(message);
      return;
    }
    const trip = message.t === "pong" ? this.lastHeard - this.lastPing : undefined;
    for (const each of this.subscriptions.values()) each.onMessage(message, trip);
  }

  /**
   * @param {WebSocket} socket
   * @param {string | null | undefined} [why]
   */
  handleClose(socket, why = null) {
    if (socket !== this.socket) return;
    this.dropSocket();
    this.failures += 1;
    const retryDelay = this.retryDelay(why);
    const shownReason = why ?? (this.retry === null ? this.state.why : "restart");
    this.retry = null;
    this.reportLoss(retryDelay, shownReason);
    this.retryTimer = this.browser.later(() => this.connect(), retryDelay);
  }

  /**
   * Pages come back from a restart spread over as long again as it takes, and after a flood not before
   * half the longest wait.
   *
   * @param {string | null} why
   */
  retryDelay(why) {
    const { random } = this.browser;
    if (why === "flood") return slowDelay(random);
    if (why !== "restart" && this.retry === null) return backoff(this.failures, random);
    return Math.round((this.retry ?? RESTART_MS) * (1 + random()));
  }

  /**
   * `why` stays until the connection is open again: a server that restarts refuses connections at first.
   *
   * @param {number} retryDelay
   * @param {string | null} why
   */
  reportLoss(retryDelay, why) {
    const { open, since } = this.state;
    const now = this.browser.now();
    const retryAt = now + retryDelay;
    this.change({ open: false, since: open ? now : since, retryAt, silent: false, why });
  }

  dropSocket() {
    this.browser.cancel(this.heartbeatTimer);
    this.browser.cancel(this.silenceTimer);
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }

  /** @param {ConnectionState} state */
  change(state) {
    this.state = state;
    for (const each of [...this.subscriptions.values()]) each.onState(each.state);
  }

  /** Beats while there is a socket; one that has been silent for too long is given up. */
  scheduleHeartbeat() {
    const socket = this.socket;
    this.browser.cancel(this.heartbeatTimer);
    this.heartbeatTimer = this.browser.later(() => {
      if (socket === null || socket !== this.socket) return;
      if (this.browser.now() - this.lastHeard > DEAD_AFTER_MS) {
        this.handleClose(socket);
        return;
      }
      this.ping();
      this.scheduleHeartbeat();
    }, PING_INTERVAL_MS);
  }

  /**
   * One question for all topics: the server sends the states of those that have a newer one. It also tells
   * the server whether somebody can see the page: then nobody is notified of its games.
   */
  ping() {
    if (!this.state.open) return;
    this.lastPing = this.browser.now();
    const ping = { t: "ping", revs: this.revs() };
    this.send(this.browser.isVisible() ? { ...ping, visible: true } : ping);
    this.browser.cancel(this.silenceTimer);
    this.silenceTimer = this.browser.later(() => this.markSilent(this.lastPing), PONG_DEADLINE_MS);
  }

  /** The page's revs by topic. */
  revs() {
    /** @type {Record<string, number | string>} */
    const revs = {};
    for (const [topic, { ended, revOf }] of this.subscriptions) {
      const rev = ended === null ? revOf() : null;
      if (rev !== null) revs[topic] = rev;
    }
    return revs;
  }

  /** @param {number} lastPing */
  markSilent(lastPing) {
    if (this.lastHeard >= lastPing || !this.state.open || this.state.silent) return;
    this.change({ ...this.state, silent: true });
  }

  /** Something was heard: the connection lives. */
  markAlive() {
    this.browser.cancel(this.silenceTimer);
    if (this.state.silent) this.change({ ...this.state, silent: false });
  }

  /**
   * Sends if the connection is open; returns whether it was.
   *
   * @param {object} message
   */
  send(message) {
    if (this.socket === null || this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** The page is put into the browser's memory, where no socket may stay open; `retryNow` ends that. */
  suspend() {
    this.browser.cancel(this.retryTimer);
    this.dropSocket();
    const since = this.state.open ? this.browser.now() : this.state.since;
    this.change({ open: false, since, retryAt: null, silent: false, why: null });
  }

  /** The page is seen again, or the network is back: don't wait any longer. */
  retryNow() {
    if (this.socket === null) this.connect();
    else if (this.browser.now() - this.lastHeard > DEAD_AFTER_MS) this.handleClose(this.socket);
    else {
      for (const each of this.subscriptions.values()) if (each.ended !== null) each.subscribe(-1);
      this.ping();
    }
  }
}
