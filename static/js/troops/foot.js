/** The foot of a plot while one composes: −, the number, +. The number is a field for keys as well. */

import { FIELDS } from "../board/speech.js";
import { t } from "../text.js";
import { make } from "./make.js";
import { TYPING, spun } from "./spin.js";
import { troopsWords } from "./words.js";

function stepper(index, act, onChange) {
  const field = FIELDS[index];
  const plus = act === "plus";
  const label = plus ? t("One more on {field}", { field }) : t("One fewer on {field}", { field });
  const named = { type: "button", "data-field": index, "data-do": act, "aria-label": label };
  const button = make("button", "button plain stepper", named, plus ? "+" : "−");
  button.addEventListener("click", () => onChange(index, plus ? 1 : -1));
  return button;
}

export class Foot {
  /** `onChange(index, by)` is asked for each change; it shows the foot again. */
  constructor(index, onChange) {
    Object.assign(this, { index, onChange, count: 0, most: 0, digits: "", typed: 0, sealed: false });
    this.minus = stepper(index, "minus", onChange);
    this.plus = stepper(index, "plus", onChange);
    this.number = make("div", "troops-count number", {
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
    this.word = make("span", "sealed-word", {}, t("sealed"));
    this.element = make("div", "foot");
    this.element.append(this.minus, this.number, this.plus, this.word);
  }

  /** `most`: as many as could stand here; sealed numbers can't be changed. */
  show({ count, most, sealed }) {
    Object.assign(this, { count, most, sealed });
    const { number } = this;
    if (number.textContent !== String(count)) number.textContent = String(count);
    number.setAttribute("aria-valuenow", String(count));
    number.setAttribute("aria-valuemax", String(most));
    number.setAttribute("aria-valuetext", troopsWords(count));
    number.setAttribute("aria-readonly", String(sealed));
    for (const [button, able] of [[this.minus, count > 0], [this.plus, count < most]]) {
      button.hidden = sealed;
      button.setAttribute("aria-disabled", String(!able));
      button.classList.toggle("cannot", !able);
    }
    this.word.hidden = !sealed;
  }

  key(event) {
    if (this.sealed || event.ctrlKey || event.altKey || event.metaKey) return;
    const fresh = event.timeStamp - this.typed > TYPING;
    const { count: value, most } = this;
    const wanted = spun(event.key, { value, most, digits: fresh ? "" : this.digits });
    if (wanted === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.digits = wanted.digits;
    this.typed = event.timeStamp;
    if (wanted.value !== value) this.onChange(this.index, wanted.value - value);
  }
}
