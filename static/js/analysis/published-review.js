/**
 * Reviews as they are published. Pure.
 *
 * The server recomputes some of the values (`site/analysis/reviews/review_checker.py`): they are the engine's
 * own numbers, to the bit.
 */

import { t } from "../lib/text.js";
import { SEED, verdictOf } from "./review.js";

/**
 * The published part of a pass that is finished.
 *
 * @param {readonly AnalysisPosition[]} positions the start, then the position after each turn
 * @param {readonly Verdict[]} verdicts of the same positions
 * @param {number} nodes of the pass
 * @param {string} digest of the engine's build
 */
export function submissionOf(positions, verdicts, nodes, digest) {
  /** @type {JudgedPosition[]} */
  const values = verdicts.flatMap(({ value, line, isProved }, index) =>
    positions[index].ending ? [] : [[value, line?.[0] ?? [], isProved]],
  );
  return { digest, nodes, seed: SEED, values };
}

/**
 * The verdicts of a published review.
 *
 * @param {readonly AnalysisPosition[]} positions
 * @param {readonly JudgedPosition[]} values
 * @returns {Verdict[]}
 */
export function publishedVerdicts(positions, values) {
  return positions.map((position, index) => {
    const judged = values[index];
    if (!judged) return verdictOf(position, []);
    const [value, best, isProved] = judged;
    const lines = best.length ? [{ value, turns: [best], isProved, visits: 0, depth: 0 }] : [];
    return verdictOf(position, lines);
  });
}

/**
 * The author of a published review, its depth, and the checked part.
 *
 * @param {PublishedReview} review
 * @param {string} [language]
 */
export function publishedSentence({ by, nodes, isPresent, checked, values }, language = "en") {
  const numbers = { nodes: nodes.toLocaleString(language), checked, count: values.length };
  const sentences = [
    by
      ? t("Review by {name}, {nodes} positions a move.", { ...numbers, name: by })
      : t("Review by a deleted user, {nodes} positions a move.", numbers),
    checked ? t("Spot-checked {checked} of {count}.", numbers) : t("Not spot-checked yet."),
  ];
  if (!isPresent) sentences.push(t("It was made with an earlier engine."));
  return sentences.join(" ");
}
