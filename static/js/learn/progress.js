/** Which positions have been solved on this device, by rule set. */

const KEY = "quiver-learn";
let passing = {}; // where nothing can be stored, it lasts as long as the page

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? found : {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The slugs of the positions of a rule set that have been solved. */
export function solvedOf(key) {
  const found = { ...stored(), ...passing }[key];
  return new Set(Array.isArray(found) ? found : []);
}

export function markSolved(key, slug) {
  const all = { ...stored(), ...passing, [key]: [...solvedOf(key).add(slug)] };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    passing = all;
  }
}
