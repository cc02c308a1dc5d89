/** The animation of an ended game in the share sheet: asked for, waited for, shown and saved. */

import { makeElement } from "../lib/dom.js";
import { reducedMotion } from "../lib/motion.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";

const ADDRESS = "animation.webp";

const MIN_TURNS = 2;

const POLL_INTERVAL_MS = 1500;

const MAX_POLLS = 60;

/**
 * Whether there is something to animate. Pure.
 *
 * @param {Pick<Wire.Snapshot, "status" | "turns">} snapshot
 */
export const hasAnimation = ({ status, turns }) => status === "over" && turns >= MIN_TURNS;

/**
 * Asks until the animation is made. Returns "made", "stopped" if nobody wants it any more, or a
 * sentence that says why there is none. Pure but for what is passed to it.
 *
 * @param {{ ask: () => Promise<number>, wait: (ms: number) => Promise<unknown>, isWanted: () => boolean }} options
 *   `ask()` returns the status of an answer; it throws a TypeError without a network.
 */
export async function waitForAnimation({ ask, wait, isWanted }) {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    if (poll > 0) await wait(POLL_INTERVAL_MS);
    if (!isWanted()) return "stopped";
    try {
      const status = await ask();
      if (status === 200) return "made";
      if (status === 429) return t("Too many requests. Try again in a few minutes.");
      if (status !== 202) return t("The animation couldn’t be made. Try again later.");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return untilReconnect(t("Not connected. Try again in a moment."));
    }
  }
  return t("This is taking longer than usual. Try again later.");
}

export class AnimationPart {
  /**
   * `file`: the name under which it is saved; `isWanted()`: whether the sheet is still open.
   *
   * @param {{ file: string, isWanted: () => boolean }} options
   */
  constructor({ file, isWanted }) {
    this.file = file;
    this.isWanted = isWanted;
    this.element = makeElement("div", "share-animation", { id: "share-animation" });
    this.button = makeElement("button", "button plain", { type: "button" }, t("Animation"));
    this.button.addEventListener("click", () => this.begin());
    this.status = makeElement("p", "small", { role: "status" });
    this.element.append(this.button, this.status);
  }

  async begin() {
    if (this.button.getAttribute("aria-disabled") === "true") return;
    this.button.setAttribute("aria-disabled", "true");
    this.status.textContent = t("Creating…");
    const outcome = await waitForAnimation({
      ask: async () => (await fetch(ADDRESS, { method: "HEAD" })).status,
      wait: (ms) => new Promise((done) => setTimeout(done, ms)),
      isWanted: () => this.isWanted() && this.element.isConnected,
    });
    if (outcome === "stopped") return;
    this.button.setAttribute("aria-disabled", "false");
    this.status.textContent = outcome === "made" ? "" : outcome;
    if (outcome === "made") this.show();
  }

  /** Shows the animation and its buttons; with reduced motion, the buttons alone. */
  show() {
    const alt = t("Animation of the game");
    const image = makeElement("img", "", { src: ADDRESS, alt, width: 440, height: 440 });
    const files = makeElement("p", "share-files");
    const save = makeElement(
      "a",
      "",
      { href: ADDRESS, download: this.file },
      t("Save the animation"),
    );
    files.append(save);
    if (navigator.canShare?.({ files: [new File([], this.file, { type: "image/webp" })] }))
      files.append(this.makeSendButton());
    const isFocused = document.activeElement === this.button;
    this.button.replaceWith(...(reducedMotion() ? [] : [image]), files);
    if (isFocused) save.focus();
  }

  makeSendButton() {
    const send = makeElement("button", "text-button", { type: "button" }, t("Send the animation"));
    send.addEventListener("click", async () => {
      try {
        const blob = await (await fetch(ADDRESS)).blob();
        await navigator.share({ files: [new File([blob], this.file, { type: "image/webp" })] });
      } catch (error) {
        if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
        if (error.name !== "AbortError") this.status.textContent = t("Sharing failed.");
      }
    });
    return send;
  }
}
