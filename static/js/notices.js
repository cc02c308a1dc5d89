/**
 * The browser's own notifications: for whoever has switched them on, while no page of the site is
 * seen; one for each game and turn, however many pages are open.
 */

import { newsKey } from "./news.js";
import { setting } from "./settings.js";

const KEY = "quiver-noticed";
const MOST = 100;
const PATIENCE = 700; // ms in which a page that is seen may say that it has shown the news
const PASSING = 150; // ms until other pages read what one has stored

function noticed() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return [];
    throw error;
  }
}

function remember(keys) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...noticed(), ...keys].slice(-MOST)));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function mayNotify() {
  return "Notification" in globalThis && Notification.permission === "granted" && setting("notices") === "on";
}

function notify(row) {
  const notice = new Notification(row.title, { body: row.line, tag: newsKey(row) });
  notice.onclick = () => {
    notice.close();
    window.focus();
    location.assign(row.url);
  };
}

/** One page of the site after the other, where the browser can keep them apart. */
function inTurn(deed) {
  if (!navigator.locks) deed();
  else {
    navigator.locks.request(KEY, () => {
      deed();
      return new Promise((done) => setTimeout(done, PASSING));
    });
  }
}

function tellFresh(rows) {
  const told = noticed();
  const fresh = rows.filter((row) => !told.includes(newsKey(row)));
  remember(fresh.map(newsKey));
  fresh.forEach(notify);
}

/** Tells of rows that have begun to wait; a page that is seen only notes that they were seen. */
export function tell(rows) {
  if (rows.length === 0) return;
  if (document.visibilityState === "visible") {
    remember(rows.map(newsKey));
    return;
  }
  setTimeout(() => {
    if (document.visibilityState !== "visible" && mayNotify()) inTurn(() => tellFresh(rows));
  }, PATIENCE);
}
