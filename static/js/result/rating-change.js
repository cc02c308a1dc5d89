/** The line of the result sheet that says how a rated game changed the ratings. */

import { follow } from "../lib/page-connection.js";
import { t } from "../lib/text.js";

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
   * @param {typeof follow} [followTopic]
   */
  constructor(line, ask = fetchRating, followTopic = follow) {
    this.line = line;
    this.ask = ask;
    this.follow = followTopic;
    /** @type {import("../lib/subscription.js").Subscription | null} */
    this.subscription = null;
    this.rev = 0;
  }

  /**
   * Shows the change once the game is rated, a second or two after its end.
   *
   * @param {Wire.Snapshot} snapshot of a game that is over
   */
  show(snapshot) {
    const { line } = this;
    if (!line || this.subscription) return;
    this.subscription = this.follow(`rating:${snapshot.game}`, {
      revOf: () => this.rev,
      onMessage: (message) => {
        if (message.t === "rating") this.receive(message.rev, line, snapshot);
      },
      onOpen: () => {},
      onState: () => {},
    });
    this.subscription.connect();
  }

  /**
   * @param {number} rev of the rating; 0 before the game is rated
   * @param {HTMLElement} line
   * @param {Wire.Snapshot} snapshot
   */
  async receive(rev, line, snapshot) {
    if (rev === this.rev) return;
    this.rev = rev;
    const rating = await this.ask("rating.json");
    const text = rating && ratingText(rating, snapshot);
    if (rating && text) this.write(line, text, rating, snapshot);
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
