/** The positions that have been solved on this device, by rule set. */

const STORAGE_KEY = "quiver-learn";

/** @type {Record<string, string[]>} */
let unstored = {}; // where nothing can be stored, it lasts as long as the page

function readStored() {
  try {
    const found = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return found !== null && typeof found === "object" ? found : {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * The slugs of the positions of a rule set that have been solved.
 *
 * @param {string} key
 */
export function solvedOf(key) {
  const found = { ...readStored(), ...unstored }[key];
  return new Set(Array.isArray(found) ? found : []);
}

/**
 * @param {string} key
 * @param {string} slug
 */
export function markSolved(key, slug) {
  const all = { ...readStored(), ...unstored, [key]: [...solvedOf(key).add(slug)] };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unstored = all;
  }
}
