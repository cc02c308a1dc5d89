/** Settings of this device: stored in the browser, shared with all open pages of the site. */

const STORAGE_KEY = "quiver-settings";

/**
 * Each setting's values; the first is the default.
 *
 * @type {Record<string, string[]>}
 */
export const CHOICES = {
  sounds: ["off", "low", "on"], // on: as loud as it gets
  asked: ["no", "yes"], // whether sounds are wanted
  send: ["once", "tap", "button"], // at once, with a second tap, with a button
  coordinates: ["on", "off"],
  side: ["own", "white", "black"], // which side's view is at the bottom
  chat: ["on", "off"],
  board: Array.from({ length: 26 }, (_, step) => String(100 - 2 * step)), // percent of what fits
  letters: ["on", "off"], // keys on the board that read the position, the clocks, the last move
  watch: ["named", "unseen"], // whether other pages of a game are told who watches here
  ground: ["paper", "slate", "meadow", "contrast"], // the colours of boards, see css/board/grounds.css
  figures: ["bows", "crowns", "discs"], // the pieces of Amazons
  motion: ["system", "full", "quick", "off"],
  lobbies: ["all", "near"], // which open games the front page shows: all, or near in rating
  zen: ["off", "on"], // nothing beside the board but names and clocks
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** @type {Record<string, string>} */
let unstored = {}; // where nothing can be stored, a choice lasts as long as the page

function readStored() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") ?? {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * The value of a setting.
 *
 * @param {string} name
 */
export function setting(name) {
  const value = unstored[name] ?? readStored()[name];
  return CHOICES[name].includes(value) ? value : CHOICES[name][0];
}

/**
 * Returns whether somebody has chosen a value of a setting on this device.
 *
 * @param {string} name
 */
export function isChosen(name) {
  return name in unstored || name in readStored();
}

/** Returns whether this browser lets the site store anything. */
export function canStore() {
  try {
    localStorage.setItem(STORAGE_KEY, localStorage.getItem(STORAGE_KEY) ?? "{}");
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * Chooses a value; RangeError for one that isn't offered.
 *
 * @param {string} name
 * @param {string} value
 */
export function chooseSetting(name, value) {
  if (!CHOICES[name]?.includes(value)) throw new RangeError(`${name} cannot be ${value}`);
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify({ ...readStored(), ...unstored, [name]: value }),
    );
    unstored = {};
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unstored[name] = value;
  }
  const detail = { ...readStored(), ...unstored };
  dispatchEvent(new CustomEvent(STORAGE_KEY, { detail })); // theme.js applies some
  listeners.forEach((listen) => listen());
}

/**
 * Calls `listen()` after every change, here or in another tab; returns the function that stops it.
 *
 * @param {() => void} listen
 */
export function onSettings(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

globalThis.addEventListener?.("storage", (event) => {
  if (event.key === STORAGE_KEY || event.key === null) listeners.forEach((listen) => listen());
});
