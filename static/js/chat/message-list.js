/**
 * The list of chat messages: text and buttons only, never markup from people's input.
 *
 * The list stays at its end for a reader who is there, and stays put for one who has scrolled up or looks
 * elsewhere; it counts what they have not seen.
 */

import { cloneTemplate, syncRows } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { authorName, authorTag, messageWords } from "./chat-texts.js";

const TIME_FORMAT = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" });

/**
 * @param {string} name
 * @param {string} text
 */
function span(name, text) {
  const part = document.createElement("span");
  part.className = name;
  part.textContent = text;
  return part;
}

/** @param {number} at */
function timeElement(at) {
  const time = document.createElement("time");
  time.className = "unseen";
  time.dateTime = new Date(at).toISOString();
  time.textContent = `, ${TIME_FORMAT.format(at)}`;
  return time;
}

/**
 * @param {Wire.ShownLine} line
 * @param {string} heard
 */
function messageText(line, heard) {
  const said = document.createElement("p");
  const by = span("chat-by", line.you ? t("You") : authorName(line));
  by.translate = false;
  said.append(by);
  const tag = authorTag(line, heard);
  if (tag) said.append(" ", span("chat-tag", tag));
  said.append(
    span("unseen", ":"),
    " ",
    span("chat-text", messageWords(line)),
    timeElement(line.at),
  );
  return said;
}

/**
 * The button of somebody else's line, where it can be muted and reported.
 *
 * @param {HTMLTemplateElement} template
 * @param {Wire.ShownLine} line
 */
function menuButton(template, line) {
  const menu = cloneTemplate(template);
  menu.setAttribute("aria-label", t("Message from {name}", { name: authorName(line) }));
  return menu;
}

export class MessageList {
  /**
   * `onMenu(line, button)` is called when somebody wants to do something about a line.
   *
   * @param {HTMLElement} list
   * @param {HTMLTemplateElement} template
   * @param {(line: Wire.ShownLine, button: Element) => void} onMenu
   */
  constructor(list, template, onMenu) {
    this.list = list;
    this.template = template;
    /** The lines shown, by their id. @type {Map<string, Wire.ShownLine>} */
    this.known = new Map();
    list.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const button = target.closest(".chat-menu");
      const line = this.known.get(button?.closest("li")?.dataset.key ?? "");
      if (button && line) onMenu(line, button);
    });
  }

  /**
   * Shows the lines of a frame; how many of them are new and by others.
   *
   * @param {Wire.ChatState} frame
   */
  show({ lines, heard, may }) {
    const before = this.known;
    this.known = new Map(lines.map((line) => [String(line.id), line]));
    const reacts = may.why !== "stranger";
    syncRows(this.list, lines, {
      keyOf: ({ id }) => String(id),
      make: () => document.createElement("li"),
      show: (row, line) => this.fill(row, line, { heard, reacts }),
    });
    return lines.filter(({ id, you }) => !you && !before.has(String(id))).length;
  }

  /**
   * A row is written anew only if it says something else: what has been read out stays quiet.
   *
   * @param {HTMLElement} row
   * @param {Wire.ShownLine} line
   * @param {{ heard: string, reacts: boolean }} options
   */
  fill(row, line, { heard, reacts }) {
    const stamp = JSON.stringify([line, heard, reacts]);
    if (row.dataset.stamp === stamp) return;
    row.dataset.stamp = stamp;
    row.classList.toggle("own", line.you);
    row.replaceChildren(messageText(line, heard));
    if (reacts && !line.you && line.by !== null) row.append(menuButton(this.template, line));
  }

  /**
   * The button of a line; null for a line that has none, or is gone.
   *
   * @param {number} id
   * @returns {HTMLElement | null}
   */
  buttonOf(id) {
    return this.list.querySelector(`li[data-key="${id}"] .chat-menu`);
  }
}

const END_SLACK_PX = 24; // pixels from the end within which a reader counts as being there

export class ScrollFollower {
  /**
   * `onFresh(count)` is called whenever the number of unseen lines changes.
   *
   * @param {HTMLElement} scroller
   * @param {(count: number) => void} onFresh
   */
  constructor(scroller, onFresh) {
    this.scroller = scroller;
    this.onFresh = onFresh;
    this.unread = 0;
    this.isFollowing = true;
    this.isSeen = false;
    scroller.addEventListener("scroll", () => this.handleScroll(), { passive: true });
    new IntersectionObserver((entries) =>
      entries.slice(-1).forEach((newest) => this.handleIntersection(newest)),
    ).observe(scroller);
    new ResizeObserver(() => this.settle()).observe(scroller);
    document.addEventListener("visibilitychange", () => this.settle());
  }

  isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight <= END_SLACK_PX;
  }

  handleScroll() {
    if (!this.isSeen) return; // a list that is put away loses its place by itself
    this.isFollowing = this.isAtEnd();
    this.settle();
  }

  /** @param {IntersectionObserverEntry} entry */
  handleIntersection({ isIntersecting }) {
    this.isSeen = isIntersecting;
    this.settle();
  }

  /**
   * Lines were added or taken away; so many of them are news to the reader.
   *
   * @param {number} news
   */
  addUnread(news) {
    this.count(this.unread + news);
    this.settle();
  }

  /**
   * Goes to the end if that is where the reader is; what is in view there has been seen. Without
   * messages, the words on who reads them stay in sight.
   */
  settle() {
    if (!this.isFollowing) return;
    const { scroller } = this;
    scroller.scrollTop = scroller.querySelector("li") ? scroller.scrollHeight : 0;
    if (this.isSeen && document.visibilityState === "visible") this.count(0);
  }

  toEnd() {
    this.isFollowing = true;
    this.settle();
  }

  /** @param {number} unread */
  count(unread) {
    if (unread === this.unread) return;
    this.unread = unread;
    this.onFresh(unread);
  }
}
