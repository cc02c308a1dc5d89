/** The button that installs the site as an app, where the browser offers that. */

import { find } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { isInstalled } from "./worker-use.js";

/**
 * Chromium's event, which other browsers lack.
 *
 * @typedef {Event & { prompt: () => Promise<unknown> }} InstallOffer
 */

const root = document.getElementById("install");

/** @param {HTMLElement} part */
function followOffers(part) {
  const button = find(part, "#install-app");
  const status = find(part, "#install-say");
  /** @type {InstallOffer | null} */
  let offer = null;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // no banner beside the button
    offer = /** @type {InstallOffer} */ (event);
    button.hidden = false;
  });
  button.addEventListener("click", () => {
    button.hidden = true; // the browser answers each offer once
    offer?.prompt();
  });
  const showInstalled = () => {
    button.hidden = true;
    status.textContent = t("Quiver is installed on this device.");
  };
  addEventListener("appinstalled", showInstalled);
  if (isInstalled()) showInstalled();
}

if (root) followOffers(root);
