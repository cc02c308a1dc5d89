/** The line of the result sheet that says how a rated game changed the ratings. */

import { t } from "../lib/text.js";

/** Times of the requests for a game's rating, in ms after its end: it is there a second or two later. */
export const ASK_AFTER_MS = [1200, 1500, 3000, 6000, 12_000];

/** @typedef {{ before: number, after: number, change: number, url: string | null }} Change */
/** @typedef {{ sides: Record<Wire.Role, Change> | null, sentence: string | null }} GameRating */

/**
 * "+8", "−14" or "±0". Pure.
 *
 * @param {number} change
 */
export function signed(change) {
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `−${-change}`;
}

/**
 * The line for a player, or for a spectator, who reads both changes. Pure.
 *
 * @param {GameRating} rating
 * @param {Pick<Wire.Snapshot, "you" | "seats">} snapshot
 */
export function ratingText({ sides, sentence }, { you, seats }) {
  if (!sides) return sentence ?? "";
  if (you) {
    const { before, after, change } = sides[you];
    return t("Your rating: {before} → {after} ({change})", {
      before,
      after,
      change: signed(change),
    });
  }
  /** @param {Wire.Role} role */
  const part = (role) => `${seats[role].name} ${sides[role].after} (${signed(sides[role].change)})`;
  return `${part("white")} · ${part("black")}`;
}

export class RatingChange {
  /**
   * `line` is #result-rating, or null on the page of a casual game.
   *
   * @param {HTMLElement | null} line
   * @param {(address: string) => Promise<GameRating | null>} [ask]
   * @param {(call: () => void, wait: number) => void} [later]
   */
  constructor(line, ask = fetchRating, later = (call, wait) => setTimeout(call, wait)) {
    this.line = line;
    this.ask = ask;
    this.later = later;
    this.asked = false;
  }

  /**
   * Asks once for the rating of a game that is over; `ended`: it has ended while this page was open,
   * so that its rating may not be there yet.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {{ ended: boolean }} news
   */
  show(snapshot, { ended }) {
    if (!this.line || this.asked) return;
    this.asked = true;
    this.snapshot = snapshot;
    this.later(() => this.fill(1), ended ? ASK_AFTER_MS[0] : 0);
  }

  /** @param {number} next number of the next try */
  async fill(next) {
    const rating = await this.ask("rating.json");
    const { line, snapshot } = this;
    if (!line || !snapshot) return;
    const text = rating && ratingText(rating, snapshot);
    if (rating && text) this.write(line, text, rating, snapshot);
    else if (next < ASK_AFTER_MS.length) this.later(() => this.fill(next + 1), ASK_AFTER_MS[next]);
  }

  /**
   * @param {HTMLElement} line
   * @param {string} text
   * @param {GameRating} rating
   * @param {Wire.Snapshot} snapshot
   */
  write(line, text, { sides }, { you }) {
    line.textContent = text;
    const own = you && sides?.[you];
    if (own?.url) {
      const link = document.createElement("a");
      link.href = own.url;
      link.textContent = t("Why {change}?", { change: signed(own.change) });
      line.append(" ", link);
    }
    line.hidden = false;
  }
}

/**
 * The answer of the server, or null if there is none: the line then stays away, as it says nothing
 * that the page of the rating does not.
 *
 * @param {string} address
 * @returns {Promise<GameRating | null>}
 */
async function fetchRating(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network
    return null;
  }
}
