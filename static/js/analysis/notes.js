/** Comments and marks on turns: the list of marks, their names, and sanitized comments. Pure. */

import { t } from "../lib/text.js";

/** As in `site/study/position_tree.py`. */
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

/** Control and invisible characters but line ends and the joiners of scripts and emoji; half characters. */
const INVISIBLE = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * A comment as it is kept: without control and invisible characters, and not too long.
 *
 * @param {string} text
 */
export function cleanComment(text) {
  const plain = text.replaceAll("\r\n", "\n").replace(INVISIBLE, "");
  return plain.slice(0, MAX_COMMENT_CHARS).replace(/[\ud800-\udbff]$/, "");
}
