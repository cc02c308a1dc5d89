/** Waits for the end of a board's motion, such as the last flight of a game. */

const POLL_MS = 50;

const LIMIT_MS = 10_000;

/**
 * Does something when nothing moves, at the latest after LIMIT_MS; at once on a page that is out of
 * sight, which draws no motion.
 *
 * @param {() => boolean} isMoving
 * @param {() => void} task
 */
export function whenStill(isMoving, task) {
  const limit = performance.now() + LIMIT_MS;
  const wait = () => {
    if (isMoving() && !document.hidden && performance.now() < limit) setTimeout(wait, POLL_MS);
    else task();
  };
  wait();
}
