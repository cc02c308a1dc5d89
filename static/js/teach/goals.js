/** The goal of each game in a sentence. Pure. */

import { familyOf } from "../lib/game-words.js";
import { t } from "../lib/text.js";

/** @type {Record<string, () => string>} */
const GOALS = {
  amazons: () => t("Shut your opponent in: if they can’t move on their turn, you win."),
  pincer: () =>
    t(
      "Take your opponent’s pieces: hold a line of them between two of yours, or one and the wall.",
    ),
  blotto: () => t("Win more points than your opponent in five rounds."),
};

/**
 * The goal of a game in a sentence.
 *
 * @param {string} key
 */
export function goalOf(key) {
  return GOALS[familyOf(key)]();
}
