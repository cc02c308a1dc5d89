/**
 * The foot of the chat panel, which does one thing at a time: writing, choosing a phrase, handling a
 * message, or handling those who are muted.
 */

import { find } from "../lib/dom.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import {
  authorName,
  lengthLeftText,
  messageWords,
  ownReportsText,
  phrasesOf,
  REASONS,
  reportStateText,
  silencedText,
} from "./chat-texts.js";

const MOMENT_FORMAT = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

/**
 * @param {string} label
 * @param {string} [kind]
 */
function makeButton(label, kind = "chat-chip") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = label;
  return made;
}

/** @param {string} text */
function makeText(text) {
  const made = document.createElement("p");
  made.className = "chat-word";
  made.textContent = text;
  return made;
}

export class MessageForm {
  /**
   * `left` shows how many characters are left in a text.
   * `commands`: say(text), phrase(key), mute(name, on), block(name), report(line, reason), leave(id of a line or null).
   *
   * @param {HTMLElement} element
   * @param {HTMLElement} left
   * @param {MessageCommands} commands
   */
  constructor(element, left, commands) {
    this.element = element;
    this.left = left;
    this.commands = commands;
    this.form = find(element, ".chat-form");
    /** @type {HTMLInputElement} */
    this.input = find(this.form, "input");
    this.chips = find(element, ".chat-chips");
    this.guestForm = find(element, ".chat-guest");
    this.word = find(element, ".chat-why");
    /** @type {Wire.ChatState | null} */
    this.frame = null;
    this.mode = "write"; // or phrases, line, own
    /** @type {Wire.ShownLine | null} */
    this.line = null;
    this.listen();
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.commands.say(this.input.value);
    });
    this.input.addEventListener("input", () => this.count());
    find(this.form, ".chat-more").addEventListener("click", () => this.setMode("phrases"));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.isInMenu()) return;
      event.preventDefault();
      event.stopPropagation();
      this.back();
    });
  }

  isInMenu() {
    return this.mode !== "write";
  }

  count() {
    this.left.textContent = lengthLeftText(this.input.value);
  }

  /**
   * The text has been said; what was written meanwhile stays.
   *
   * @param {string} text
   */
  clearSent(text) {
    if (this.input.value === text) this.input.value = "";
    this.count();
  }

  /**
   * A newer frame: other permissions, other phrases. An open menu stays as it is, and the focus in it,
   * as long as its line does.
   *
   * @param {Wire.ChatState} frame
   */
  show(frame) {
    const before = this.frame;
    this.frame = frame;
    const { line } = this;
    const isGone = line && !frame.lines.some(({ id }) => id === line.id);
    if (isGone) this.back();
    else if (this.mode === "own" && !frame.muted.length && !frame.reports.length) this.back();
    else if (
      this.mode === "own" ||
      (this.mode !== "line" && this.drawnFrom(before) !== this.drawnFrom(frame))
    )
      this.draw();
  }

  /**
   * Returns a key of the data that the form is drawn from, without the reader's own input.
   *
   * @param {Wire.ChatState | null} frame
   */
  drawnFrom(frame) {
    return frame && JSON.stringify([frame.may, frame.circle, ownReportsText(frame)]);
  }

  /**
   * @param {string} mode
   * @param {Wire.ShownLine | null} [line]
   */
  setMode(mode, line = null) {
    this.mode = mode;
    this.line = line;
    this.draw();
    this.first()?.focus();
  }

  first() {
    return this.chips.querySelector("button");
  }

  /** Back to writing; the focus goes to where it came from. */
  back() {
    const { line, mode } = this;
    this.mode = "write";
    this.line = null;
    const held = this.element.contains(document.activeElement);
    this.draw();
    if (!held) return;
    if (mode === "phrases") this.input.focus();
    else this.commands.leave(line?.id ?? null);
  }

  draw() {
    if (this.frame === null) return;
    const { may } = this.frame;
    const { write } = may;
    const isWriting = this.mode === "write";
    this.form.hidden = !(isWriting && write === "text");
    this.guestForm.hidden = !(isWriting && may.why === "stranger");
    this.word.hidden = !(isWriting && write === "no" && this.guestForm.hidden);
    this.word.textContent = silencedText(may, (at) => MOMENT_FORMAT.format(at));
    this.chips.hidden = isWriting && write !== "phrases";
    this.element.dataset.mode = isWriting && write === "phrases" ? "phrases" : this.mode;
    if (!this.chips.hidden) this.drawChips();
  }

  drawChips() {
    const makers = {
      write: () => this.phrases(),
      phrases: () => this.phrases(),
      line: () => this.choices(),
      own: () => this.own(),
    };
    const [label, ...parts] = makers[/** @type {keyof typeof makers} */ (this.mode)]();
    this.chips.setAttribute("aria-label", String(label));
    this.chips.replaceChildren(...parts);
  }

  phrases() {
    const chips = phrasesOf(this.frame?.circle ?? "lobby").map(([key, words]) => {
      const chip = makeButton(words);
      chip.addEventListener("click", () => {
        this.commands.phrase(key);
        if (this.mode === "phrases") this.back();
      });
      return chip;
    });
    const write = this.mode === "phrases" ? [this.backButton(t("Type"))] : [];
    return [t("Quick chat"), ...write, ...this.lowOwn(), ...chips];
  }

  /** In a low panel there is no room for the button beside the note. */
  lowOwn() {
    const label = this.frame && ownReportsText(this.frame);
    if (!label) return [];
    const made = makeButton(label, "chat-chip strong low-only");
    made.addEventListener("click", () => this.setMode("own"));
    return [made];
  }

  /** @param {string} label */
  backButton(label) {
    const made = makeButton(label, "chat-chip strong");
    made.addEventListener("click", () => this.back());
    return made;
  }

  choices() {
    const line = required(this.line, "the line that a choice is about");
    const name = authorName(line);
    const mute = makeButton(t("Mute {name}", { name }));
    mute.addEventListener("click", () => this.commands.mute(line.by ?? "", true));
    const block = makeButton(t("Block {name}", { name }));
    block.addEventListener("click", () => this.askToBlock());
    const report = makeButton(t("Report"));
    report.addEventListener("click", () => this.ask());
    const about = makeText(t("{name}: {words}", { name, words: messageWords(line) }));
    return [
      t("Message from {name}", { name }),
      about,
      mute,
      report,
      block,
      this.backButton(t("Close")),
    ];
  }

  /** Asks for the reason of a report, in the same place. */
  ask() {
    const line = required(this.line, "the line that is reported");
    const chips = REASONS.map(([key, words]) => {
      const chip = makeButton(words);
      chip.addEventListener("click", () => {
        this.commands.report(line.id, key);
        this.back();
      });
      return chip;
    });
    this.chips.replaceChildren(
      makeText(t("Why are you reporting it?")),
      ...chips,
      this.backButton(t("Close")),
    );
    this.first()?.focus();
  }

  /** Says what a block does, and asks for it once more, in the same place. */
  askToBlock() {
    const name = authorName(required(this.line, "the line whose author is blocked"));
    const block = makeButton(t("Block {name}", { name }), "chat-chip strong");
    block.addEventListener("click", () => {
      this.commands.block(name);
      this.back();
    });
    this.chips.replaceChildren(
      makeText(t("You won’t be paired with {name} or read each other’s messages.", { name })),
      block,
      this.backButton(t("Close")),
    );
    this.first()?.focus();
  }

  /** Makes the list of muted people, with buttons to unmute, and the state of reports. */
  own() {
    const { muted = [], reports = [] } = this.frame ?? {};
    const names = muted.map((name) => {
      const chip = makeButton(t("Unmute {name}", { name }));
      chip.addEventListener("click", () => this.commands.mute(name, false));
      return chip;
    });
    const told = reports.map(({ state }) => makeText(reportStateText(state)));
    return [t("Muted and reported"), ...told, ...names, this.backButton(t("Close"))];
  }
}
