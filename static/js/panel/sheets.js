/**
 * The things that want an answer (see offers.js), as sheets in the order in which they came. A sheet
 * never moves while it can be answered: one that is done, above another, stays as an empty place.
 */

import { freeze, onPress } from "./guard.js";

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

export class Sheets {
  /** `deeds[deed]()` is called with the answer. */
  constructor(root, deeds) {
    Object.assign(this, { root, deeds });
    this.sheets = new Map();
  }

  /** Shows the things; gives those that are new. */
  show(things) {
    const keys = new Set(things.map(({ key }) => key));
    const fresh = things.filter(({ key }) => this.sheets.get(key)?.done !== false);
    for (const [key, sheet] of this.sheets) if (!keys.has(key)) this.finish(sheet);
    fresh.forEach((thing) => this.open(thing));
    things.forEach((thing) => this.fill(this.sheets.get(thing.key), thing));
    this.sweep();
    return fresh;
  }

  open(thing) {
    this.sheets.get(thing.key)?.element.remove();
    const sheet = { element: element("div", "ask-sheet"), done: false, answers: "" };
    sheet.element.dataset.thing = thing.key;
    sheet.element.setAttribute("role", "group");
    const text = element("div", "ask-text");
    sheet.what = element("p", "ask-what");
    sheet.then = element("p", "ask-then small");
    text.append(sheet.what, sheet.then);
    sheet.buttons = element("div", "ask-answers");
    sheet.element.append(text, sheet.buttons);
    this.sheets.delete(thing.key);
    this.sheets.set(thing.key, sheet);
    this.root.append(sheet.element);
  }

  fill(sheet, { what, then, mine, answers }) {
    sheet.element.classList.toggle("mine", mine);
    sheet.element.setAttribute("aria-label", what);
    write(sheet.what, what);
    write(sheet.then, then);
    const text = JSON.stringify(answers);
    if (text === sheet.answers) return;
    sheet.answers = text;
    sheet.buttons.replaceChildren(...answers.map((answer) => this.button(answer)));
  }

  button({ deed, word }) {
    const button = element("button", "button plain", word);
    button.type = "button";
    button.dataset.deed = deed;
    freeze(button);
    onPress(button, () => this.deeds[deed]());
    return button;
  }

  finish(sheet) {
    if (sheet.done) return;
    const focused = sheet.element.contains(document.activeElement);
    sheet.done = true;
    sheet.element.classList.add("done");
    if (focused) this.onLost?.();
  }

  /** Takes finished sheets away, but for those above one that still stands. */
  sweep() {
    for (const [key, sheet] of [...this.sheets].reverse()) {
      if (!sheet.done) return;
      sheet.element.remove();
      this.sheets.delete(key);
    }
  }

  /** The first button of a sheet that stands. */
  answer(key) {
    return this.sheets.get(key)?.buttons.querySelector("button") ?? null;
  }
}
