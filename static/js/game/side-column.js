/** The third column of wide windows: about this game, who watches, and the chat, which moves there. */

import { byId, makeElement } from "../lib/dom.js";
import { clockLabel } from "../lib/game-words.js";
import { tn } from "../lib/text.js";

const STARTED_FORMAT = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

export class SideColumn {
  /** @param {HTMLElement} column */
  constructor(column) {
    this.column = column;
    this.watchingCount = byId("watching-count");
    this.watchingNames = byId("watching-names");
    this.record = byId("about-record");
    this.chat = document.getElementById("chat");
    /** The chat's place in the panel is before this element. */
    this.next = this.chat?.nextElementSibling ?? null;
    this.home = this.chat?.parentElement ?? null;
    new ResizeObserver(() => this.placeChat()).observe(column);
    this.placeChat();
  }

  /** Returns whether the style sheet shows the column in this window. */
  isShown() {
    return getComputedStyle(this.column).display !== "none";
  }

  /** Puts the chat where this window has room for it; the focus and what is scrolled stay. */
  placeChat() {
    const { chat, home } = this;
    if (!chat || !home) return;
    const place = this.isShown() ? byId("chat-beside") : home;
    if (chat.parentElement === place) return;
    const focused = chat.contains(document.activeElement) ? document.activeElement : null;
    const list = chat.querySelector(".chat-scroll");
    const scrolled = list?.scrollTop ?? 0;
    place.insertBefore(chat, place === home ? this.next : null);
    if (list) list.scrollTop = scrolled;
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /** @param {Wire.Snapshot} snapshot */
  show(snapshot) {
    byId("about-clock").textContent = clockLabel(snapshot);
    byId("about-started").textContent = STARTED_FORMAT.format(snapshot.started);
    this.record.hidden = snapshot.status !== "over";
  }

  /**
   * Shows how many watch, and the names of those who may be named, with their ratings.
   *
   * @param {Wire.People} people
   */
  showWatchers({ watchers, watching, ratings = {} }) {
    this.watchingCount.textContent = String(watchers);
    const names = watching.map((name) =>
      makeElement("li", "", {}, `${name} ${ratings[name] ?? ""}`),
    );
    const more = watchers - watching.length;
    const rest = tn("and {count} more", "and {count} more", more);
    const isCut = more > 0 && names.length > 0;
    this.watchingNames.replaceChildren(
      ...names,
      ...(isCut ? [makeElement("li", "", {}, rest)] : []),
    );
  }
}
