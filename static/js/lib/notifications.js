/**
 * Notifications about games that have begun to wait for their reader.
 *
 * The browser shows them to those who have switched them on, while no page of the site is visible: one
 * for each game and step, however many pages are open.
 */

import { setting } from "./settings.js";

/**
 * The games that wait on other pages than the one at `path`.
 *
 * @param {Wire.MineRow[]} rows
 * @param {string} path
 */
export function waitingElsewhere(rows, path) {
  return rows.filter(({ waits, is_game: isGame, url }) => waits && isGame && url !== path);
}

const COUNT_PREFIX = /^\(\d+\) /;

/**
 * The page's title with the number of waiting games in front: "(2) Quiver".
 *
 * @param {string} title
 * @param {number} count
 */
export function titleWithCount(title, count) {
  const bare = title.replace(COUNT_PREFIX, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}

/**
 * Names a row as it waits now: the same game is news again with another step only.
 *
 * @param {Pick<Wire.MineRow, "id" | "step">} row
 */
export function newsKey({ id, step }) {
  return `${id}:${step}`;
}

/** Tells apart what has begun to wait since the last frame. */
export class WaitingGames {
  /** @param {Wire.MineRow[]} rows */
  constructor(rows) {
    this.waiting = new Set(rows.filter(({ waits }) => waits).map(({ id }) => id));
  }

  /**
   * The rows that wait now and did not before.
   *
   * @param {Wire.MineRow[]} rows
   */
  take(rows) {
    const now = rows.filter(({ waits }) => waits);
    const fresh = now.filter(({ id }) => !this.waiting.has(id));
    this.waiting = new Set(now.map(({ id }) => id));
    return fresh;
  }
}

const STORAGE_KEY = "quiver-noticed";

const MAX_KEYS = 100;

const VISIBLE_PAGE_DELAY_MS = 700; // ms in which a page that is seen may say that it has shown the news

const STORAGE_DELAY_MS = 150; // ms until other pages read what one has stored

function readNotified() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** @param {string[]} keys */
function storeNotified(keys) {
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([...readNotified(), ...keys].slice(-MAX_KEYS)),
    );
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function mayNotify() {
  return (
    "Notification" in globalThis &&
    Notification.permission === "granted" &&
    setting("notices") === "on"
  );
}

/** @param {Wire.MineRow} row */
function showNotification(row) {
  const notice = new Notification(row.title, { body: row.line, tag: newsKey(row) });
  notice.onclick = () => {
    notice.close();
    window.focus();
    location.assign(row.url);
  };
}

/**
 * One page of the site after the other, where the browser can keep them apart.
 *
 * @param {() => void} task
 */
function runExclusively(task) {
  if (!navigator.locks) task();
  else {
    navigator.locks.request(STORAGE_KEY, () => {
      task();
      return new Promise((done) => setTimeout(done, STORAGE_DELAY_MS));
    });
  }
}

/** @param {Wire.MineRow[]} rows */
function notifyNew(rows) {
  const told = readNotified();
  const fresh = rows.filter((row) => !told.includes(newsKey(row)));
  storeNotified(fresh.map(newsKey));
  fresh.forEach(showNotification);
}

/**
 * Tells of rows that have begun to wait; a page that is seen only notes that they were seen.
 *
 * @param {Wire.MineRow[]} rows
 */
export function notifyWaiting(rows) {
  if (rows.length === 0) return;
  if (document.visibilityState === "visible") {
    storeNotified(rows.map(newsKey));
    return;
  }
  setTimeout(() => {
    if (document.visibilityState !== "visible" && mayNotify())
      runExclusively(() => notifyNew(rows));
  }, VISIBLE_PAGE_DELAY_MS);
}
