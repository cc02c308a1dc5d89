/** The verdict on a tried turn: a mark, a word, and an explanation. */

import { find } from "../lib/dom.js";

const NS = "http://www.w3.org/2000/svg";

const MARKS = {
  solved: "M4.5 12.5 9.5 17.5 19.5 6.5",
  missed: "M5 12h14",
  illegal: "M6 6l12 12M18 6 6 18",
};

/** @param {keyof typeof MARKS} kind */
function markOf(kind) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon verdict-mark ${kind}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", MARKS[kind]);
  svg.append(path);
  return svg;
}

/**
 * @param {string} text
 * @param {string} className
 */
function lineOf(text, className) {
  const line = document.createElement("p");
  line.className = className;
  line.textContent = text;
  return line;
}

export class VerdictBox {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * `kind`: solved, missed or illegal; `heard`: the sentence for screen readers.
   *
   * @param {keyof typeof MARKS} kind
   * @param {string} head
   * @param {string} text
   * @param {string} [heard]
   */
  show(kind, head, text, heard = "") {
    const words = document.createElement("div");
    words.append(lineOf(head, "verdict-head"), lineOf(text, "verdict-text"));
    if (heard) words.prepend(lineOf(heard, "unseen"));
    this.element.dataset.verdict = kind;
    this.element.replaceChildren(markOf(kind), words);
  }

  /**
   * Puts a sentence in place of the text.
   *
   * @param {string} text
   */
  say(text) {
    find(this.element, ".verdict-text").textContent = text;
  }

  clear() {
    delete this.element.dataset.verdict;
    this.element.replaceChildren();
  }
}
