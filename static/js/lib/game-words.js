/** Names and sentences about games that several features share: rule sets, clocks, results, hashes. Pure. */

import { t, tn } from "./text.js";

/** @type {Record<string, string>} */
const GAME_NAMES = {
  "amazons-10x10": t("Amazons"),
  "amazons-8x8": t("Amazons 8×8"),
  amazons: t("Amazons, free arrow"),
  blotto: t("Colonel Blotto"),
  pincer: t("Pincer"),
};

/**
 * The name of a rule set; the server's own where the page knows none.
 *
 * @param {{ key: string, name: string }} game
 */
export function gameName({ key, name }) {
  return GAME_NAMES[key] ?? name;
}

const SECOND_MS = 1000;

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/**
 * Each kind of clock: `split` says that a turn is called a round.
 *
 * @type {Record<string, (clock: Wire.Clock, split: boolean) => string>}
 */
const CLOCK_LABELS = {
  none: () => t("no clock"),
  days: ({ initial }, split) => {
    const days = Math.round(initial / DAY_MS);
    return split
      ? tn("{count} day a round", "{count} days a round", days)
      : tn("{count} day a turn", "{count} days a turn", days);
  },
  bank: ({ initial, increment }) => {
    const [days, hours] = [Math.round(initial / DAY_MS), Math.round((increment ?? 0) / HOUR_MS)];
    return tn("{count} day + {hours} h", "{count} days + {hours} h", days, { hours });
  },
  limit: ({ initial }, split) => {
    const seconds = Math.round(initial / SECOND_MS);
    const count = seconds % 60 === 0 ? seconds / 60 : seconds;
    if (seconds % 60 === 0) {
      return split ? t("{count} min a round", { count }) : t("{count} min a turn", { count });
    }
    return split ? t("{count} s a round", { count }) : t("{count} s a turn", { count });
  },
};

/**
 * The clock's rule: "5 + 3", "30 s a round", "2 days a turn", "4 days + 24 h", "no clock".
 *
 * @param {{ key: string, clock: Wire.Clock }} game
 */
export function clockLabel({ key, clock }) {
  return CLOCK_LABELS[clock.kind]?.(clock, key === "blotto") ?? clock.label;
}

export const FIELDS = [t("Hill"), t("Ford"), t("Wood")];

/**
 * The family of a rule set: all Amazons are one.
 *
 * @param {string} key
 */
export function familyOf(key) {
  return key.startsWith("amazons") ? "amazons" : key;
}

/**
 * "a4", "a4 and b4", "a4, b4 and c4".
 *
 * @param {string[]} words
 */
export function joinWords(words) {
  if (words.length < 2) return words.join("");
  return t("{words} and {last}", { words: words.slice(0, -1).join(", "), last: words.at(-1) });
}

/**
 * A sentence with **words** to be set bold, as [text, bold] pairs.
 *
 * @param {string} sentence
 * @returns {BoldText}
 */
export function splitBold(sentence) {
  return sentence
    .split("**")
    .map((text, index) => /** @type {[string, boolean]} */ ([text, index % 2 === 1]))
    .filter(([text]) => text !== "");
}

/** @type {Readonly<Wire.ByRole<Role>>} */
export const OTHER = { white: "black", black: "white" };

/**
 * "3f9a 12c0", never broken between lines: eight of 64 digits, for people to compare.
 *
 * @param {string} hash
 */
export function shortHash(hash) {
  return `${hash.slice(0, 4)}\u00a0${hash.slice(4, 8)}`;
}
