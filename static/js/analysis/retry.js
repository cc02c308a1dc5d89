/** Whether a turn that somebody found is as good as the engine's. Pure. */

import { t } from "../lib/text.js";
import { percentText } from "./sentences.js";

/** A turn that loses less than this is good enough. */
export const MAX_RETRY_LOSS = 0.02;

/**
 * The answer to a turn that was tried in place of one that lost.
 *
 * @param {TurnLoss} asked
 * @param {number} chance of the player after the turn that was tried
 * @param {boolean} isChoice whether it is the engine's own
 * @param {string} [language]
 * @returns {{ isFound: boolean, say: string }}
 */
export function judgeRetry({ before, after }, chance, isChoice, language) {
  const percent = percentText(chance, language);
  if (isChoice) return { isFound: true, say: t("Yes, that’s the best move.") };
  if (before - chance < MAX_RETRY_LOSS)
    return { isFound: true, say: t("Good move: {percent}.", { percent }) };
  const values = { percent, best: percentText(before, language) };
  const say =
    chance > after + MAX_RETRY_LOSS
      ? t("Better than in the game: {percent}. The best move has {best}.", values)
      : t("Not that one: {percent}. Try again.", values);
  return { isFound: false, say };
}
