/** While a computer player is awaited: asks the server now and then whether one is there, and says so. */

import { t } from "../text.js";

/** A reply within this time is nobody's concern; after it the server is asked as often. In ms. */
const PATIENCE = 2000;

/** The level of the computer player whose go somebody who sits here waits for, or null. Pure. */
export function awaitedLevel({ status, you, control, sealed, seats }) {
  if (status !== "live" || you === null) return null;
  const role = control.find((one) => seats[one].bot && !sealed.includes(one));
  return role ? seats[role].level : null;
}

/** What who waits for a level has to know, by the server's state: [what, then] or null. Pure. */
export function noticeOf({ workers, warm, off }, key, level) {
  const then = t("Your game is kept, and goes on as soon as one runs again.");
  if (workers === 0) return [t("No computer player is running here."), then];
  if (off[key].includes(level)) return [t("No computer player of this level is running here."), then];
  if (warm) return null;
  return [t("The computer is getting ready."), t("Its first reply takes up to half a minute.")];
}

async function stateOfServer() {
  try {
    const answer = await fetch("/computer/state/", { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // no network: the page says so elsewhere
    throw error;
  }
}

export class Computer {
  /** `tell(sentence)` speaks; `ask()` gives the server's state, or null if it cannot be had. */
  constructor(notices, tell, ask = stateOfServer) {
    Object.assign(this, { notices, tell, ask });
    this.awaited = null;
    this.timer = 0;
    this.said = "";
  }

  show(snapshot) {
    const level = awaitedLevel(snapshot);
    const awaited = level === null ? null : `${snapshot.turn} ${snapshot.takebacks}`;
    if (awaited === this.awaited) return;
    clearTimeout(this.timer);
    this.awaited = awaited;
    this.say(null);
    const look = () => this.look(awaited, snapshot.key, level);
    if (awaited !== null) this.timer = setTimeout(look, PATIENCE);
  }

  async look(awaited, key, level) {
    const state = await this.ask();
    if (awaited !== this.awaited) return;
    if (state !== null) this.say(noticeOf(state, key, level));
    this.timer = setTimeout(() => this.look(awaited, key, level), PATIENCE);
  }

  say(words) {
    const said = words ? words.join(" ") : "";
    if (said === this.said) return;
    this.said = said;
    if (words) this.notices.show("computer", words);
    else this.notices.hide("computer");
    if (said) this.tell(said);
  }
}
