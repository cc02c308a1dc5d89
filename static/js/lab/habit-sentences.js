/** Habits as sentences. Pure. */

import { t, tn } from "../lib/text.js";
import { fractionText, percentText } from "./fractions.js";
import { favourites, fieldMeans, RESULTS, repeatsAfter, strongestFields } from "./habits.js";
import { repeatChance, splitText } from "./split-table.js";

/** Favourite splits that are named. */
const NAMED_SPLITS = 3;

/**
 * @param {"won" | "drawn" | "lost"} result
 * @param {number} repeats
 * @param {number} count
 */
function repeatSentence(result, repeats, count) {
  const values = { repeats };
  if (result === "won")
    return tn(
      "After {count} won round: same split {repeats} times.",
      "After {count} won rounds: same split {repeats} times.",
      count,
      values,
    );
  if (result === "lost")
    return tn(
      "After {count} lost round: same split {repeats} times.",
      "After {count} lost rounds: same split {repeats} times.",
      count,
      values,
    );
  return tn(
    "After {count} drawn round: same split {repeats} times.",
    "After {count} drawn rounds: same split {repeats} times.",
    count,
    values,
  );
}

/**
 * The sentences about the rounds of one player's games, at least one round.
 *
 * @param {LabTable} table
 * @param {readonly LabGame[]} games
 * @param {string} language
 * @returns {string[]}
 */
export function habitSentences(table, games, language) {
  const own = games.flatMap(([, rounds]) => rounds.map(([split]) => split));
  const most = favourites(own, NAMED_SPLITS).map(([split, times]) =>
    t("{split} ({times} times)", { split: splitText(table, split), times }),
  );
  const means = fieldMeans(table, own).map((mean) => fractionText(mean, language));
  const after = repeatsAfter(table, games);
  return [
    t("Most played: {splits}.", { splits: most.join(", ") }),
    t("Troops by field on average: {means}.", { means: means.join(" · ") }),
    t("Strongest field, first to third: {times} times.", {
      times: strongestFields(table, own).join(" · "),
    }),
    ...RESULTS.flatMap((result) => {
      const [count, repeats] = after[result];
      return count ? [repeatSentence(result, repeats, count)] : [];
    }),
    t("Perfect play repeats the previous split in {chance} of rounds.", {
      chance: percentText(repeatChance(table), language),
    }),
  ];
}
