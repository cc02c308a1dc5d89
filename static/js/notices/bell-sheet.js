/** The sheet of the bell: the newest notifications, which are read when they are shown. */

import { makeElement } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { postRead } from "./read-marks.js";

const SHEET_ID = "bell-sheet";

/** Returns the newest notifications; null if they cannot be had. */
async function fetchRows() {
  try {
    const answer = await fetch("/notifications/newest.json", {
      headers: { Accept: "application/json" },
    });
    if (!answer.ok) return null;
    return /** @type {{ rows: NotificationRow[] }} */ (await answer.json()).rows;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** @param {NotificationRow} row */
function makeRow(row) {
  const item = makeElement("li", row.is_unread ? "bell-row unread" : "bell-row");
  const link = makeElement("a", "", { href: row.url });
  const title = makeElement("span", "bell-title", {}, row.title);
  if (row.is_unread) {
    title.prepend(makeElement("span", "unseen", {}, `${t("New")}: `));
  }
  link.append(title, makeElement("span", "small", {}, `${row.body} · ${row.ago}`));
  item.append(link);
  return item;
}

export class BellSheet {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} button
   */
  constructor(root, button) {
    this.root = root;
    this.button = button;
    this.element = makeElement("div", "menu-sheet bell-sheet", {
      id: SHEET_ID,
      role: "group",
      "aria-label": t("Notifications"),
      hidden: "",
    });
    this.list = makeElement("ul", "ruled bell-list");
    this.note = makeElement("p", "small", { role: "status" });
    const links = makeElement("p", "bell-links");
    links.append(
      makeElement("a", "", { href: "/notifications/" }, t("All notifications")),
      makeElement("a", "", { href: "/settings/notifications/" }, t("Settings")),
    );
    this.element.append(this.note, this.list, links);
    root.append(this.element);
    button.setAttribute("aria-controls", SHEET_ID);
    document.addEventListener("click", (event) => {
      if (!root.contains(/** @type {Node} */ (event.target))) this.close();
    });
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.element.hidden) return;
      this.close();
      button.focus();
    });
    root.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !root.contains(relatedTarget)) this.close();
    });
  }

  toggle() {
    if (this.element.hidden) return this.open();
    this.close();
    return Promise.resolve();
  }

  close() {
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  async open() {
    this.element.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    if (this.list.childElementCount === 0) this.say(t("Loading…"));
    const rows = await fetchRows();
    if (rows === null) {
      this.say(t("Couldn’t load your notifications. Try again."));
      return;
    }
    this.say(rows.length === 0 ? t("Nothing yet.") : "");
    this.list.replaceChildren(...rows.map(makeRow));
    const unread = rows.filter((row) => row.is_unread);
    if (unread.length > 0 && !this.element.hidden) {
      postRead(unread.map(({ id }) => ["id", String(id)]));
    }
  }

  /** @param {string} sentence */
  say(sentence) {
    this.note.textContent = sentence;
    this.note.hidden = sentence === "";
  }
}
