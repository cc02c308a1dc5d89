/** Games that wait for their reader: the newest list, and their number in title and icon. */

/**
 * The games and challenges that wait on other pages than the one at `path`.
 *
 * @param {Wire.MineRow[]} rows
 * @param {string} path
 */
export function waitingElsewhere(rows, path) {
  return rows.filter(
    ({ waits, is_game: isGame, is_challenge: isChallenge, url }) =>
      waits && (isGame || isChallenge) && url !== path,
  );
}

const COUNT_PREFIX = /^\(\d+\) /;

/**
 * The page's title with the number of waiting games in front: "(2) Quiver".
 *
 * @param {string} title
 * @param {number} count
 */
export function titleWithCount(title, count) {
  const bare = title.replace(COUNT_PREFIX, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}

/**
 * Writes the number of waiting games on the icon of the installed app; browsers that cannot do
 * nothing.
 *
 * @param {number} count
 * @param {{ setAppBadge?: (count: number) => Promise<void>, clearAppBadge?: () => Promise<void> }} [app]
 */
export async function showBadge(count, app = navigator) {
  try {
    if (count > 0) await app.setAppBadge?.(count);
    else await app.clearAppBadge?.();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // a page in a private window may not
  }
}

/** @type {Wire.MineRow[]} */
let waiting = [];

/** @type {((rows: Wire.MineRow[]) => void)[]} */
const listeners = [];

/**
 * Notes the games that wait elsewhere, the most urgent first, and calls the listeners.
 *
 * @param {Wire.MineRow[]} rows
 */
export function setWaitingGames(rows) {
  waiting = rows.filter((row) => row.is_game);
  for (const listener of listeners) listener(waiting);
}

/**
 * Calls a function with these games, now and after every change.
 *
 * @param {(rows: Wire.MineRow[]) => void} listener
 */
export function onWaitingGames(listener) {
  listeners.push(listener);
  listener(waiting);
}
