/**
 * The draft of a split game: how many troops stand on each field, the rest in hand. Pure.
 *
 * A draft is a frozen value; `before` is the draft that it was made from. Orders can also be typed as
 * numbers, "5 1 4".
 */

import { FIELDS, joinWords } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { normalise } from "../lib/typed-text.js";

/**
 * @param {{ total: number, fields: number }} view
 * @returns {SplitDraft}
 */
export function openSplit({ total, fields }) {
  return Object.freeze({ total, counts: Object.freeze(new Array(fields).fill(0)), before: null });
}

/** @param {Pick<SplitDraft, "total" | "counts">} split */
export function troopsLeft({ total, counts }) {
  return counts.reduce((left, count) => left - count, total);
}

/** @param {SplitDraft} split */
export function isComplete(split) {
  return troopsLeft(split) === 0;
}

/**
 * One troop more (`by` 1) or fewer (`by` -1) on a field; the same split where that can't be.
 *
 * @param {SplitDraft} split
 * @param {number} field
 * @param {number} by
 */
export function changeField(split, field, by) {
  const counts = split.counts.map((count, index) => (index === field ? count + by : count));
  const after = Object.freeze({ ...split, counts: Object.freeze(counts), before: split });
  return counts[field] < 0 || troopsLeft(after) < 0 ? split : after;
}

/**
 * The split with these counts, which must not be more than there are.
 *
 * @param {SplitDraft} split
 * @param {readonly number[]} counts
 */
export function withCounts(split, counts) {
  return Object.freeze({ ...split, counts: Object.freeze([...counts]) });
}

/**
 * `split` as one change of `origin`: lifting a block and laying it down is one; back again is none.
 *
 * @param {SplitDraft} origin
 * @param {SplitDraft} split
 */
export function asOneChange(origin, split) {
  const isBack = origin.counts.every((count, index) => count === split.counts[index]);
  return isBack ? origin : Object.freeze({ ...split, before: origin });
}

/**
 * The last change taken back.
 *
 * @param {SplitDraft} split
 */
export function undoChange(split) {
  return split.before ?? split;
}

/**
 * The canonical action: "troops 5 2 3".
 *
 * @param {string} word
 * @param {SplitDraft} split
 */
export function actionOf(word, { counts }) {
  return `${word} ${counts.join(" ")}`;
}

/**
 * The counts of a canonical action.
 *
 * @param {string} action
 */
export function countsOf(action) {
  return action.split(" ").slice(1).map(Number);
}

const NUMBERS = /\d+/g;

const SEPARATORS = /^(troops)?[ \x2f.-]*$/; // \x2f: see board/notation.js

/**
 * {counts, say}: the counts are null where the text is wrong, and `say` then tells why.
 *
 * @param {string} text
 * @param {Pick<SplitDraft, "total" | "counts">} split
 * @returns {{ counts: number[] | null, say: string | null }}
 */
export function readOrders(text, { total, counts }) {
  const plain = normalise(text);
  const numbers = (plain.match(NUMBERS) ?? []).map(Number);
  if (!SEPARATORS.test(plain.replace(NUMBERS, "")) || numbers.length !== counts.length) {
    const fields = joinWords(FIELDS.slice(0, counts.length));
    const said = t("Type {count} numbers for {fields}, such as 5 1 4.", {
      count: counts.length,
      fields,
    });
    const [piece] = /[^\d \x2f.-]+/.exec(plain.replace(/^troops/, "")) ?? [""];
    return { counts: null, say: piece ? `${said} ${t("“{piece}” isn’t one.", { piece })}` : said };
  }
  const sum = numbers.reduce((before, number) => before + number, 0);
  if (sum === total) return { counts: numbers, say: null };
  const values = { sum, total, left: total - sum, more: sum - total };
  const say =
    sum < total
      ? t("That’s {sum}, not {total}: {left} still to place.", values)
      : t("That’s {sum}, not {total}: {more} too many.", values);
  return { counts: null, say };
}
