/** The devices with notifications, in the settings: this one on or off, the others, tests. */

import { cloneTemplate, find } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { removeDevice, testDevice } from "./devices-api.js";
import {
  blockedText,
  digestOf,
  homeScreenText,
  readState,
  turnOn,
  unsubscribe,
} from "./push-device.js";
import { currentSubscription } from "./worker.js";

/** @typedef {import("./push-state.js").PushState} PushState */

/** @type {Record<PushState, () => string>} */
const STATE_TEXTS = {
  "site-off": () => "",
  "home-screen": homeScreenText,
  unsupported: () => t("This browser doesn’t support notifications."),
  blocked: blockedText,
  on: () => t("Notifications are on for this device."),
  off: () => t("Notifications are off for this device."),
};

class Devices {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.key = root.dataset.vapidKey ?? "";
    this.list = find(root, "#device-list");
    this.status = find(root, "#device-say");
    /** @type {HTMLButtonElement} */
    this.on = find(root, "#device-on");
    /** @type {HTMLButtonElement} */
    this.off = find(root, "#device-off");
    this.on.addEventListener("click", () => this.whileBusy(() => this.turnOn()));
    this.off.addEventListener("click", () => this.whileBusy(() => this.turnOff()));
    this.list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const row = button?.closest("li");
      if (button && row) this.whileBusy(() => this.press(row, button.dataset.do ?? ""));
    });
  }

  /** @param {string} digest */
  rowOf(digest) {
    const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
    return rows.find((row) => row.dataset.digest === digest);
  }

  /** The row of this device, if the account's list has it. */
  async ownRow() {
    const subscription = await currentSubscription();
    return subscription ? this.rowOf(await digestOf(subscription.endpoint)) : undefined;
  }

  /** Shows the state of this device and marks its row. */
  async show() {
    const state = await readState(this.key, async (endpoint) =>
      Boolean(this.rowOf(await digestOf(endpoint))),
    );
    this.root.dataset.state = state;
    find(this.root, "#device-state").textContent = STATE_TEXTS[state]();
    this.on.hidden = state !== "off";
    this.off.hidden = state !== "on";
    const own = await this.ownRow();
    for (const row of /** @type {HTMLElement[]} */ ([...this.list.children]))
      find(row, ".device-own").hidden = row !== own;
    this.list.hidden = this.list.children.length === 0;
    find(this.root, "#this-device").hidden = state === "site-off";
  }

  /**
   * Does one thing at a time: the buttons rest meanwhile.
   *
   * @param {() => Promise<string>} task resolves to the sentence on what came of it
   */
  async whileBusy(task) {
    if (this.root.ariaBusy === "true") return;
    this.root.ariaBusy = "true";
    try {
      this.say(await task());
      await this.show();
    } finally {
      this.root.ariaBusy = "false";
    }
  }

  /** @param {string} sentence */
  say(sentence) {
    this.status.textContent = sentence;
  }

  async turnOn() {
    const result = await turnOn(this.key);
    if (result.state !== "on") return result.error;
    const subscription = await currentSubscription();
    if (subscription) this.addRow(result.id, await digestOf(subscription.endpoint));
    return t("Done. You’ll be told on this device.");
  }

  async turnOff() {
    const row = await this.ownRow();
    const error = row ? await this.remove(row) : "";
    if (error !== "") return error;
    await unsubscribe();
    return "";
  }

  /**
   * @param {string} id
   * @param {string} digest
   */
  addRow(id, digest) {
    if (this.rowOf(digest)) return;
    const row = cloneTemplate(find(this.root, "#device-row"));
    Object.assign(row.dataset, { id, digest });
    this.list.append(row);
  }

  /**
   * Removes a device, and resolves to the sentence on why it could not be; empty if it was.
   *
   * @param {HTMLElement} row
   */
  async remove(row) {
    const answer = await removeDevice(row.dataset.id ?? "");
    if (answer === null) return t("No connection. Try again.");
    if ("error" in answer) return answer.error;
    row.remove();
    return "";
  }

  /**
   * @param {HTMLElement} row
   * @param {string} what
   */
  async press(row, what) {
    if (what === "remove") {
      if (row === (await this.ownRow())) return this.turnOff();
      return (await this.remove(row)) || t("Device removed.");
    }
    const answer = await testDevice(row.dataset.id ?? "");
    if (answer === null) return t("No connection. Try again.");
    return "error" in answer ? answer.error : t("Test sent. It arrives within a minute.");
  }
}

const root = document.getElementById("device-section");

if (root) new Devices(root).show();
