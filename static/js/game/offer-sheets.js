/**
 * The sheets of offers (see offers.js), in the order in which they came.
 *
 * A sheet never moves while it can be answered: one that is done, above another, stays as an empty place.
 */

import { freeze, onPress } from "../lib/action-buttons.js";

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/**
 * @param {HTMLElement} part
 * @param {string} text
 */
function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

export class OfferSheets {
  /**
   * `commands[task]()` is called with the answer.
   *
   * @param {HTMLElement} root
   * @param {Commands} commands
   */
  constructor(root, commands) {
    /** @type {(() => void) | undefined} */
    this.onLost = undefined;
    this.root = root;
    this.commands = commands;
    /** @type {Map<string, OfferSheet>} */
    this.sheets = new Map();
  }

  /**
   * Shows offers; returns the new ones.
   *
   * @param {OpenOffer[]} things
   */
  show(things) {
    const keys = new Set(things.map(({ key }) => key));
    const fresh = things.filter(({ key }) => this.sheets.get(key)?.done !== false);
    for (const [key, sheet] of this.sheets) if (!keys.has(key)) this.finish(sheet);
    fresh.forEach((thing) => this.open(thing));
    for (const thing of things) {
      const sheet = this.sheets.get(thing.key);
      if (sheet) this.fill(sheet, thing);
    }
    this.sweep();
    return fresh;
  }

  /** @param {OpenOffer} thing */
  open(thing) {
    this.sheets.get(thing.key)?.element.remove();
    const sheet = {
      element: element("div", "ask-sheet"),
      what: element("p", "ask-what"),
      then: element("p", "ask-then small"),
      buttons: element("div", "ask-answers"),
      done: false,
      answers: "",
    };
    sheet.element.dataset.thing = thing.key;
    sheet.element.setAttribute("role", "group");
    const text = element("div", "ask-text");
    text.append(sheet.what, sheet.then);
    sheet.element.append(text, sheet.buttons);
    this.sheets.delete(thing.key);
    this.sheets.set(thing.key, sheet);
    this.root.append(sheet.element);
  }

  /**
   * @param {OfferSheet} sheet
   * @param {OpenOffer} offer
   */
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

  /** @param {OpenOffer["answers"][number]} answer */
  button({ command, word }) {
    const button = element("button", "button plain", word);
    button.setAttribute("type", "button");
    button.dataset.command = command;
    freeze(button);
    onPress(button, () => this.commands[command]());
    return button;
  }

  /** @param {OfferSheet} sheet */
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

  /**
   * The first button of a sheet that stands.
   *
   * @param {string} key
   */
  answer(key) {
    return this.sheets.get(key)?.buttons.querySelector("button") ?? null;
  }
}
