/** The sheet with the settings of this device beside the board. */

import { find, loadLater } from "../lib/dom.js";
import { chooseSetting, onSettings, setting } from "../lib/settings.js";

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

  /** The event of closing comes late: a focus that is elsewhere by then stays. */
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
