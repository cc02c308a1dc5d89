/**
 * Talk in a game or lobby. `startTalk(element)` brings the block of templates/talk/panel.html to life;
 * it tells how much has not been read by the event `talk-news` (bubbles, detail `{unread}`).
 */

import { Errands } from "../errands.js";
import { onSettings, setting } from "../settings.js";
import { Line, addressOf } from "../socket.js";
import { t } from "../text.js";
import { Follow } from "./follow.js";
import { Foot } from "./foot.js";
import { Lines } from "./lines.js";
import { LONGEST, freshCount, heardBy, lengthOf, ownCount, why } from "./words.js";

const LOW = 200; // pixels of height below which only the most needed is shown
const STAYS = 6000; // ms for which an answer is shown in place of who reads along
const FINAL = new Set(["off", "gone", "not_watchable"]); // refusals after which there is no talk
const FARTHEST = 2 ** 31 - 1; // ms, the longest that a timer waits

class Talk {
  constructor(element) {
    this.element = element;
    this.frame = null;
    this.line = null;
    this.isOpen = true;
    this.errands = new Errands();
    this.list = element.querySelector(".talk-scroll");
    this.fresh = element.querySelector(".talk-fresh");
    this.note = element.querySelector(".talk-note");
    this.own = element.querySelector(".talk-own");
    this.follow = new Follow(this.list, (count) => this.tell(count));
    this.lines = new Lines(
      this.list.querySelector("ol"),
      element.querySelector("template"),
      (line) => this.foot.go("line", line),
    );
    this.foot = new Foot(element.querySelector(".talk-foot"), element.querySelector(".talk-left"), {
      say: (text) => this.write(text),
      phrase: (phrase) => this.send({ t: "say", phrase }),
      mute: (name, on) => this.send({ t: "mute", name, on }),
      report: (line, reason) => this.send({ t: "report", line, why: reason }),
      leave: (id) => (this.lines.buttonOf(id) ?? this.list).focus(),
    });
    this.listen();
  }

  listen() {
    this.fresh.addEventListener("click", () => {
      this.follow.toEnd();
      this.list.focus();
    });
    this.own.addEventListener("click", () => this.foot.go("own"));
    this.element.querySelector(".talk-guest [name=next]").value = location.pathname;
    new ResizeObserver(() => {
      this.element.classList.toggle("low", this.element.clientHeight < LOW);
    }).observe(this.element);
    addEventListener("online", () => this.line?.hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.line?.hurry();
    });
    onSettings(() => this.obey());
  }

  /** Talk is followed as long as this device wants it. */
  obey() {
    const wanted = setting("talk") === "on";
    this.element.hidden = !wanted;
    if (wanted && !this.line) this.connect();
    else if (!wanted && this.line) this.leave();
  }

  connect() {
    this.line = new Line(addressOf(this.element.dataset.socket), {
      revOf: () => this.frame?.rev ?? -1,
      onMessage: (message) => this.hear(message),
      onOpen: () => this.errands.unanswered().forEach((message) => this.line.send(message)),
      onState: ({ open }) => this.turned(open),
    });
    this.line.connect();
  }

  leave() {
    this.line.end();
    this.line = null;
    this.follow.count(0);
  }

  turned(open) {
    this.isOpen = open;
    this.explain();
  }

  hear(message) {
    if (message.t === "talk") this.show(message);
    else if (message.t === "receipt") this.done(this.errands.answer(message));
    else if (message.t === "refused") this.refused(message);
  }

  show(frame) {
    const isFirst = this.frame === null;
    this.frame = frame;
    const news = this.lines.show(frame);
    this.element.classList.toggle("empty", frame.lines.length === 0);
    this.foot.show(frame);
    this.follow.grew(isFirst ? 0 : news);
    this.showOwn();
    this.explain();
    this.wait();
    // What was said before is read by whoever wants to; only what comes from now on is spoken.
    if (isFirst) setTimeout(() => this.list.setAttribute("aria-live", "polite"), 500);
  }

  showOwn() {
    const label = ownCount(this.frame);
    this.own.hidden = !label;
    this.own.textContent = label;
  }

  /** Permissions that change by themselves are asked for when their time has come. */
  wait() {
    clearTimeout(this.waiting);
    const { until } = this.frame.may;
    if (until === null) return;
    const ms = Math.min(FARTHEST, Math.max(1000, until - Date.now() + 1000));
    this.waiting = setTimeout(() => this.line?.send({ t: "hello", rev: -1 }), ms);
  }

  write(text) {
    const length = lengthOf(text);
    if (length === 0) return;
    if (length > LONGEST) this.say(why("too_long"));
    else if (!this.errands.has("say")) this.send({ t: "say", text });
  }

  send(message) {
    const errand = this.errands.add(message);
    if (!this.line?.send(errand.message)) this.explain();
  }

  done(answer) {
    const message = answer?.errand.message;
    if (message?.t === "say") {
      if (message.text) this.foot.said(message.text);
      this.follow.toEnd();
    } else if (message?.t === "mute") {
      const { name, on } = message;
      this.say(
        on ? t("You no longer see lines by {name}.", { name }) : t("You see lines by {name} again.", { name }),
      );
    } else if (message?.t === "report") {
      this.say(t("Thank you. A moderator will look."));
    }
  }

  refused(message) {
    this.errands.answer(message);
    this.say(why(message.reason, message.say));
    if (!FINAL.has(message.reason)) return;
    this.line.end();
    this.element.classList.add("closed");
  }

  /** Says something for a while where it usually says who reads along. */
  say(text) {
    clearTimeout(this.saying);
    this.answer = text;
    this.explain();
    this.saying = setTimeout(() => {
      this.answer = null;
      this.explain();
    }, STAYS);
  }

  explain() {
    const usual = this.isOpen ? this.usual() : t("Not connected. Trying again.");
    const text = this.answer ?? usual;
    this.note.classList.toggle("answer", text !== this.usual());
    if (this.note.textContent !== text) this.note.textContent = text;
    this.element.querySelector(".talk-intro").textContent = this.usual();
  }

  /** Who reads along; and for those who may not write all they like, why. */
  usual() {
    if (this.frame === null) return "";
    const { heard, may } = this.frame;
    const reason = may.write === "phrases" ? why(may.why) : "";
    const readers = heardBy(heard, "computer" in this.element.dataset);
    return reason ? `${readers} ${reason}` : readers;
  }

  tell(unread) {
    this.fresh.hidden = unread === 0;
    this.fresh.textContent = freshCount(unread);
    this.element.dispatchEvent(new CustomEvent("talk-news", { bubbles: true, detail: { unread } }));
  }
}

const started = new WeakSet();

/** Starts the talk of a panel, once. */
export function startTalk(element) {
  if (started.has(element)) return;
  started.add(element);
  new Talk(element).obey();
}
