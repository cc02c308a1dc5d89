/** The connection that all parts of a page share, and the topics that they follow on it. */

import { Connection } from "./connection.js";
import { handleReconnect } from "./reconnect.js";
import { onSettings, setting } from "./settings.js";

/**
 * The socket's address for a path on this page's host.
 *
 * @param {string} path
 * @param {{ protocol: string, host: string }} [place]
 */
export function socketUrl(path, place = location) {
  return `${place.protocol === "https:" ? "wss:" : "ws:"}//${place.host}${path}`;
}

/**
 * The socket's path for a page: the pages of a game name it, so that a proxy can send both players to
 * one process.
 *
 * @param {string} pathname of the page
 * @param {string} language of the page, in which the server writes its sentences
 */
export function socketPath(pathname, language) {
  const game = /^\/g\/([0-9A-Za-z-]+)\//.exec(pathname);
  return `/ws/${game ? `g/${game[1]}/` : ""}?lang=${encodeURIComponent(language)}`;
}

/** @type {Connection | null} */
let shared = null;

/** The connection that all parts of this page share; it tries again when the page is looked at. */
function pageConnection() {
  if (shared !== null) return shared;
  const path = socketPath(location.pathname, document.documentElement.lang);
  const connection = new Connection(socketUrl(path));
  connection.onOpen = handleReconnect;
  addEventListener("online", () => connection.retryNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connection.retryNow();
    else connection.ping(); // says that nobody sees the page any more
  });
  addEventListener("pagehide", (event) => {
    if (event.persisted) connection.suspend();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) connection.retryNow();
  });
  shared = connection;
  return connection;
}

/** Returns whether a part of this page has a connection already. */
export const isConnected = () => shared !== null;

/** Returns whether the reader does not want to be named among those who watch a game. */
const isUnseen = () => setting("watch") === "unseen";

/**
 * Follows a topic on the page's connection, as soon as the subscription's `connect` is called.
 *
 * @param {string} topic
 * @param {ConnectionOptions} options
 */
export function follow(topic, options) {
  if (!topic.startsWith("game:")) return pageConnection().subscription(topic, options);
  const subscription = pageConnection().subscription(topic, { ...options, isUnseen });
  let told = isUnseen();
  onSettings(() => {
    if (told === isUnseen()) return;
    told = isUnseen();
    subscription.subscribe();
  });
  return subscription;
}
