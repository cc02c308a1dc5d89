/**
 * Texts in the page's language.
 *
 * Scripts write English; in another language the page loads a file of translations first, which sets
 * `quiverTexts` (English → translation, or a list of plural forms). Pure but for reading that once.
 */

const SLOT = /\{(\w+)\}/g;

/** @type {Record<string, string | string[]>} */
let catalogue = Reflect.get(globalThis, "quiverTexts") ?? {};

/**
 * For tests: another set of translations.
 *
 * @param {Record<string, string | string[]>} texts
 */
export function setCatalogue(texts) {
  catalogue = texts;
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
function fillSlots(text, values) {
  return text.replace(SLOT, (slot, name) => (name in values ? String(values[name]) : slot));
}

/**
 * The text in the page's language, with each `{name}` replaced by `values.name`.
 *
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function t(text, values = {}) {
  const found = catalogue[text];
  return fillSlots((Array.isArray(found) ? found[0] : found) ?? text, values);
}

/**
 * One of two texts by number; the languages offered so far have the plural rule of `count !== 1`.
 *
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Record<string, unknown>} [values]
 */
export function tn(one, many, count, values = {}) {
  const found = catalogue[one];
  const forms = Array.isArray(found) ? found : [one, many];
  return fillSlots(forms[count === 1 ? 0 : 1] ?? forms[0], { count, ...values });
}
