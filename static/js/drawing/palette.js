/** The colours of tokens.css for the canvas, read once and again when theme or board change. */

const NAMES = [
  "paper",
  "sheet",
  "well",
  "rule",
  "edge",
  "ink",
  "ink-2",
  "on-ink",
  "fire",
  "square-a",
  "square-b",
  "frame",
  "frame-ink",
  "slab",
  "chosen",
  "mark",
  "trail",
  "char",
  "char-2",
  "char-old",
  "crack",
  "ash",
  "ember",
  "rust",
  "light-fill",
  "light-shade",
  "light-line",
  "dark-fill",
  "dark-shade",
  "dark-line",
  "dark-trim",
  "dark-halo",
  "leather",
  "wall",
  "tooth",
  "wall-low",
  "terrain",
  "wax",
  "wax-stamp",
  "wax-paper",
  "coord-on-char",
  "line-light",
  "line-dark",
  "sink",
  "veil",
  "drop-tray",
  "annotation",
  "annotation-halo",
  "sans",
];

/** @param {string} name */
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** @type {Palette | null} */
let colours = null;

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Reads the colours that hold in `host`. A custom property's value is its text, here `light-dark(…)`; a
 * hidden element computes the colour of the current theme from it, and keeps it where the system
 * forces colours upon the page.
 *
 * @param {HTMLElement} host
 * @returns {Palette}
 */
export function readPalette(host) {
  const probe = document.createElement("span");
  const style = getComputedStyle(probe);
  probe.hidden = true;
  probe.style.forcedColorAdjust = "none";
  host.append(probe);
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [camel(name), style.color];
  });
  const sans = style.getPropertyValue("--sans").trim();
  probe.remove();
  return Object.freeze({ ...Object.fromEntries(entries), sans });
}

/** Returns the colours of the current theme. */
export function palette() {
  const current = colours ?? readPalette(document.documentElement);
  colours = current;
  return current;
}

/**
 * Calls `listener` after every change of theme, board or figures. Returns the function that ends it.
 *
 * @param {() => void} listener
 */
export function onPaletteChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Paints everything again. */
export function repaintAll() {
  colours = null;
  listeners.forEach((listener) => listener());
}

new MutationObserver(repaintAll).observe(document.documentElement, {
  attributeFilter: ["data-theme", "data-ground", "data-choices"],
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaintAll);
