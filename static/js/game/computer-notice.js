/** While a computer player is to move: ask the server now and then whether one runs, and say so. */

import { t } from "../lib/text.js";

/** Time without a reply before the server is asked, and the interval of further requests, ms. */
const CHECK_INTERVAL_MS = 2000;

/**
 * The level of the computer player whose turn somebody who sits here waits for, or null. Pure.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function awaitedLevel({ status, you, control, sealed, seats }) {
  if (status !== "live" || you === null) return null;
  const role = control.find((one) => seats[one].bot && !sealed.includes(one));
  return role ? (seats[role].level ?? null) : null;
}

/**
 * Returns the notice for a person who waits for a level: [what, then] or null. Pure.
 *
 * @param {Wire.ComputerState} state
 * @param {string} key
 * @param {number} level
 */
export function computerTexts({ workers, warm, off }, key, level) {
  const then = t("Your game is saved. It continues when the computer is back.");
  if (workers === 0) return [t("The computer isn’t available right now."), then];
  if (off[key].includes(level)) return [t("This computer level isn’t available right now."), then];
  if (warm) return null;
  return [t("The computer is getting ready."), t("Its first move can take up to 30 seconds.")];
}

async function fetchState() {
  try {
    const answer = await fetch("/computer/state/", { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // no network: the page says so elsewhere
    throw error;
  }
}

export class ComputerNotice {
  /**
   * `tell(sentence)` speaks; `ask()` gives the server's state, or null if it cannot be had.
   *
   * @param {import("./notices.js").Notices} notices
   * @param {(sentence: string) => void} tell
   * @param {() => Promise<Wire.ComputerState | null>} [ask]
   */
  constructor(notices, tell, ask = fetchState) {
    this.notices = notices;
    this.tell = tell;
    this.ask = ask;
    /** @type {string | null} */
    this.awaited = null;
    this.timer = 0;
    this.said = "";
  }

  /** @param {Wire.Snapshot} snapshot */
  show(snapshot) {
    const level = awaitedLevel(snapshot);
    const awaited = level === null ? null : `${snapshot.step} ${snapshot.takebacks}`;
    if (awaited === this.awaited) return;
    clearTimeout(this.timer);
    this.awaited = awaited;
    this.say(null);
    if (awaited === null || level === null) return;
    const look = () => this.look(awaited, snapshot.key, level);
    this.timer = setTimeout(look, CHECK_INTERVAL_MS);
  }

  /**
   * @param {string} awaited
   * @param {string} key
   * @param {number} level
   */
  async look(awaited, key, level) {
    const state = await this.ask();
    if (awaited !== this.awaited) return;
    if (state !== null) this.say(computerTexts(state, key, level));
    this.timer = setTimeout(() => this.look(awaited, key, level), CHECK_INTERVAL_MS);
  }

  /** @param {string[] | null} words */
  say(words) {
    const said = words ? words.join(" ") : "";
    if (said === this.said) return;
    this.said = said;
    if (words) this.notices.show("computer", words);
    else this.notices.hide("computer");
    if (said) this.tell(said);
  }
}
