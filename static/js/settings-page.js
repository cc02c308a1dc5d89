/** The page of settings: each choice works at once and is kept by this browser. */

import { choose, isKept, onSettings, setting } from "./settings.js";
import { t } from "./text.js";

const device = document.getElementById("device");
const kept = document.getElementById("kept");

function radio(name, value) {
  return document.getElementById(`${name}-${value}`);
}

/** Names of the settings in `settings.js`; the theme has a script of its own. */
function names() {
  const all = [...device.querySelectorAll("input")].map((input) => input.name);
  return [...new Set(all)].filter((name) => name !== "theme");
}

function show() {
  for (const name of names()) radio(name, setting(name)).checked = true;
}

function say(sentence) {
  kept.textContent = sentence;
}

function sayKept() {
  say(
    isKept()
      ? t("Kept on this device.")
      : t("This browser keeps nothing: the choice is good until you close the page."),
  );
}

/** Whether the browser lets this site notify; asks the person if that is still open. */
async function mayNotify() {
  if (!("Notification" in window)) {
    say(t("This browser has no notices."));
    return false;
  }
  if ((await Notification.requestPermission()) === "granted") return true;
  say(t("The browser does not allow notices from this site. You can change that in the browser."));
  return false;
}

async function chosen({ name, value }) {
  if (name === "notices" && value === "on" && !(await mayNotify())) {
    choose(name, "off");
    show();
    return;
  }
  if (name !== "theme") choose(name, value);
  sayKept();
}

device.addEventListener("change", (event) => chosen(event.target));
onSettings(show);
show();
device.hidden = false;
