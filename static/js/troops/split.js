/**
 * The hand of a split game: how many troops stand on each field, the rest in hand; and `before`, the
 * hand that it was made from. Pure, frozen.
 */

export function openSplit({ total, fields }) {
  return Object.freeze({ total, counts: Object.freeze(new Array(fields).fill(0)), before: null });
}

export function inHand({ total, counts }) {
  return counts.reduce((left, count) => left - count, total);
}

export function isPlaced(split) {
  return inHand(split) === 0;
}

/** One troop more (`by` 1) or fewer (`by` -1) on a field; the same split where that can't be. */
export function change(split, field, by) {
  const counts = split.counts.map((count, index) => (index === field ? count + by : count));
  const after = Object.freeze({ ...split, counts: Object.freeze(counts), before: split });
  return counts[field] < 0 || inHand(after) < 0 ? split : after;
}

/** The split with these counts, which must not be more than there are. */
export function withCounts(split, counts) {
  return Object.freeze({ ...split, counts: Object.freeze([...counts]) });
}

/** `split` as one change of `origin`: lifting a block and laying it down is one; back again is none. */
export function since(origin, split) {
  const isBack = origin.counts.every((count, index) => count === split.counts[index]);
  return isBack ? origin : Object.freeze({ ...split, before: origin });
}

/** The last change taken back. */
export function takeBack(split) {
  return split.before ?? split;
}

/** The canonical action: "troops 5 2 3". */
export function actionOf(word, { counts }) {
  return `${word} ${counts.join(" ")}`;
}

/** The counts of a canonical action. */
export function countsOf(action) {
  return action.split(" ").slice(1).map(Number);
}
