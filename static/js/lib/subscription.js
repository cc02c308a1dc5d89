/** One topic of a page's connection: its messages, and the reaction when the server ends it. */

import { slowDelay } from "./retry-delays.js";

/**
 * Reasons why the server has ended a topic. `gone`: the topic does not exist; all others are `turned
 * away`: this reader may not see it now.
 *
 * @type {Record<string, string>}
 */
const END_REASONS = { gone: "gone", slow_down: "flood", signed_out: "signed out" };

/** A topic that a part of the page follows on its connection. */
export class Subscription {
  /**
   * `revOf()` gives the page's rev, or null if it is not to be compared. `onMessage(message, trip)`
   * gets every message of the topic, and pongs with the round trip in ms. `onOpen()` is called when
   * the topic was asked for, `onState({open, since, retryAt, silent, why})` after every change; times
   * are those of `browser.now`. `silent`: the connection is open, and a question has had no answer for
   * so long that it may be dead; `why` the server has closed it or ended the topic, or null.
   * `isUnseen()`: whether the server is not to name the reader among those who watch.
   * `isProbing()`: whether a dead connection has to be noticed within seconds.
   *
   * @param {import("./connection.js").Connection} connection
   * @param {string} topic
   * @param {ConnectionOptions} options
   */
  constructor(connection, topic, { revOf, onMessage, onOpen, onState, isUnseen, isProbing }) {
    this.connection = connection;
    this.topic = topic;
    this.revOf = revOf;
    this.onMessage = onMessage;
    this.onOpen = onOpen;
    this.onState = onState;
    this.isUnseen = isUnseen;
    this.isProbing = isProbing;
    /** The state of a topic that the server has ended. @type {ConnectionState | null} */
    this.ended = null;
    /** @type {number | undefined} */
    this.retryTimer = undefined;
  }

  /** @returns {ConnectionState} */
  get state() {
    return this.ended ?? this.connection.state;
  }

  connect() {
    this.connection.add(this);
  }

  /**
   * Sends if the topic is followed; returns whether it was.
   *
   * @param {object} message
   */
  send(message) {
    return this.ended === null && this.connection.send({ ...message, topic: this.topic });
  }

  /**
   * Asks for the state, unless the page has the newest.
   *
   * @param {number | string | null} [rev]
   */
  subscribe(rev = this.revOf()) {
    this.connection.browser.cancel(this.retryTimer);
    const message = { t: "subscribe", topic: this.topic, rev: rev ?? -1 };
    return this.connection.send(this.isUnseen ? { ...message, unseen: this.isUnseen() } : message);
  }

  /**
   * @param {any} message
   * @param {number} [trip]
   */
  receive(message, trip) {
    if (message.t === "ended") this.handleEnd(message);
    else if (this.ended !== null && message.t !== "refused") {
      this.ended = null;
      this.onState(this.state);
      this.onOpen();
    }
    this.onMessage(message, trip);
  }

  /**
   * A topic that has ended is asked for again after a while; one that is gone only when somebody
   * looks at the page.
   *
   * @param {{ reason: string }} message
   */
  handleEnd({ reason }) {
    const { browser } = this.connection;
    const why = END_REASONS[reason] ?? "turned away";
    const wait = why === "gone" ? null : slowDelay(browser.random);
    const now = browser.now();
    const retryAt = wait === null ? null : now + wait;
    this.ended = { open: false, since: now, retryAt, silent: false, why };
    browser.cancel(this.retryTimer);
    if (wait !== null) this.retryTimer = browser.later(() => this.subscribe(-1), wait);
    this.onState(this.state);
  }

  /** The page is seen again, or the network is back: don't wait any longer. */
  retryNow() {
    this.connection.retryNow();
  }

  close() {
    this.connection.browser.cancel(this.retryTimer);
    this.connection.remove(this);
  }
}
