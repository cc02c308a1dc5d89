/** The settings sheet of a game's page: this device's settings, and the claim of a decided game. */

import { byId } from "../lib/dom.js";
import { DeviceSettings } from "../settings/device-settings.js";
import { WinClaim } from "./win-claim.js";

/** @param {import("./game-page.js").Game} game */
export function gameSettings(game) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("setup"));
  const isNarrow = () => Boolean(game.panel.tabs.compact);
  const settings = new DeviceSettings(sheet, { isNarrow });
  const claim = new WinClaim(game, sheet);
  return {
    /** @param {HTMLElement} opener */
    toggle(opener) {
      claim.show();
      settings.toggle(opener);
    },
  };
}
