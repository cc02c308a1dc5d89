/** Random delays before a connection or a topic is tried again: pages must not come back at once. */

const FIRST_RETRY_MS = 500;

const LONGEST_RETRY_MS = 8000;

const QUICK_RETRY_MS = 250;

/**
 * A random wait of 0.25 to 0.75 s, while a server that was there a moment ago is probably coming back.
 *
 * @param {() => number} random
 */
export function quickDelay(random) {
  return Math.round(QUICK_RETRY_MS * (1 + 2 * random()));
}

/**
 * A random wait from 0.5 s up to a ceiling: 1 s after the first failure, then half as much again, up to 8 s.
 *
 * @param {number} failures
 */
export function backoff(failures, random = Math.random) {
  const ceiling = Math.min(LONGEST_RETRY_MS, 2 * FIRST_RETRY_MS * 1.5 ** Math.max(0, failures - 1));
  return Math.round(FIRST_RETRY_MS + (ceiling - FIRST_RETRY_MS) * random());
}

/**
 * A random wait of at least half the longest one, after a flood or where nothing is shown.
 *
 * @param {() => number} random
 */
export function slowDelay(random) {
  return Math.round((LONGEST_RETRY_MS * (1 + random())) / 2);
}
