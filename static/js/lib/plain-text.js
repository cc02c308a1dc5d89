/**
 * Plain text that people write: the same function as `site/accounts/plain_text.py`. Pure.
 *
 * Both are tested against `tests/support/plain_texts.json`. What is dropped is fixed by Unicode for good:
 * \p{C} would depend on the browser's version.
 */

/** The mandatory line breaks of Unicode (UAX 14). */
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;

/**
 * Control characters, embeddings and isolates (they reorder the text of others), deprecated formatting,
 * surrogates, private use, noncharacters.
 */
const DROPPED =
  /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u206f\ud800-\uf8ff\ufeff\ufff9-\ufffb\u{e0001}\u{f0000}-\u{10ffff}\p{Noncharacter_Code_Point}]/gu;

const BLANKS = /[ \n\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/gu;

/** Nonspacing and enclosing marks, and the spacing ones with a combining class. */
const MARK =
  "[\\p{Mn}\\p{Me}\\u1715\\u1734\\u1b44\\u1baa\\u1bf2\\u1bf3\\u302e\\u302f\\ua953\\ua9c0\\u{111c0}\\u{11235}\\u{1134d}\\u{116b6}\\u{1193d}\\u{16ff0}\\u{16ff1}\\u{1d165}\\u{1d166}\\u{1d16d}-\\u{1d172}]";

/** More marks on one letter than are kept, as `MAX_MARKS` there. */
const EXCESS_MARKS = new RegExp(`(${MARK}{4})${MARK}+`, "gu");

/** Blanks, marks, and what leaves no trace alone: joiners, direction marks, fillers, selectors, tags. */
const INVISIBLE = new RegExp(
  `${MARK}|[ \\n\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u202f\\u205f-\\u2065\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]`,
  "gu",
);

/**
 * A text as it is kept and shown: NFC, lines end in LF, a tab is a blank; empty if nothing in it is visible.
 *
 * @param {string} text
 */
export function plainText(text) {
  const kept = text.replace(LINE_ENDS, "\n").replaceAll("\t", " ").replace(DROPPED, "");
  const composed = kept.replace(EXCESS_MARKS, "$1").normalize("NFC").replace(EXCESS_MARKS, "$1");
  return composed.replace(INVISIBLE, "") === "" ? "" : composed;
}

/**
 * A text as `plainText` gives it, on one line: single blanks, none at the ends.
 *
 * @param {string} text
 */
export function plainLine(text) {
  return plainText(text).replace(BLANKS, " ").replace(/^ | $/g, "");
}

/**
 * The length of a text in characters, as the server counts them.
 *
 * @param {string} text
 */
export const lengthOf = (text) => [...text].length;
