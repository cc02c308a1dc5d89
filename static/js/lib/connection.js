/**
 * The page's WebSocket: its topics, and reconnection when it is lost (`heartbeat.js` notices that).
 *
 * All parts of a page share one connection and subscribe to what they show (`page-connection.js`). It carries
 * messages and decides nothing about the game.
 */

import { Heartbeat } from "./heartbeat.js";
import { backoff, quickDelay, slowDelay } from "./retry-delays.js";
import { Subscription } from "./subscription.js";

/** Time after which a socket that has not opened is given up. */
export const CONNECT_TIMEOUT_MS = 9000;

/** Time after the loss of a connection in which it is tried again at short and even intervals. */
const QUICK_RETRIES_MS = 10_000;

/** Least duration of a connection that counts as a sign that the server works. */
const STABLE_AFTER_MS = 3000;

/** Duration of a restart where the server has not told it. */
const RESTART_MS = 1500;

/**
 * Reasons why the server has closed a connection, by close code. `restart`: it comes back;
 * `flood`: the page has sent too much; `behind`: the page was too slow to read its messages; `busy`: it
 * cannot serve the page now; `signed out`: the session has ended.
 *
 * @type {Record<number, string>}
 */
const CLOSE_REASONS = {
  1008: "flood",
  1012: "restart",
  1013: "busy",
  4008: "flood",
  4009: "behind",
  4012: "restart",
  4401: "signed out",
};

/** @typedef {typeof BROWSER} Browser */

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
   * @param {Browser} [browser]
   */
  constructor(url, browser = BROWSER) {
    /** Runs until the socket is open. @type {number | undefined} */
    this.connectTimer = undefined;
    /** @type {number | undefined} */
    this.retryTimer = undefined;
    this.url = url;
    this.browser = browser;
    /** @type {Map<string, Subscription>} */
    this.subscriptions = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    /** Until when the connection is tried again quickly. */
    this.quickUntil = -Infinity;
    /** @type {number | null} */
    this.retry = null;
    /** Called when the connection is open, for the first time or again. */
    this.onOpen = () => {};
    /** @type {ConnectionState} */
    this.state = { open: false, since: browser.now(), retryAt: null, silent: false, why: null };
    this.heartbeat = new Heartbeat(browser, {
      isProbing: () => [...this.subscriptions.values()].some((each) => each.isProbing?.()),
      sendPing: () => this.sendPing(),
      onSilent: () => this.change({ ...this.state, silent: true }),
      onDead: () => this.handleDead(),
    });
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
    this.heartbeat.update();
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
    socket.onopen = () => this.handleOpen(socket);
    socket.onmessage = (event) => this.handleMessage(socket, event.data);
    socket.onclose = (event) => this.handleClose(socket, CLOSE_REASONS[event?.code]);
    socket.onerror = () => this.handleClose(socket);
    this.connectTimer = this.browser.later(() => this.handleDead(), CONNECT_TIMEOUT_MS);
  }

  /** @param {WebSocket} socket */
  handleOpen(socket) {
    if (socket !== this.socket) return;
    this.failures = 0;
    this.browser.cancel(this.connectTimer);
    this.heartbeat.start();
    const isAnother = this.state.why === "signed out"; // the present session may see another game
    const all = [...this.subscriptions.values()];
    for (const each of all) {
      each.subscribe(isAnother ? -1 : each.revOf());
      each.ended = null;
    }
    this.change({ open: true, since: this.browser.now(), retryAt: null, silent: false, why: null });
    for (const each of all) each.onOpen();
    this.onOpen();
  }

  /**
   * @param {WebSocket} socket
   * @param {string} data
   */
  handleMessage(socket, data) {
    if (socket !== this.socket) return;
    this.heartbeat.noteHeard();
    if (this.state.silent) this.change({ ...this.state, silent: false });
    const message = JSON.parse(data);
    if (message.t === "bye") this.retry = message.retry;
    if (message.topic) this.subscriptions.get(message.topic)?.receive(message);
    else {
      const trip = message.t === "pong" ? this.heartbeat.takeTrip() : undefined;
      for (const each of this.subscriptions.values()) each.onMessage(message, trip);
    }
    if (this.state.open) this.heartbeat.update();
  }

  /** The socket does not open, or nothing is heard on it any more. */
  handleDead() {
    if (this.socket !== null) this.handleClose(this.socket);
  }

  /**
   * @param {WebSocket} socket
   * @param {string | null | undefined} [why]
   */
  handleClose(socket, why = null) {
    if (socket !== this.socket) return;
    this.dropSocket();
    const { open, since } = this.state;
    const now = this.browser.now();
    if (open && now - since >= STABLE_AFTER_MS) this.quickUntil = now + QUICK_RETRIES_MS;
    const retryDelay = this.retryDelay(why, now);
    const shownReason = why ?? (this.retry === null ? this.state.why : "restart");
    this.retry = null;
    this.reportLoss(retryDelay, shownReason);
    this.retryTimer = this.browser.later(() => this.connect(), retryDelay);
  }

  /**
   * A connection that has worked is tried again quickly, for a while. Pages come back from a restart
   * spread over as long again as it takes, and after a flood not before half the longest wait.
   *
   * @param {string | null} why
   * @param {number} now
   */
  retryDelay(why, now) {
    const { random } = this.browser;
    if (why === "flood") return slowDelay(random);
    if (why === "restart" || this.retry !== null)
      return Math.round((this.retry ?? RESTART_MS) * (1 + random()));
    if (why !== "busy" && now < this.quickUntil) return quickDelay(random);
    this.failures += 1;
    return backoff(this.failures, random);
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
    this.browser.cancel(this.connectTimer);
    this.heartbeat.stop();
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

  /** Pings now, if the connection is open. */
  ping() {
    if (this.state.open) this.heartbeat.ping();
  }

  /**
   * One question for all topics: the server sends the states of those that have a newer one. It also tells
   * the server whether somebody can see the page: then nobody is notified of its games.
   */
  sendPing() {
    const ping = { t: "ping", revs: this.revs() };
    this.send(this.browser.isVisible() ? { ...ping, visible: true } : ping);
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

  /**
   * Sends if the connection is open; returns whether it was. If nothing is heard after a message with
   * an id, which wants an answer, the page pings.
   *
   * @param {object} message
   */
  send(message) {
    if (this.socket === null || this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    if ("id" in message) this.heartbeat.noteRequest();
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
    else if (this.state.open && this.heartbeat.wasAsleep) this.handleDead();
    else {
      for (const each of this.subscriptions.values()) if (each.ended !== null) each.subscribe(-1);
      this.ping();
    }
  }
}
