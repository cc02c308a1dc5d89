/** Entry of the page of settings: each choice works at once and is stored in this browser. */

import "./base.js";
import { byId } from "../lib/dom.js";
import { canStore, chooseSetting, onSettings, setting } from "../lib/settings.js";
import { t } from "../lib/text.js";
import { addSettingPictures } from "../settings/setting-pictures.js";

const device = byId("device");

const storedNote = byId("kept");

/**
 * @param {string} name
 * @param {string} value
 */
function radio(name, value) {
  return /** @type {HTMLInputElement} */ (byId(`${name}-${value}`));
}

/** Names of the settings in `settings.js`; the theme has a script of its own. */
function names() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = device.querySelectorAll("input");
  const all = [...inputs].map((input) => input.name);
  return [...new Set(all)].filter((name) => name !== "theme");
}

function show() {
  for (const name of names()) radio(name, setting(name)).checked = true;
}

/** @param {string} sentence */
function say(sentence) {
  storedNote.textContent = sentence;
}

function sayStored() {
  say(
    canStore()
      ? t("Saved on this device.")
      : t("This browser can’t save settings: your choice lasts until you close the page."),
  );
}

/** @param {{ name: string, value: string }} input */
function applyChoice({ name, value }) {
  if (name !== "theme") chooseSetting(name, value);
  sayStored();
}

device.addEventListener("change", (event) =>
  applyChoice(/** @type {HTMLInputElement} */ (event.target)),
);

onSettings(show);

show();

device.hidden = false;

addSettingPictures(device);
