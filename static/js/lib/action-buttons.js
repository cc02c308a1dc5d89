/**
 * The row of side actions, and buttons that cannot be pressed by mistake.
 *
 * A button that has just appeared, or has just got another meaning, does nothing for half a second and
 * shows it; a double click counts once; one that goes while it has the focus stays until the focus has
 * left. Holding a button down for a second confirms it; a short press is an ordinary one.
 */

import { find } from "./dom.js";

export const INERT_MS = 500;

/**
 * Makes the button do nothing for a moment.
 *
 * @param {HTMLElement} button
 * @param {number} [wait]
 */
export function freeze(button, wait = INERT_MS) {
  clearTimeout(Number(button.dataset.thaw));
  button.dataset.inert = "";
  button.setAttribute("aria-disabled", "true");
  button.dataset.thaw = String(setTimeout(() => thaw(button), wait));
}

/** @param {HTMLElement} button */
function thaw(button) {
  delete button.dataset.inert;
  button.setAttribute("aria-disabled", String("blocked" in button.dataset));
}

/** @param {HTMLElement} button */
export const isInert = (button) => button.getAttribute("aria-disabled") === "true";

/**
 * Calls `press(event)` for every press that counts.
 *
 * @param {HTMLElement} button
 * @param {(event: MouseEvent) => void} press
 */
export function onPress(button, press) {
  button.addEventListener("click", (event) => {
    if (isInert(button) || event.detail > 1) event.preventDefault();
    else press(event);
  });
}

/**
 * Handles every press of a button that does no harm when repeated (steps back, turning the board).
 *
 * @param {HTMLElement} button
 * @param {(event: MouseEvent) => void} press
 */
export function onEachPress(button, press) {
  button.addEventListener("click", (event) => {
    if (!isInert(button)) press(event);
  });
}

/**
 * Marks the button as one that can or cannot be pressed now; it keeps its place.
 *
 * @param {HTMLElement} button
 * @param {boolean} may
 */
export function setAllowed(button, may) {
  if (may) delete button.dataset.blocked;
  else button.dataset.blocked = "";
  const disabled = String(!may || "inert" in button.dataset);
  if (button.getAttribute("aria-disabled") !== disabled)
    button.setAttribute("aria-disabled", disabled);
}

/**
 * Shows the button or leaves its place empty.
 *
 * @param {HTMLElement} button
 * @param {boolean} on
 */
export function showOrLeaveEmpty(button, on) {
  const stays = !on && document.activeElement === button;
  setAllowed(button, on);
  button.classList.toggle("empty", !on && !stays);
  if (!stays) return;
  button.addEventListener("blur", () => button.classList.toggle("empty", isInert(button)), {
    once: true,
  });
}

/**
 * Sets the meaning of a button, which the style sheet shows. After a change it is inert for a moment.
 *
 * @param {HTMLElement} button
 * @param {string} meaning
 * @param {{ first?: boolean }} [options]
 */
export function setMeaning(button, meaning, { first = false } = {}) {
  if (button.dataset.means === meaning) return;
  button.dataset.means = meaning;
  if (!first) freeze(button);
}

export const HOLD_MS = 1000;

const TICK_MS = 50;

const SHORT_PRESS_MS = 350;

const TIMERS = {
  now: () => performance.now(),
  /** @param {() => void} call @param {number} wait */
  every: (call, wait) => setInterval(call, wait),
  /** @param {number | undefined} timer */
  cancel: (timer) => clearInterval(timer),
};

export class Hold {
  /**
   * `onShare(0…1)`, `onDone()` after a second; `clock` for tests.
   *
   * @param {{ onShare: (share: number) => void, onDone: () => void }} options
   * @param {typeof TIMERS} [clock]
   */
  constructor({ onShare, onDone }, clock = TIMERS) {
    this.onShare = onShare;
    this.onDone = onDone;
    this.clock = clock;
    /** @type {number | null} */
    this.since = null;
    this.timer = 0;
    /** The last press was a hold, kept or given up: then it is no click. */
    this.wasLong = false;
  }

  press() {
    this.cancel();
    this.wasLong = false;
    this.since = this.clock.now();
    this.timer = this.clock.every(() => this.tick(), TICK_MS);
  }

  tick() {
    const held = this.clock.now() - (this.since ?? Infinity);
    this.wasLong ||= held > SHORT_PRESS_MS;
    if (held < HOLD_MS) {
      this.onShare(held / HOLD_MS);
      return;
    }
    this.cancel();
    this.onDone();
  }

  /** The button was left or let go. */
  cancel() {
    if (this.since !== null) this.onShare(0);
    this.clock.cancel(this.timer);
    this.since = null;
  }
}

/**
 * Wires a Hold to a button: `--held` on it is the share, `may()` whether it can be held now.
 *
 * @param {HTMLElement} button
 * @param {{ may: () => boolean, onDone: () => void }} options
 */
export function makeHoldable(button, { may, onDone }) {
  const hold = new Hold({
    onShare: (share) => {
      button.style.setProperty("--held", String(share));
      button.classList.toggle("held", share > 0);
    },
    onDone,
  });
  button.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && may()) hold.press();
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
    button.addEventListener(end, () => hold.cancel());
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", () => {
    hold.wasLong = false;
  });
  return hold;
}

const IDS = [
  "resign",
  "draw",
  "takeback",
  "count-now",
  "open-share",
  "record",
  "ledger",
  "flip",
  "open-setup",
];

export class SideActions {
  /**
   * `commands` has a function for each of: ask(what), resign, abort, share, flip, setup.
   *
   * @param {HTMLElement} root
   * @param {Commands} commands
   */
  constructor(root, commands) {
    this.root = root;
    this.commands = commands;
    this.parts = Object.fromEntries(IDS.map((id) => [id, find(root, `#${id}`)]));
    const { parts } = this;
    this.hold = makeHoldable(parts.resign, {
      may: () => !this.isBlocked(parts.resign),
      onDone: () => commands[this.end](),
    });
    onPress(parts.resign, () => {
      if (!this.hold.wasLong) commands.ask(this.end);
    });
    onPress(parts.draw, () => commands.ask("draw"));
    onPress(parts.takeback, () => commands.ask("takeback"));
    onPress(parts["count-now"], () => commands.ask("count"));
    onPress(parts["open-share"], () => commands.share());
    onEachPress(parts.flip, () => commands.flip());
    onEachPress(parts["open-setup"], () => commands.setup());
    /** @type {"resign" | "abort"} */
    this.end = "resign";
    this.first = true;
  }

  /** @param {HTMLElement} button */
  isBlocked(button) {
    return button.getAttribute("aria-disabled") === "true";
  }

  /**
   * `flips`: there is a board that has two sides; `countHint`: why squares can be counted or not, empty
   * until the page can ask whether it is meant.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {{ flips: boolean, countHint?: string }} options
   */
  show({ may, you, status, key, count }, { flips, countHint = "" }) {
    const { parts, first } = this;
    const live = status === "live" && you !== null;
    const end = may.includes("abort") ? "abort" : "resign";
    const shown = {
      resign: live,
      draw: live,
      takeback: live && key !== "blotto",
      "count-now": live && Boolean(count),
      "open-share": !live,
      record: status === "over",
      ledger: !live || key === "blotto", // the row of who plays on a board is full: see the settings
      flip: flips,
      "open-setup": true,
    };
    if (end !== this.end) this.hold.cancel();
    this.end = end;
    setMeaning(parts.resign, end, { first });
    setAllowed(parts.resign, may.includes(end));
    setAllowed(parts.draw, may.includes("draw"));
    setAllowed(parts.takeback, may.includes("takeback"));
    setAllowed(parts["count-now"], may.includes("count") && countHint !== "");
    parts["count-now"].title = countHint;
    for (const [id, on] of Object.entries(shown)) this.swap(parts[id], on);
    this.first = false;
  }

  /**
   * Shows or hides a button; if a hidden one had the focus, the row gets it.
   *
   * @param {HTMLElement} button
   * @param {boolean} on
   */
  swap(button, on) {
    if (button.hidden === !on) return;
    if (!on && document.activeElement === button) this.root.focus();
    button.hidden = !on;
  }
}
