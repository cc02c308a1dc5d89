/**
 * The chat of a game or lobby.
 *
 * `startChat(element)` starts the block of the chat panel's template; it reports the number of unread
 * messages by the event `chat-unread` (bubbles, detail `{unread}`).
 */

import { find } from "../lib/dom.js";
import { follow } from "../lib/page-connection.js";
import { PendingRequests } from "../lib/pending-requests.js";
import { onSettings, setting } from "../lib/settings.js";
import { t } from "../lib/text.js";
import {
  audienceText,
  MAX_LENGTH,
  ownReportsText,
  refusalText,
  textLength,
  unreadText,
} from "./chat-texts.js";
import { MessageForm } from "./message-form.js";
import { MessageList, ScrollFollower } from "./message-list.js";

const LOW_PANEL_PX = 200; // pixels of height below which only the most needed is shown
const HIGH_PANEL_PX = 480; // pixels of height from which all phrases are shown

const ANSWER_SHOWN_MS = 6000; // ms for which an answer is shown in place of the audience

/** Refusals after which there is no chat. */
const FINAL_REFUSALS = new Set(["off", "gone", "not_watchable"]);
const MAX_TIMEOUT_MS = 2 ** 31 - 1; // ms, the longest that a timer waits

class Chat {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Wire.ChatState | null} */
    this.frame = null;
    /** @type {import("../lib/subscription.js").Subscription | null} */
    this.line = null;
    this.isOpen = true;
    this.requests = new PendingRequests();
    this.list = find(element, ".chat-scroll");
    this.fresh = find(element, ".chat-fresh");
    this.note = find(element, ".chat-note");
    this.own = find(element, ".chat-own");
    this.follow = new ScrollFollower(this.list, (count) => this.reportUnread(count));
    this.messageList = new MessageList(find(this.list, "ol"), find(element, "template"), (line) =>
      this.messageForm.setMode("line", line),
    );
    this.messageForm = new MessageForm(find(element, ".chat-foot"), find(element, ".chat-left"), {
      say: (text) => this.write(text),
      phrase: (phrase) => this.send({ t: "say", phrase }),
      mute: (name, on) => this.send({ t: "mute", name, on }),
      block: (name) => this.send({ t: "block", name }),
      report: (line, reason) => this.send({ t: "report", line, why: reason }),
      leave: (id) => ((id === null ? null : this.messageList.buttonOf(id)) ?? this.list).focus(),
    });
    this.listen();
  }

  listen() {
    this.fresh.addEventListener("click", () => {
      this.follow.toEnd();
      this.list.focus();
    });
    this.own.addEventListener("click", () => this.messageForm.setMode("own"));
    /** @type {HTMLInputElement} */ (find(this.element, ".chat-guest [name=next]")).value =
      location.pathname;
    new ResizeObserver(() => {
      const { classList, clientHeight } = this.element;
      classList.toggle("low", clientHeight < LOW_PANEL_PX);
      classList.toggle("high", clientHeight >= HIGH_PANEL_PX);
    }).observe(this.element);
    onSettings(() => this.applySetting());
  }

  /** The chat is followed as long as this device wants it. */
  applySetting() {
    const wanted = setting("chat") === "on";
    this.element.hidden = !wanted;
    if (wanted && !this.line) this.connect();
    else if (!wanted && this.line) this.leave();
  }

  connect() {
    const line = follow(this.element.dataset.topic ?? "", {
      revOf: () => this.frame?.rev ?? -1,
      onMessage: (/** @type {SiteMessage<"chat:game|lobby/IDENT">} */ message) =>
        this.receive(message),
      onOpen: () => this.requests.unanswered().forEach((message) => line.send(message)),
      onState: ({ open }) => this.handleConnectionState(open),
    });
    this.line = line;
    line.connect();
  }

  leave() {
    this.line?.close();
    this.line = null;
    this.follow.count(0);
  }

  /** @param {boolean} open */
  handleConnectionState(open) {
    this.isOpen = open;
    this.explain();
  }

  /** @param {SiteMessage<"chat:game|lobby/IDENT">} message */
  receive(message) {
    if (message.t === "chat") this.show(message);
    else if (message.t === "receipt") this.handleReceipt(this.requests.answer(message));
    else if (message.t === "refused") this.handleRefusal(message);
    else if (message.t === "ended") this.handleEnd(message);
  }

  /** @param {Wire.ChatState} frame */
  show(frame) {
    const isFirst = this.frame === null;
    this.frame = frame;
    const news = this.messageList.show(frame);
    this.element.classList.toggle("empty", frame.lines.length === 0);
    this.messageForm.show(frame);
    this.follow.addUnread(isFirst ? 0 : news);
    this.showOwn(frame);
    this.explain();
    this.scheduleHello(frame);
    // Earlier messages can be read at will; only new ones are spoken.
    if (isFirst) setTimeout(() => this.list.setAttribute("aria-live", "polite"), 500);
  }

  /** @param {Wire.ChatState} frame */
  showOwn(frame) {
    const label = ownReportsText(frame);
    this.own.hidden = !label;
    this.own.textContent = label;
  }

  /**
   * Permissions that change by themselves are asked for when their time has come.
   *
   * @param {Wire.ChatState} frame
   */
  scheduleHello({ may: { until } }) {
    clearTimeout(this.helloTimer);
    if (until === null) return;
    const ms = Math.min(MAX_TIMEOUT_MS, Math.max(1000, until - Date.now() + 1000));
    this.helloTimer = setTimeout(() => this.line?.subscribe(-1), ms);
  }

  /** @param {string} text */
  write(text) {
    const length = textLength(text);
    if (length === 0) return;
    if (length > MAX_LENGTH) this.say(refusalText("too_long"));
    else if (!this.requests.has("say")) this.send({ t: "say", text });
  }

  /** @param {Wire.Request} message */
  send(message) {
    const request = this.requests.add(message);
    if (!this.line?.send(request.message)) this.explain();
  }

  /** @param {ReturnType<PendingRequests["answer"]>} answer */
  handleReceipt(answer) {
    const message = answer?.request.message;
    if (message?.t === "say") {
      if (message.text) this.messageForm.clearSent(String(message.text));
      this.follow.toEnd();
    } else if (message?.t === "mute") {
      const { name, on } = message;
      this.say(on ? t("You muted {name}.", { name }) : t("You unmuted {name}.", { name }));
    } else if (message?.t === "block") {
      this.say(t("You blocked {name}. Settings has the list.", { name: message.name }));
    } else if (message?.t === "report") {
      this.say(t("Thanks. A moderator will review it."));
    }
  }

  /** @param {Wire.Refusal} message */
  handleRefusal(message) {
    this.requests.answer(message);
    this.say(refusalText(message.reason, message.say));
  }

  /**
   * The server has ended the subscription to the chat, or refused it.
   *
   * @param {{ reason: string, say: string }} message
   */
  handleEnd(message) {
    this.say(refusalText(message.reason, message.say));
    if (!FINAL_REFUSALS.has(message.reason)) return;
    this.line?.close();
    this.element.classList.add("closed");
  }

  /**
   * Shows a sentence for a while in place of the audience.
   *
   * @param {string} text
   */
  say(text) {
    clearTimeout(this.answerTimer);
    this.answer = text;
    this.explain();
    this.answerTimer = setTimeout(() => {
      this.answer = null;
      this.explain();
    }, ANSWER_SHOWN_MS);
  }

  explain() {
    const usualNote = this.isOpen ? this.usualNote() : t("Not connected. Reconnecting…");
    const text = this.answer ?? usualNote;
    this.note.classList.toggle("answer", text !== this.usualNote());
    if (this.note.textContent !== text) this.note.textContent = text;
    find(this.element, ".chat-intro").textContent = this.usualNote();
  }

  /** Returns the audience of the chat, and why the reader may not write freely. */
  usualNote() {
    if (this.frame === null) return "";
    const { heard, may } = this.frame;
    const reason = may.write === "phrases" ? refusalText(may.why) : "";
    const readers = audienceText(heard, "computer" in this.element.dataset);
    return reason ? `${readers} ${reason}` : readers;
  }

  /** @param {number} unread */
  reportUnread(unread) {
    this.fresh.hidden = unread === 0;
    this.fresh.textContent = unreadText(unread);
    this.element.dispatchEvent(
      new CustomEvent("chat-unread", { bubbles: true, detail: { unread } }),
    );
  }
}

const started = new WeakSet();

/**
 * Starts the chat of a panel, once.
 *
 * @param {HTMLElement} element
 */
export function startChat(element) {
  if (started.has(element)) return;
  started.add(element);
  new Chat(element).applySetting();
}

/**
 * The chat has a tab, which counts what has not been read; both go where it is not wanted.
 *
 * @param {HTMLElement} slot
 * @param {import("../game/tabs.js").Tabs} tabs
 */
export function joinChat(slot, tabs) {
  const chat = slot.querySelector(".chat");
  if (!chat) return;
  chat.addEventListener("chat-unread", (event) => {
    const { detail } = /** @type {CustomEvent<{ unread: number }>} */ (event);
    tabs.count("chat", detail.unread);
  });
  const allow = () => tabs.allow("chat", setting("chat") === "on");
  startChat(chat);
  onSettings(allow);
  allow();
}
