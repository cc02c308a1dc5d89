/** Detection of newcomers by the number of games played on this device. Pure. */

const STORAGE_KEY = "quiver-first-games";

const FIRST_GAMES = 3;

/**
 * Notes a game that is played on this device; returns whether it is one of the first three. Without
 * storage nobody counts as a newcomer, since that state would never end.
 *
 * @param {string} game
 * @param {() => Pick<Storage, "getItem" | "setItem">} storage
 */
export function isFirstGame(game, storage) {
  try {
    const games = gamesIn(storage().getItem(STORAGE_KEY));
    if (games.includes(game)) return true;
    if (games.length >= FIRST_GAMES) return false;
    storage().setItem(STORAGE_KEY, JSON.stringify([...games, game]));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * @param {string | null} text
 * @returns {unknown[]}
 */
function gamesIn(text) {
  try {
    const games = JSON.parse(text ?? "[]");
    return Array.isArray(games) ? games : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
