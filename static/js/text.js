/**
 * The browser's texts. Scripts write them in English; the page brings the other languages' words for
 * them as JSON (`#texts`: English → translation, or a list of plural forms). Pure but for that.
 */

const SLOT = /\{(\w+)\}/g;

function embedded() {
  const block = globalThis.document?.getElementById("texts");
  return block ? JSON.parse(block.textContent) : {};
}

let catalogue = embedded();

/** For tests: another set of translations. */
export function speak(texts) {
  catalogue = texts;
}

function filled(text, values) {
  return text.replace(SLOT, (slot, name) => (name in values ? String(values[name]) : slot));
}

/** The text in the page's language, with each `{name}` replaced by `values.name`. */
export function t(text, values = {}) {
  const found = catalogue[text];
  return filled((Array.isArray(found) ? found[0] : found) ?? text, values);
}

/** One of two texts by number; the languages offered so far have the plural rule of `count !== 1`. */
export function tn(one, many, count, values = {}) {
  const found = catalogue[one];
  const forms = Array.isArray(found) ? found : [one, many];
  return filled(forms[count === 1 ? 0 : 1] ?? forms[0], { count, ...values });
}
