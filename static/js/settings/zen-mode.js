/** The ways out of zen mode, which css/game/zen.css shows: a button and Escape. Loaded when it is chosen. */

import { byId, makeElement } from "../lib/dom.js";
import { chooseSetting, onSettings, setting } from "../lib/settings.js";
import { t } from "../lib/text.js";

export class ZenMode {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    this.isOn = false;
    const attributes = { type: "button", id: "leave-zen", "aria-keyshortcuts": "z" };
    this.button = makeElement("button", "button plain leave-zen", attributes, t("Leave zen mode"));
    this.button.hidden = true;
    this.button.addEventListener("click", () => this.leave());
    byId("inner").append(this.button);
    addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
    onSettings(() => this.show());
  }

  show() {
    const isOn = setting("zen") === "on";
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.button.hidden = !isOn;
    const words = isOn ? t("Zen mode is on. Press Z to leave it.") : t("Zen mode is off.");
    this.game.announcer.say(words);
  }

  leave() {
    chooseSetting("zen", "off");
  }

  /**
   * Escape leaves zen mode where it has nothing else to end.
   *
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    if (event.key !== "Escape" || !this.isOn || this.isBusy()) return;
    event.preventDefault();
    this.leave();
  }

  /** Returns whether Escape puts something away: a sheet, a question, what is composed or typed. */
  isBusy() {
    const { result, panel, surface, snapshot } = this.game;
    const isOpen = document.querySelector("dialog[open]") !== null || result?.isOpen;
    return Boolean(isOpen || panel.asked || surface.read(snapshot).back);
  }
}
