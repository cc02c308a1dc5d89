/**
 * What its reader has under way, on every page: the number of games that wait in the title and in
 * the header, the list on the front page, and a notification while the page is not seen.
 */

import { fill, syncRows } from "./fill.js";
import { News, titled, waitingElsewhere } from "./news.js";
import { tell } from "./notices.js";
import { Line, addressOf } from "./socket.js";
import { t } from "./text.js";

class Mine {
  constructor(frame) {
    this.link = document.getElementById("go");
    this.list = document.querySelector("[data-list=mine]");
    this.title = document.querySelector("title");
    this.news = new News(frame.rows);
    this.show(frame);
    new MutationObserver(() => this.showTitle()).observe(this.title, { childList: true });
  }

  hear(frame) {
    if (frame.t !== "mine") return;
    tell(this.news.take(frame.rows).filter(({ url }) => url !== location.pathname || document.hidden));
    this.show(frame);
  }

  show(frame) {
    const elsewhere = waitingElsewhere(frame.rows, location.pathname);
    this.count = elsewhere.length;
    this.link.hidden = this.count === 0;
    if (this.count > 0) {
      this.link.href = elsewhere[0].url;
      const say = t("Your go ({count})", { count: this.count });
      fill(this.link, { say, count: this.count });
      this.link.setAttribute("aria-label", say);
    }
    this.showTitle();
    if (this.list) this.showRows(frame.rows);
  }

  /** Other scripts write the title as well: the number is put in front of whatever it is. */
  showTitle() {
    const title = titled(document.title, this.count);
    if (title !== document.title) document.title = title;
  }

  showRows(rows) {
    const template = document.querySelector("[data-row=mine]").content.firstElementChild;
    syncRows(this.list, rows, {
      keyOf: ({ id }) => id,
      make: () => template.cloneNode(true),
      show: (row, item) => {
        fill(row, item);
        row.classList.toggle("waits", item.waits);
        row.querySelector("use").setAttribute("href", `#figure-${item.figure}`);
        row.querySelector("a").className = `button ${item.waits ? "soft" : "plain"}`;
      },
    });
    document.getElementById("mine").hidden = rows.length === 0;
  }
}

function start() {
  const mine = new Mine(JSON.parse(document.getElementById("mine-now").textContent));
  const line = new Line(addressOf(mine.link.dataset.socket), {
    revOf: () => -1,
    onMessage: (frame) => mine.hear(frame),
    onOpen: () => {},
    onState: () => {},
  });
  line.connect();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") line.hurry();
  });
  addEventListener("online", () => line.hurry());
}

start();
