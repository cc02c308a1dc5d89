/** Announce changes of the game to screen readers: the live regions, and the sentences for a new snapshot. */

import { describeSteps } from "../board/board-sentences.js";
import { creditSentences } from "../lib/clock.js";
import { t } from "../lib/text.js";
import { offerOutcome } from "./offers.js";

/** More lines than a screen reader has to keep are not left on the page. */
const MAX_LINES = 6;

export class Announcer {
  /**
   * @param {HTMLElement} polite a region of which only additions are read
   * @param {HTMLElement} urgent
   */
  constructor(polite, urgent) {
    this.polite = polite;
    this.urgent = urgent;
  }

  /**
   * Says what happens in the game, after all that was said before: sentences are added and read one
   * after the other, so that none cuts another off.
   *
   * @param {string} sentence
   */
  say(sentence) {
    const line = document.createElement("p");
    line.textContent = sentence;
    this.polite.append(line);
    while (this.polite.children.length > MAX_LINES) this.polite.firstElementChild?.remove();
  }

  /**
   * Refusals and the connection, at once. The same words twice in a row are said twice.
   *
   * @param {string} sentence
   */
  sayNow(sentence) {
    this.urgent.textContent = "";
    this.urgent.textContent = sentence;
  }
}

const NOTED_CREDIT_MS = 1000; // ms: less than a second given back is not worth a notice

/**
 * Time in which no server was there, in ms, that the clocks got back: within a step, nothing else
 * moves the moment from which they run.
 *
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} next
 */
function creditIn(before, next) {
  const same = next.step === before.step && (next.takebacks ?? 0) === (before.takebacks ?? 0);
  if (before.clock.begin) return 0; // the game has begun
  const runs = next.status === "live" && next.clock.running.length > 0;
  const gift = next.clock.since - before.clock.since;
  return same && runs && gift >= NOTED_CREDIT_MS ? gift : 0;
}

/**
 * The sentence that a side has just locked in its orders; null if none has.
 *
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} next
 */
function lockedIn(before, { step, sealed, you, seats }) {
  if (step !== before.step) return null;
  const role = sealed.find((each) => !before.sealed.includes(each));
  if (!role) return null;
  return role === you ? t("Locked in.") : t("{name} has locked in.", { name: seats[role].name });
}

/**
 * {away: a notice in two lines or null, answer: the outcome of an offer or null, said: the changes,
 * begins: one's own turn, ends: the game}. `fresh`: the steps that are new.
 *
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} next
 * @param {Wire.ResolvedStep[]} fresh
 */
export function describeChange(before, next, fresh) {
  const { seats, key, prompt, status, you } = next;
  const names = { white: seats.white.name, black: seats.black.name, you };
  const answer = offerOutcome(before, next);
  const happened = fresh.length > 0 ? describeSteps(fresh, names, key) : null;
  const gift = creditIn(before, next);
  const away = gift > 0 ? creditSentences(gift) : null;
  const ends = status === "over" && before.status !== "over";
  return {
    away,
    answer,
    said: [away?.join(" "), answer, happened, lockedIn(before, next)].filter(Boolean),
    begins: Boolean(prompt) && (!before.prompt || fresh.length > 0),
    ends,
  };
}
