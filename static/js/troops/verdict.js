/** The foot of a plot at the reveal: both numbers, the sign between them, and who gets the points. */

import { make } from "./make.js";

function cellOf([value, label, greater]) {
  const cell = make("span", greater ? "verdict-cell greater" : "verdict-cell", {}, String(value));
  cell.append(make("small", "verdict-name", {}, label));
  return cell;
}

export class Verdict {
  constructor() {
    this.element = make("div", "verdict");
    this.shown = "";
  }

  /** `verdict`: {near, far, sign, nearName, farName, words, bold}; it takes its room before it is said. */
  show(verdict, said) {
    const key = JSON.stringify([verdict, said]);
    if (key === this.shown) return;
    this.shown = key;
    const { near, far, sign, nearName, farName, words, bold } = verdict;
    const numbers = make("p", "verdict-numbers number");
    const cells = [[near, nearName, near > far], [sign, "", false], [far, farName, far > near]];
    numbers.append(...cells.map(cellOf));
    const sentence = make("p", bold ? "verdict-words own" : "verdict-words", {}, words);
    this.element.replaceChildren(numbers, sentence);
    this.element.classList.toggle("unsaid", !said);
  }
}
