/** Settings of this device, beside the board; and the speaker, which is one of them. */

import { choose, onSettings, setting } from "../settings.js";
import { t } from "../text.js";

export class Setup {
  /** `isNarrow()`: there is no room beside the board, so the sheet lies over the page. */
  constructor(dialog, { isNarrow }) {
    Object.assign(this, { dialog, isNarrow });
    this.inputs = [...dialog.querySelectorAll("input[type=radio]")];
    for (const input of this.inputs) {
      input.addEventListener("change", () => choose(input.name, input.value));
    }
    dialog.querySelector("#close-setup").addEventListener("click", () => dialog.close());
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !dialog.open) return;
      event.stopPropagation();
      dialog.close();
    });
    dialog.addEventListener("close", () => this.closed());
    onSettings(() => this.show());
    this.show();
  }

  show() {
    for (const input of this.inputs) input.checked = setting(input.name) === input.value;
  }

  /** This is told a moment late: who is already elsewhere stays there. */
  closed() {
    if (document.activeElement === document.body) this.opener?.focus();
  }

  /** Opens the sheet, or closes it if it is open. */
  toggle(opener) {
    this.opener = opener;
    if (this.dialog.open) this.dialog.close();
    else if (this.isNarrow()) this.dialog.showModal();
    else this.dialog.show();
  }
}

export class Speaker {
  /** `onLoud()` is called by the click that switches the sounds on. */
  constructor(button, onLoud) {
    this.button = button;
    button.hidden = false;
    button.addEventListener("click", () => {
      const on = setting("sounds") === "off";
      choose("sounds", on ? "on" : "off");
      if (on) onLoud();
    });
    onSettings(() => this.show());
    this.show();
  }

  show() {
    const on = setting("sounds") === "on";
    this.button.setAttribute("aria-pressed", String(on));
    this.button.title = on ? t("Sounds are on") : t("Sounds are off");
  }
}
