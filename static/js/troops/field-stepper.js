/** The number of troops on a field: buttons for one more and one fewer, and a spin button for keys. */

import { makeElement } from "../lib/dom.js";
import { FIELDS } from "../lib/game-words.js";
import { pressedKey } from "../lib/pressed-key.js";
import { t } from "../lib/text.js";
import { troopsText } from "./troops-sentences.js";

/**
 * @param {number} index
 * @param {"plus" | "minus"} act
 * @param {(field: number, by: number) => void} onChange
 */
function makeStepButton(index, act, onChange) {
  const field = FIELDS[index];
  const plus = act === "plus";
  const label = plus ? t("One more on {field}", { field }) : t("One fewer on {field}", { field });
  const named = { type: "button", "data-field": index, "data-do": act, "aria-label": label };
  const button = makeElement("button", "button plain stepper", named, plus ? "+" : "−");
  button.addEventListener("click", () => onChange(index, plus ? 1 : -1));
  return button;
}

export class FieldStepper {
  /**
   * `onChange(index, by)` is asked for each change; it shows the foot again.
   *
   * @param {number} index
   * @param {(field: number, by: number) => void} onChange
   */
  constructor(index, onChange) {
    this.index = index;
    this.onChange = onChange;
    this.count = 0;
    this.most = 0;
    this.digits = "";
    this.typedAt = 0;
    this.sealed = false;
    this.minus = makeStepButton(index, "minus", onChange);
    this.plus = makeStepButton(index, "plus", onChange);
    this.number = makeElement("div", "troops-count number", {
      role: "spinbutton",
      tabindex: "0",
      "data-field": index,
      "aria-label": FIELDS[index],
      "aria-valuemin": "0",
    });
    this.number.addEventListener("keydown", (event) => this.key(event));
    this.number.addEventListener("blur", () => {
      this.digits = "";
    });
    this.word = makeElement("span", "sealed-word", {}, t("locked in"));
    this.element = makeElement("div", "foot");
    this.element.append(this.minus, this.number, this.plus, this.word);
  }

  /**
   * `most`: as many as could stand here; sealed numbers can't be changed.
   *
   * @param {{ count: number, most: number, sealed: boolean }} state
   */
  show({ count, most, sealed }) {
    this.count = count;
    this.most = most;
    this.sealed = sealed;
    const { number } = this;
    if (number.textContent !== String(count)) number.textContent = String(count);
    number.setAttribute("aria-valuenow", String(count));
    number.setAttribute("aria-valuemax", String(most));
    number.setAttribute("aria-valuetext", troopsText(count));
    number.setAttribute("aria-readonly", String(sealed));
    for (const [button, able] of /** @type {[HTMLElement, boolean][]} */ ([
      [this.minus, count > 0],
      [this.plus, count < most],
    ])) {
      button.hidden = sealed;
      button.setAttribute("aria-disabled", String(!able));
      button.classList.toggle("cannot", !able);
    }
    this.word.hidden = !sealed;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.sealed || event.ctrlKey || event.altKey || event.metaKey) return;
    const fresh = event.timeStamp - this.typedAt > TYPING_PAUSE_MS;
    const { count: value, most } = this;
    const wanted = numberAfterKey(pressedKey(event), {
      value,
      most,
      digits: fresh ? "" : this.digits,
    });
    if (wanted === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.digits = wanted.digits;
    this.typedAt = event.timeStamp;
    if (wanted.value !== value) this.onChange(this.index, wanted.value - value);
  }
}

/** Digits that come within this many ms make one number. */
export const TYPING_PAUSE_MS = 1200;

/** @type {Record<string, (value: number, most: number) => number>} */
const KEY_CHANGES = {
  ArrowUp: (value) => value + 1,
  ArrowRight: (value) => value + 1,
  ArrowDown: (value) => value - 1,
  ArrowLeft: (value) => value - 1,
  PageUp: (value) => value + 3,
  PageDown: (value) => value - 3,
  Home: () => 0,
  End: (_, most) => most,
  Backspace: () => 0,
  Delete: () => 0,
};

/**
 * The number wanted after a key: {value, digits}, or null for a key that means nothing here. `value`
 * is the present number, `most` the greatest that is possible, `digits` those typed just before.
 *
 * @param {string} key
 * @param {{ value: number, most: number, digits?: string }} state
 */
export function numberAfterKey(key, { value, most, digits = "" }) {
  /** @param {number} number */
  const within = (number) => Math.min(most, Math.max(0, number));
  if (/^\d$/.test(key)) {
    const both = Number(digits + key);
    const typed = digits !== "" && both <= most ? digits + key : key;
    return { value: within(Number(typed)), digits: typed };
  }
  const step = KEY_CHANGES[key];
  return step ? { value: within(step(value, most)), digits: "" } : null;
}
