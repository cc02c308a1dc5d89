/** Layout of blocks in a field and in the tray, and the timing of the reveal. Pure. */

import { EASE, share } from "../board/tween.js";

/** Arrangement of blocks: blocks to a rank, each with this share of the field's width. */
export const WIDE = { rank: 4, share: 0.184, inside: 0.92 };

/** On small boards, where four to a rank would be specks. */
export const MINI = { rank: 2, share: 0.385, inside: 0.82 };

const MAX_BLOCK_PX = 40;

/**
 * @param {number} plotWidth
 * @param {{ share: number }} [order]
 */
export function blockWidth(plotWidth, { share } = WIDE) {
  return Math.min(MAX_BLOCK_PX, share * plotWidth);
}

/**
 * The boxes {x, y, width} of `count` blocks, ranks going from `from` by `direction` (1 down, -1 up).
 * The ranks overlap if `room` is too low for them.
 *
 * @param {number} plotWidth
 * @param {number} count
 * @param {number} from
 * @param {number} [direction]
 * @param {number} [room]
 * @param {typeof WIDE} [order]
 */
export function ranks(plotWidth, count, from, direction = 1, room = Infinity, order = WIDE) {
  const { rank: files, inside } = order;
  const width = blockWidth(plotWidth, order);
  const height = (width * 2) / 3;
  const gap = Math.min(10, (inside * plotWidth - files * width) / (files - 1));
  const left = Math.min(16, (plotWidth - files * width - (files - 1) * gap) / 2);
  const wanted = height * 1.12 + Math.max(3, 0.16 * width);
  const behind = Math.ceil(count / files) - 1;
  const step = behind > 0 ? Math.min(wanted, (room - 1.2 * height) / behind) : wanted;
  return Array.from({ length: count }, (_, index) => {
    const rank = Math.floor(index / files);
    const y = direction === 1 ? from + rank * step : from - height * 1.15 - rank * step;
    return { x: left + (index % files) * (width + gap), y, width };
  });
}

/**
 * The boxes of `total` places in a tray of this size.
 *
 * @param {number} trayWidth
 * @param {number} trayHeight
 * @param {number} total
 */
export function trayPlaces(trayWidth, trayHeight, total) {
  const room = trayWidth / total;
  const width = Math.min(38, 0.76 * room);
  return Array.from({ length: total }, (_, index) => ({
    x: index * room + 2,
    y: (trayHeight - (width * 2) / 3) / 2,
    width,
  }));
}

/**
 * Returns whether a point is in a box, or within `reach` of it.
 *
 * @param {Box} box
 * @param {Point} point
 * @param {number} [reach]
 */
export function isIn({ x, y, width }, point, reach = 4) {
  const height = (width * 2) / 3;
  return (
    point.x >= x - reach &&
    point.x <= x + width + reach &&
    point.y >= y - reach &&
    point.y <= y + height + reach
  );
}

/** The reveal: a headline, then the fields one after the other, then the result. */
export const REVEAL_MS = {
  opening: 300,
  waxBreaks: 90, // of the envelopes, which then open
  fades: 210,
  field: 700,
  blockDelay: 30, // from one block of a side to the next
  march: 150, // of a block, from the edge to its place
  verdict: 540, // from the opening of a field: ten blocks stand, and 120 ms have passed
  settle: 200, // from the last field to the result
};

/**
 * The length of the reveal of `fields` fields; at its end the result is told.
 *
 * @param {number} fields
 */
export function revealDuration(fields) {
  return REVEAL_MS.opening + REVEAL_MS.field * fields + REVEAL_MS.settle;
}

/**
 * For a field at `time`: how long it has been open, how many of `count` blocks stand in their places,
 * whether its verdict is said, and how far the losing blocks have fallen back (0 to 1).
 *
 * @param {number} time
 * @param {number} field
 * @param {number} count
 */
export function fieldRevealAt(time, field, count) {
  const { opening, field: length, blockDelay, march, verdict } = REVEAL_MS;
  const since = Math.min(time - opening - field * length, length);
  const standing = since < march ? 0 : 1 + Math.floor((since - march) / blockDelay);
  const isSaid = since >= verdict;
  const fall = (since - verdict) / (length - verdict);
  return {
    since,
    blocks: isSaid ? count : Math.min(count, standing),
    verdict: isSaid,
    fall: Math.max(0, Math.min(1, fall)),
  };
}

/**
 * The share of its way, 0 to 1, that block number `index` of a side has marched `since` ms after opening.
 *
 * @param {number} since
 * @param {number} index
 */
export function marchAt(since, index) {
  const { blockDelay, march } = REVEAL_MS;
  return Math.max(0, Math.min(1, (since - index * blockDelay) / march));
}

/**
 * The time to draw where nothing may move: the same facts in the same order, a field at a time.
 *
 * @param {number} time
 */
export function stillRevealTime(time) {
  const { opening, field, verdict } = REVEAL_MS;
  const open = Math.floor((time - opening - verdict) / field) + 1;
  return open <= 0 ? 0 : opening + field * open - 1;
}

/**
 * The number of fields whose verdict is shown.
 *
 * @param {number} time
 * @param {number} fields
 */
export function openedFields(time, fields) {
  const numbers = Array.from({ length: fields }, (_, field) => field);
  return numbers.filter((field) => fieldRevealAt(time, field, 0).verdict).length;
}

/**
 * Returns how far flap and wax are, and how opaque an envelope is, at `time` of a reveal.
 *
 * @param {number} time
 */
export function breakingAt(time) {
  const opened = EASE.inOut(share(time, REVEAL_MS.waxBreaks, REVEAL_MS.fades));
  return {
    flap: 1 - opened,
    wax: time < REVEAL_MS.waxBreaks ? 1 + 0.15 * share(time, 0, REVEAL_MS.waxBreaks) : 0,
    alpha: 1 - share(time, REVEAL_MS.fades, REVEAL_MS.opening),
  };
}
