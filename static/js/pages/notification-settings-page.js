/** Entry of the page of notification settings: offers the time zone of the browser. */

import "./base.js";
import "../notices/devices.js";
import "../notices/install.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @type {HTMLSelectElement} */
const select = byId("notify_time_zone");

/** @type {HTMLButtonElement} */
const button = byId("zone-use");

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function show() {
  const isListed = [...select.options].some(({ value }) => value === zone);
  byId("zone-offer").hidden = !isListed || select.value === zone;
}

button.textContent = t("Use this device’s time zone: {zone}", { zone: zone.replaceAll("_", " ") });

button.addEventListener("click", () => {
  select.value = zone;
  show();
  select.focus();
});

select.addEventListener("change", show);

show();
