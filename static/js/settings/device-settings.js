/** Settings of this device beside the board, and the button that switches the sounds. */

import { find, loadLater } from "../lib/dom.js";
import { chooseSetting, onSettings, setting } from "../lib/settings.js";
import { t } from "../lib/text.js";

const withPictures = loadLater(
  () => import("./setting-pictures.js"),
  ({ addSettingPictures }) => addSettingPictures,
);

export class DeviceSettings {
  /**
   * `isNarrow()`: there is no room beside the board, so the sheet lies over the page.
   *
   * @param {HTMLDialogElement} dialog
   * @param {{ isNarrow: () => boolean }} options
   */
  constructor(dialog, { isNarrow }) {
    this.dialog = dialog;
    this.isNarrow = isNarrow;
    /** @type {NodeListOf<HTMLInputElement>} */
    this.inputs = dialog.querySelectorAll("input[type=radio]");
    for (const input of this.inputs) {
      input.addEventListener("change", () => chooseSetting(input.name, input.value));
    }
    find(dialog, "#close-setup").addEventListener("click", () => dialog.close());
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !dialog.open) return;
      event.stopPropagation();
      dialog.close();
    });
    dialog.addEventListener("close", () => this.restoreFocus());
    onSettings(() => this.show());
    this.show();
  }

  show() {
    for (const input of this.inputs) input.checked = setting(input.name) === input.value;
  }

  /** This is told a moment late: who is already elsewhere stays there. */
  restoreFocus() {
    if (document.activeElement === document.body) this.opener?.focus();
  }

  /**
   * Opens the sheet, or closes it if it is open.
   *
   * @param {HTMLElement} opener
   */
  toggle(opener) {
    this.opener = opener;
    withPictures((add) => add(this.dialog));
    if (this.dialog.open) this.dialog.close();
    else if (this.isNarrow()) this.dialog.showModal();
    else this.dialog.show();
  }
}

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
    find(element, "#sound-yes").addEventListener("click", () => {
      chooseSetting("sounds", "on");
      onLoud();
    });
    find(element, "#sound-no").addEventListener("click", () => chooseSetting("asked", "yes"));
    onSettings(() => this.show());
    this.show();
    new ResizeObserver(() => this.hideWhenCut()).observe(element);
  }

  /** Hides a question that its place cuts; it keeps its box, so that more room shows it again. */
  hideWhenCut() {
    const { scrollWidth, clientWidth } = this.element;
    this.element.style.visibility = scrollWidth > clientWidth ? "hidden" : "";
  }

  show() {
    if (setting("sounds") !== "off" && setting("asked") === "no") chooseSetting("asked", "yes");
    this.element.hidden = setting("asked") === "yes";
  }
}
