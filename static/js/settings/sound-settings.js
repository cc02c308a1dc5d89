/** The button that switches the sounds, and the question of a first game whether they are wanted. */

import { byId, find } from "../lib/dom.js";
import { chooseSetting, onSettings, setting } from "../lib/settings.js";
import { t } from "../lib/text.js";

/** Windows whose header has no room for it. */
const NARROW = matchMedia("(max-width: 1000px)");

export class SoundButton {
  /**
   * `onLoud()` is called by the click that switches the sounds on.
   *
   * @param {HTMLElement} button
   * @param {() => void} onLoud
   */
  constructor(button, onLoud) {
    this.button = button;
    button.hidden = false;
    button.addEventListener("click", () => {
      const on = setting("sounds") === "off";
      chooseSetting("sounds", on ? "on" : "off");
      if (on) onLoud();
    });
    onSettings(() => this.show());
    this.show();
  }

  show() {
    const on = setting("sounds") !== "off";
    this.button.setAttribute("aria-pressed", String(on));
    this.button.title = on ? t("Sounds are on") : t("Sounds are off");
  }
}

/** Asks once, in somebody's first game, whether sounds are wanted; any answer is the last one. */
export class SoundQuestion {
  /**
   * `onLoud()` is called by the click that switches the sounds on.
   *
   * @param {HTMLElement} element
   * @param {() => void} onLoud
   */
  constructor(element, onLoud) {
    this.element = element;
    const header = element.parentElement;
    // In windows with a narrow header it stands where offers and notices do.
    const place = () => (NARROW.matches ? byId("notices").parentElement : header)?.append(element);
    NARROW.addEventListener("change", place);
    place();
    find(element, "#sound-yes").addEventListener("click", () => {
      chooseSetting("sounds", "on");
      onLoud();
    });
    find(element, "#sound-no").addEventListener("click", () => chooseSetting("asked", "yes"));
    onSettings(() => this.show());
    this.show();
    // Hidden where its place cuts it; it keeps its box, so that more room shows it again.
    new ResizeObserver(() => {
      element.style.visibility = element.scrollWidth > element.clientWidth ? "hidden" : "";
    }).observe(element);
  }

  show() {
    if (setting("sounds") !== "off" && setting("asked") === "no") chooseSetting("asked", "yes");
    this.element.hidden = setting("asked") === "yes";
  }
}
