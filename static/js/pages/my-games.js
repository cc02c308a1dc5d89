/**
 * Entry of every page for a reader with games: the number of games that wait in the title and in the
 * header, the list on the front page, and a notification while the page is not visible.
 */

import { byId, cloneTemplate, fill, find, readJson, syncRows } from "../lib/dom.js";
import {
  notifyWaiting,
  titleWithCount,
  WaitingGames,
  waitingElsewhere,
} from "../lib/notifications.js";
import { follow } from "../lib/page-connection.js";
import { t } from "../lib/text.js";

class MyGames {
  /** @param {Wire.MineState} frame */
  constructor(frame) {
    /** @type {HTMLAnchorElement} */
    this.link = byId("turn");
    /** Only the front page has one. */
    this.list = document.querySelector("[data-list=mine]");
    this.count = 0;
    this.title = find(document, "title");
    this.news = new WaitingGames(frame.rows);
    this.show(frame);
    new MutationObserver(() => this.showTitle()).observe(this.title, { childList: true });
  }

  /** @param {SiteMessage<"mine">} frame */
  receive(frame) {
    if (frame.t !== "mine") return;
    notifyWaiting(
      this.news.take(frame.rows).filter(({ url }) => url !== location.pathname || document.hidden),
    );
    this.show(frame);
  }

  /** @param {Wire.MineState} frame */
  show(frame) {
    const elsewhere = waitingElsewhere(frame.rows, location.pathname);
    this.count = elsewhere.length;
    this.link.hidden = this.count === 0;
    if (this.count > 0) {
      this.link.href = elsewhere[0].url;
      const say = t("Your turn ({count})", { count: this.count });
      fill(this.link, { say, count: this.count });
      this.link.setAttribute("aria-label", say);
    }
    this.showTitle();
    if (this.list) this.showRows(this.list, frame.rows);
  }

  /** Other scripts write the title as well: the number is put in front of whatever it is. */
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

if (now && now.rows.length > 0) start(now);
