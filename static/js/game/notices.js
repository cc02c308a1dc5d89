/**
 * Notices of the game page, the banner of a lost connection, and the status of a turn that was sent.
 *
 * A notice has an icon, the event and its consequence; there is at most one of each kind.
 */

import { t } from "../lib/text.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const ICONS = {
  line:
    "M3 9.5a13 13 0 0 1 4-2.3M11 6.1a13 13 0 0 1 10 3.4M6.5 13.2a8 8 0 0 1 3-1.8" +
    "M14.5 11.4a8 8 0 0 1 3 1.8M12 17.5h.01M4 20 20 4",
  refused: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9l6 6M15 9l-6 6",
  sending: "M5 12h.01M12 12h.01M19 12h.01",
  computer:
    "M7 7.5h10v9H7ZM10 4v3.5M14 4v3.5M10 16.5V20M14 16.5V20M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5",
  away: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2",
  told: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5M12 8h.01",
};

const NOTICE_SHOWN_MS = 6000;

/** @param {string} kind */
function makeIcon(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[kind] ?? ICONS.told);
  svg.append(path);
  return svg;
}

/** @param {string} kind */
function makeNotice(kind) {
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.dataset.kind = kind;
  const text = document.createElement("div");
  const [what, then] = [document.createElement("p"), document.createElement("p")];
  then.className = "small";
  text.append(what, then);
  notice.append(makeIcon(kind), text);
  return { notice, what, then };
}

export class Notices {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.sheets = new Map();
    this.timers = new Map();
  }

  /**
   * Shows (or rewrites) the notice `kind`. `passing`: it goes by itself after a while.
   *
   * @param {string} kind
   * @param {string[]} notice
   * @param {{ passing?: boolean }} [options]
   */
  show(kind, [what, then], { passing = false } = {}) {
    if (!this.sheets.has(kind)) {
      const made = makeNotice(kind);
      this.sheets.set(kind, made);
      this.root.append(made.notice);
    }
    const parts = this.sheets.get(kind);
    if (parts.what.textContent !== what) parts.what.textContent = what;
    if (parts.then.textContent !== then) parts.then.textContent = then;
    clearTimeout(this.timers.get(kind));
    if (passing)
      this.timers.set(
        kind,
        setTimeout(() => this.hide(kind), NOTICE_SHOWN_MS),
      );
  }

  /** @param {string} kind */
  hide(kind) {
    clearTimeout(this.timers.get(kind));
    this.sheets.get(kind)?.notice.remove();
    this.sheets.delete(kind);
  }
}

/** Delay before the loss of a connection is shown, ms: short losses stay unnoticed. */
const GRACE_MS = 1500;

/** @type {Record<string, string>} */
const REASON_TEXTS = {
  restart: t("The server is restarting. Reconnecting…"),
  flood: t("This page sent too many messages. Reconnecting…"),
  "signed out": t("You were signed out. Reconnecting…"),
  "turned away": t("You can’t view this game right now."),
  gone: t("This game no longer exists."),
};

/** Reasons that are shown at once; after the others the connection is often back within GRACE_MS. */
const IMMEDIATE_REASONS = ["restart", "flood", "turned away", "gone"];

/** @param {ConnectionState} state */
function problemText({ silent, why }) {
  if (silent) return t("Connection lost. Reconnecting…");
  return REASON_TEXTS[why ?? ""] ?? t("Connection lost. Reconnecting…");
}

/**
 * @param {ConnectionState} state
 * @param {number} now
 */
function retryText({ silent, retryAt }, now) {
  if (silent) return t("Waiting for the server.");
  const wait = Math.ceil(((retryAt ?? now) - now) / 1000);
  return wait > 0 ? t("Retrying in {count} s.", { count: wait }) : t("Retrying now.");
}

/**
 * Returns the problem and what happens next, by the connection's state. Pure.
 *
 * @param {ConnectionState} state
 * @param {number} now
 * @param {{ clockRuns: boolean, waiting: boolean }} game
 */
export function connectionTexts(state, now, { clockRuns, waiting }) {
  if (state.why === "gone") return [problemText(state), t("Reload the page.")];
  const then = retryText(state, now);
  if (waiting)
    return [problemText(state), `${t("Your move is saved and will be sent again.")} ${then}`];
  return [problemText(state), clockRuns ? `${t("Your clock is still running.")} ${then}` : then];
}

export class ConnectionBanner {
  /**
   * `veil(on)` veils the board; `clockRuns()`: whether the person's own clock runs on; `waiting()`:
   * whether a turn of theirs waits for its answer; `onChange(lost)` when a loss is first told, or over.
   *
   * @param {Notices} notices
   * @param {{ veil: (on: boolean) => void, clockRuns: () => boolean, waiting: () => boolean, onChange: (lost: boolean) => void }} options
   */
  constructor(notices, { veil, clockRuns, waiting, onChange }) {
    this.notices = notices;
    this.veil = veil;
    this.clockRuns = clockRuns;
    this.waiting = waiting;
    this.onChange = onChange;
    this.timer = 0;
    this.isTold = false;
  }

  /** @param {ConnectionState} state */
  show(state) {
    const { open, silent, since, why } = state;
    clearTimeout(this.timer);
    if (open && !silent) {
      this.notices.hide("line");
      this.veil(false);
      this.setLost(false);
      return;
    }
    const now = performance.now();
    const grace =
      silent || (why !== null && IMMEDIATE_REASONS.includes(why)) ? 0 : since + GRACE_MS - now;
    if (grace <= 0) this.tell(state, now);
    const next = grace > 0 ? grace : 1000;
    this.timer = setTimeout(() => this.show(state), next);
  }

  /**
   * @param {ConnectionState} state
   * @param {number} now
   */
  tell(state, now) {
    const clockRuns = this.clockRuns() && state.why !== "restart";
    this.notices.hide("sending");
    this.notices.show("line", connectionTexts(state, now, { clockRuns, waiting: this.waiting() }));
    this.veil(true);
    this.setLost(true);
  }

  /** @param {boolean} lost */
  setLost(lost) {
    if (lost === this.isTold) return;
    this.isTold = lost;
    this.onChange(lost);
  }
}

const CHIP_SHOWN_MS = 4000;

/** An accepted turn is seen on the board. @type {Record<"done" | "refused", (turn?: string) => string>} */
const CHIPS = {
  done: (turn) => (turn ? t("Already done: {turn}", { turn }) : t("Already done")),
  refused: (turn) => (turn ? t("Refused: {turn}", { turn }) : t("Refused")),
};

export class SendStatus {
  /**
   * `onChange()` is called when there is something else to show.
   *
   * @param {() => void} onChange
   */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Chip | null} */
    this.chip = null;
    this.timer = 0;
  }

  /**
   * `kind`: done or refused; `turn`: how it is spelled.
   *
   * @param {keyof typeof CHIPS} kind
   * @param {string | undefined} turn
   */
  tell(kind, turn) {
    clearTimeout(this.timer);
    this.chip = { kind, turn, text: CHIPS[kind](turn) };
    this.timer = setTimeout(() => this.forget(), CHIP_SHOWN_MS);
    this.onChange();
  }

  forget() {
    clearTimeout(this.timer);
    if (this.chip === null) return;
    this.chip = null;
    this.onChange();
  }
}

/** @param {Event} event */
function askToStay(event) {
  event.preventDefault();
}

export class UnsentGuard {
  isAsked = false;

  /**
   * `waits`: a complete turn has not been sent.
   *
   * @param {boolean} waits
   */
  guard(waits) {
    if (waits === this.isAsked) return;
    this.isAsked = waits;
    if (waits) addEventListener("beforeunload", askToStay);
    else removeEventListener("beforeunload", askToStay);
  }
}

/** @type {Record<string, () => string>} */
const DROPPED = {
  "gone on": () => t("The game has moved on."),
  "no longer legal": () => t("It’s no longer legal."),
};

/**
 * Returns the notice that a premove was dropped; null if nothing has to be said.
 *
 * @param {string | null} why
 */
function droppedPremoveNotice(why) {
  const say = why === null ? undefined : DROPPED[why];
  return say ? [t("Premove cancelled."), say()] : null;
}

/**
 * Says that a premove was made, or why one was dropped.
 *
 * @param {import("./game-page.js").Game} game
 * @param {{ text: string } | null} premove
 */
export function announcePremove({ announcer, panel, surface }, premove) {
  if (premove !== null) {
    announcer.say(t("Premove: {turn}", { turn: premove.text }));
    return;
  }
  const words = droppedPremoveNotice(surface.dropped);
  if (words) panel.notices.show("told", words, { passing: true });
  if (words) announcer.say(words.join(" "));
}
