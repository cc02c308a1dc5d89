/**
 * The bell in the header: the number of unread notifications, and the sheet that it opens.
 *
 * It follows its number where the page has a connection anyway, or where something is unread. The
 * sheet is loaded when it is first opened; without scripts the bell is a link.
 */

import { find, loadLater, runWhenIdle } from "../lib/dom.js";
import { follow, isConnected } from "../lib/page-connection.js";
import { t } from "../lib/text.js";
import { postRead } from "./read-marks.js";

class Bell {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {HTMLAnchorElement} */
    this.link = find(root, "a");
    /** @type {HTMLElement} */
    this.number = find(root, ".bell-count");
    this.unread = this.number.hidden ? 0 : Number(this.number.textContent);
    /** @type {string | null} */
    this.rev = null;
    this.isFollowing = false;
    this.withSheet = loadLater(
      () => import("./bell-sheet.js"),
      ({ BellSheet }) => new BellSheet(this.root, this.link),
    );
    this.link.setAttribute("role", "button");
    this.link.setAttribute("aria-expanded", "false");
    this.link.addEventListener("click", (event) => this.open(event));
    this.link.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      this.link.click();
    });
    document.addEventListener("visibilitychange", () => this.readSubject());
  }

  follow() {
    if (this.isFollowing) return;
    this.isFollowing = true;
    follow("notices", {
      revOf: () => this.rev,
      onMessage: (/** @type {SiteMessage<"notices">} */ message) => this.receive(message),
      onOpen: () => {},
      onState: () => {},
    }).connect();
  }

  /** @param {SiteMessage<"notices">} message */
  receive(message) {
    if (message.t !== "notices") return;
    this.rev = message.rev;
    this.show(message.unread);
    this.readSubject();
  }

  /** @param {number} unread */
  show(unread) {
    this.unread = unread;
    this.number.hidden = unread === 0;
    this.number.textContent = String(unread);
    const say = unread > 0 ? t("Notifications ({count})", { count: unread }) : t("Notifications");
    this.link.setAttribute("aria-label", say);
  }

  /** Mark notices about this page's game or lobby as read once the page is looked at. */
  readSubject() {
    const { subject } = this.root.dataset;
    if (subject && this.unread > 0 && !document.hidden) postRead([["subject", subject]]);
  }

  /** @param {MouseEvent} event */
  open(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.follow();
    this.withSheet((sheet) => sheet.toggle());
  }
}

const root = document.getElementById("bell");

if (root) {
  const bell = new Bell(root);
  runWhenIdle(() => {
    if (isConnected() || bell.unread > 0) bell.follow();
  });
}
