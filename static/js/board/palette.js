/** The colours of tokens.css for the canvas, read once and again when the theme changes. */

const NAMES = [
  "paper", "sheet", "well", "rule", "edge", "ink", "ink-2", "on-ink", "fire", "square-a", "square-b",
  "frame", "frame-ink", "slab", "chosen", "mark", "trail", "char", "char-2", "crack", "ash", "ember",
  "rust", "light-fill", "light-shade", "light-line", "dark-fill", "dark-shade", "dark-line",
  "dark-trim", "leather", "wall", "tooth", "wall-low", "terrain", "wax", "wax-stamp", "wax-paper",
  "coord-on-char", "line-light", "line-dark", "sink", "veil", "drop-tray", "sans",
];

const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

let colours = null;
const listeners = new Set();

function read() {
  const style = getComputedStyle(document.documentElement);
  const entries = NAMES.map((name) => [camel(name), style.getPropertyValue(`--${name}`).trim()]);
  return Object.freeze(Object.fromEntries(entries));
}

export function palette() {
  colours ??= read();
  return colours;
}

/** Calls `listener` after every change of theme. Gives the function that ends it. */
export function onPaletteChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed() {
  colours = null;
  listeners.forEach((listener) => listener());
}

new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
