/**
 * The foot of the panel, where one thing is done at a time: writing, choosing a phrase, dealing with
 * a line, or with those who are muted.
 */

import { t } from "../text.js";
import { phrasesOf, wordsOf } from "./phrases.js";
import { REASONS, nameOf, ownCount, reasonOf, roomLeft, stateOf } from "./words.js";

const MOMENT = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

function button(label, kind = "talk-chip") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = label;
  return made;
}

function spoken(text) {
  const made = document.createElement("p");
  made.className = "talk-word";
  made.textContent = text;
  return made;
}

export class Foot {
  /**
   * `left` is where the room that is left in a text is told.
   * `deeds`: say(text), phrase(key), mute(name, on), report(line, reason), leave(id of a line or null).
   */
  constructor(element, left, deeds) {
    Object.assign(this, { element, left, deeds });
    this.form = element.querySelector(".talk-form");
    this.input = this.form.querySelector("input");
    this.chips = element.querySelector(".talk-chips");
    this.stranger = element.querySelector(".talk-guest");
    this.word = element.querySelector(".talk-why");
    this.frame = null;
    this.mode = "write"; // or phrases, line, own
    this.line = null;
    this.listen();
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.deeds.say(this.input.value);
    });
    this.input.addEventListener("input", () => this.count());
    this.form.querySelector(".talk-more").addEventListener("click", () => this.go("phrases"));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.isAside()) return;
      event.preventDefault();
      event.stopPropagation();
      this.back();
    });
  }

  isAside() {
    return this.mode !== "write";
  }

  count() {
    this.left.textContent = roomLeft(this.input.value);
  }

  /** The text has been said; what was written meanwhile stays. */
  said(text) {
    if (this.input.value === text) this.input.value = "";
    this.count();
  }

  /**
   * A newer frame: other permissions, other phrases. An open menu stays as it is, and the focus in it,
   * as long as its line does.
   */
  show(frame) {
    const before = this.frame;
    this.frame = frame;
    const isGone = this.line && !frame.lines.some(({ id }) => id === this.line.id);
    if (isGone) this.back();
    else if (this.mode === "own" && !frame.muted.length && !frame.reports.length) this.back();
    else if (this.mode === "own" || (this.mode !== "line" && this.basis(before) !== this.basis(frame))) this.draw();
  }

  /** What the drawn foot depends on, apart from what somebody is doing in it. */
  basis(frame) {
    return frame && JSON.stringify([frame.may, frame.circle, ownCount(frame)]);
  }

  go(mode, line = null) {
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
    else this.deeds.leave(line?.id ?? null);
  }

  draw() {
    const { write } = this.frame.may;
    const isWriting = this.mode === "write";
    this.form.hidden = !(isWriting && write === "text");
    this.stranger.hidden = !(isWriting && this.frame.may.why === "stranger");
    this.word.hidden = !(isWriting && write === "no" && this.stranger.hidden);
    this.word.textContent = reasonOf(this.frame.may, (at) => MOMENT.format(at));
    this.chips.hidden = isWriting && write !== "phrases";
    this.element.dataset.mode = isWriting && write === "phrases" ? "phrases" : this.mode;
    if (!this.chips.hidden) this.drawChips();
  }

  drawChips() {
    const [label, ...parts] = {
      write: () => this.phrases(),
      phrases: () => this.phrases(),
      line: () => this.choices(),
      own: () => this.own(),
    }[this.mode]();
    this.chips.setAttribute("aria-label", label);
    this.chips.replaceChildren(...parts);
  }

  phrases() {
    const { circle } = this.frame;
    const chips = phrasesOf(circle).map(([key, words]) => {
      const chip = button(words);
      chip.addEventListener("click", () => {
        this.deeds.phrase(key);
        if (this.mode === "phrases") this.back();
      });
      return chip;
    });
    const write = this.mode === "phrases" ? [this.backButton(t("Write"))] : [];
    return [t("Phrases"), ...write, ...this.lowOwn(), ...chips];
  }

  /** In a low panel there is no room for the button beside the note. */
  lowOwn() {
    const label = ownCount(this.frame);
    if (!label) return [];
    const made = button(label, "talk-chip strong low-only");
    made.addEventListener("click", () => this.go("own"));
    return [made];
  }

  backButton(label) {
    const made = button(label, "talk-chip strong");
    made.addEventListener("click", () => this.back());
    return made;
  }

  choices() {
    const { line } = this;
    const name = nameOf(line);
    const mute = button(t("Mute {name}", { name }));
    mute.addEventListener("click", () => this.deeds.mute(line.by, true));
    const report = button(t("Report"));
    report.addEventListener("click", () => this.ask());
    const about = spoken(t("{name}: {words}", { name, words: wordsOf(line) }));
    return [t("About the line by {name}", { name }), about, mute, report, this.backButton(t("Close"))];
  }

  /** Asks for the reason of a report, in the same place. */
  ask() {
    const { line } = this;
    const chips = REASONS.map(([key, words]) => {
      const chip = button(words);
      chip.addEventListener("click", () => {
        this.deeds.report(line.id, key);
        this.back();
      });
      return chip;
    });
    this.chips.replaceChildren(spoken(t("What is wrong with it?")), ...chips, this.backButton(t("Close")));
    this.first().focus();
  }

  /** Who is muted, with the way back, and what became of reports. */
  own() {
    const { muted, reports } = this.frame;
    const names = muted.map((name) => {
      const chip = button(t("Unmute {name}", { name }));
      chip.addEventListener("click", () => this.deeds.mute(name, false));
      return chip;
    });
    const told = reports.map(({ state }) => spoken(stateOf(state)));
    return [t("Muted and reported"), ...told, ...names, this.backButton(t("Close"))];
  }
}
