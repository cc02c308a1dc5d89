/**
 * The search beside a game against the computer: that it goes on, and the question when somebody is
 * there. Loaded only by the page of such a game.
 */

import { makeElement } from "../lib/dom.js";
import { leaveFor } from "../lib/leave.js";
import { t } from "../lib/text.js";
import { SearchClient } from "./search-client.js";
import { elapsedText } from "./search-state.js";

const TICK_MS = 250;

/** Time for which a phone shows the running search, ms; then it is under the tab "More". */
const START_SHOWN_MS = 5000;

/** Duration of the notice that a search has ended, in ms. */
const END_SHOWN_MS = 8000;

/**
 * @param {HTMLElement} part
 * @param {string} text
 */
function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

export class SearchNotice {
  /**
   * `tell(sentence)` speaks to screen readers.
   *
   * @param {HTMLElement} root
   * @param {(sentence: string) => void} tell
   */
  constructor(root, tell) {
    this.root = root;
    this.tell = tell;
    this.sheet = makeElement("div", "ask-sheet mine", { role: "group" });
    this.what = makeElement("p", "ask-what number");
    this.then = makeElement("p", "ask-then small number");
    this.buttons = makeElement("div", "ask-answers");
    const text = makeElement("div", "ask-text");
    text.append(this.what, this.then);
    this.sheet.append(text, this.buttons);
    this.asked = "";
    this.endTimer = 0;
    this.quietFrom = performance.now() + START_SHOWN_MS;
    this.client = new SearchClient({
      isOpen: true,
      isBusy: true,
      onShow: (frame, reaction) => this.show(frame, reaction),
    });
    setInterval(() => this.tick(), TICK_MS);
  }

  /**
   * @param {Wire.SearchState} frame
   * @param {string} reaction
   */
  show(frame, reaction) {
    if (reaction === "enter" && frame.game) {
      leaveFor(frame.game);
      return;
    }
    clearTimeout(this.endTimer);
    const isOpen = frame.state === "looking" || frame.state === "asked";
    const end = reaction === "another" ? t("Your game has opened in another tab.") : frame.say;
    if (isOpen || end) this.root.append(this.sheet);
    else this.sheet.remove();
    if (isOpen) this.showButtons(reaction === "ask" ? "ask" : frame.state);
    else {
      this.showButtons("end");
      write(this.what, end);
      write(this.then, "");
      this.endTimer = setTimeout(() => this.sheet.remove(), END_SHOWN_MS);
    }
    if (reaction === "ask" && this.asked !== frame.rev) this.tell(frame.offer);
    this.asked = frame.rev;
    this.tick();
  }

  /** @param {string} state */
  showButtons(state) {
    if (this.sheet.dataset.state === state) return;
    this.sheet.dataset.state = state;
    const { client } = this;
    /** @type {Record<string, [string, string, () => void][]>} */
    const choices = {
      ask: [
        ["plain", t("Not now"), () => client.answer(false)],
        ["primary", t("Play"), () => client.answer(true)],
      ],
      looking: [["plain", t("Stop"), () => client.stop()]],
    };
    const made = (choices[state] ?? []).map(([kind, word, press]) => {
      const button = makeElement("button", `button ${kind}`, { type: "button" }, word);
      button.addEventListener("click", press);
      return button;
    });
    this.buttons.replaceChildren(...made);
  }

  tick() {
    const { frame } = this.client;
    const { state } = this.sheet.dataset;
    const isQuiet = state !== "ask" && state !== "end" && performance.now() > this.quietFrom;
    this.sheet.classList.toggle("mine", isQuiet);
    if (frame === null || !this.sheet.isConnected) return;
    if (state === "ask") {
      const count = Math.max(0, Math.ceil(this.client.remaining() / 1000));
      write(this.what, frame.offer);
      write(this.then, t("{count} s left. This game is kept.", { count }));
    } else if (state === "asked") {
      write(this.what, t("Opponent found. Waiting for their answer…"));
      write(this.then, "");
    } else if (state === "looking") {
      const time = elapsedText(this.client.elapsed());
      write(this.what, t("Looking for an opponent… {time}", { time }));
      write(this.then, t("We’ll ask you when someone is here."));
    }
  }
}
