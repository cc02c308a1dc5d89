/** Comments and marks on turns: the list of marks, their names, and comments as they are kept. Pure. */

import { lengthOf, plainText } from "../lib/plain-text.js";
import { t } from "../lib/text.js";

/** As in `site/analysis/board/position_tree.py`. */
export const MAX_COMMENT_CHARS = 500;

/** The marks that can be chosen, from the best to the worst. @type {readonly Exclude<NodeMark, "">[]} */
export const NODE_MARKS = ["!!", "!", "!?", "?!", "?", "??"];

/** @type {Record<NodeMark, () => string>} */
const NAMES = {
  "": () => "",
  "!!": () => t("brilliant move"),
  "!": () => t("good move"),
  "!?": () => t("interesting move"),
  "?!": () => t("dubious move"),
  "?": () => t("mistake"),
  "??": () => t("blunder"),
};

/** @param {NodeMark} mark */
export const nodeMarkName = (mark) => NAMES[mark]();

/**
 * A comment as it is kept: plain text, and not too long.
 *
 * @param {string} text
 */
export function cleanComment(text) {
  const plain = plainText(text);
  return lengthOf(plain) > MAX_COMMENT_CHARS
    ? [...plain].slice(0, MAX_COMMENT_CHARS).join("")
    : plain;
}
