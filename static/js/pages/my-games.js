/**
 * Entry of every page for a reader with games: the number of games that wait in the title, in the
 * header and on the icon of the installed app, and the list on the front page.
 */

import { byId, cloneTemplate, fill, find, readJson, syncRows } from "../lib/dom.js";
import { follow } from "../lib/page-connection.js";
import { t } from "../lib/text.js";
import {
  setWaitingGames,
  showBadge,
  titleWithCount,
  waitingElsewhere,
} from "../lib/waiting-games.js";

class MyGames {
  /** @param {Wire.MineState} frame */
  constructor(frame) {
    /** @type {HTMLAnchorElement} */
    this.link = byId("turn");
    /** Only the front page has one. */
    this.list = document.querySelector("[data-list=mine]");
    this.count = 0;
    this.title = find(document, "title");
    this.show(frame);
    new MutationObserver(() => this.showTitle()).observe(this.title, { childList: true });
  }

  /** @param {SiteMessage<"mine">} frame */
  receive(frame) {
    if (frame.t === "mine") this.show(frame);
  }

  /** @param {Wire.MineState} frame */
  show(frame) {
    const elsewhere = waitingElsewhere(frame.rows, location.pathname);
    this.count = elsewhere.length;
    setWaitingGames(elsewhere);
    this.link.hidden = this.count === 0;
    if (this.count > 0) {
      this.link.href = elsewhere[0].url;
      const areChallenges = elsewhere.every((row) => row.is_challenge);
      const { count } = this;
      const say = areChallenges
        ? t("Challenges ({count})", { count })
        : t("Your turn ({count})", { count });
      fill(this.link, { say, count });
      this.link.setAttribute("aria-label", say);
    }
    this.showTitle();
    showBadge(frame.waiting);
    if (this.list) this.showRows(this.list, frame.rows);
  }

  /** Other scripts write the title as well: the number is put in front of their title. */
  showTitle() {
    const title = titleWithCount(document.title, this.count);
    if (title !== document.title) document.title = title;
  }

  /**
   * @param {HTMLElement} list
   * @param {Wire.MineRow[]} rows
   */
  showRows(list, rows) {
    const template = find(document, "[data-row=mine]");
    syncRows(list, rows, {
      keyOf: ({ id }) => id,
      make: () => cloneTemplate(template),
      show: (row, item) => {
        fill(row, item);
        row.classList.toggle("waits", item.waits);
        find(row, "use").setAttribute("href", `#figure-${item.figure}`);
        find(row, "a").className = `button ${item.waits ? "soft" : "plain"}`;
      },
    });
    byId("mine").hidden = rows.length === 0;
  }
}

/** @param {Wire.MineState} now */
function start(now) {
  const mine = new MyGames(now);
  const subscription = follow("mine", {
    revOf: () => null,
    onMessage: (/** @type {SiteMessage<"mine">} */ message) => mine.receive(message),
    onOpen: () => {},
    onState: () => {},
  });
  subscription.connect();
}

/** @type {Wire.MineState | null} */
const now = document.getElementById("mine-now") ? readJson("mine-now") : null;

// The front page and the page of open games show what comes later, such as a first challenge.
const waits = document.querySelector("[data-follow=mine], [data-list=mine]") !== null;
let isStarted = false;

function startOnce() {
  if (now === null || isStarted) return;
  isStarted = true;
  start(now);
}

if (now && (now.rows.length > 0 || waits)) startOnce();

addEventListener("pageshow", (event) => {
  if (event.persisted) startOnce(); // a game may have begun on a later page
});
