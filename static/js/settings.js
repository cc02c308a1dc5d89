/**
 * How this device plays: kept in this browser, changed on the page of settings or beside a board,
 * and told to every open page of the site.
 */

const KEY = "quiver-settings";

/** Each setting's values; the first is meant until somebody chooses. */
export const CHOICES = {
  sounds: ["off", "on"],
  send: ["once", "tap", "button"], // at once, with a second tap, with a button
  coordinates: ["on", "off"],
  side: ["own", "white", "black"], // which side's view is at the bottom
  talk: ["on", "off"],
  notices: ["off", "on"], // the browser's own notifications
};

const listeners = new Set();
let passing = {}; // where nothing can be stored, a choice lasts as long as the page

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The value of a setting. */
export function setting(name) {
  const value = passing[name] ?? stored()[name];
  return CHOICES[name].includes(value) ? value : CHOICES[name][0];
}

/** Whether this browser lets the site keep anything. */
export function isKept() {
  try {
    localStorage.setItem(KEY, localStorage.getItem(KEY) ?? "{}");
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Chooses a value; RangeError for one that isn't offered. */
export function choose(name, value) {
  if (!CHOICES[name]?.includes(value)) throw new RangeError(`${name} cannot be ${value}`);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...passing, [name]: value }));
    passing = {};
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    passing[name] = value;
  }
  listeners.forEach((listen) => listen());
}

/** Calls `listen()` after every change, here or in another tab; gives the function that stops it. */
export function onSettings(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

globalThis.addEventListener?.("storage", (event) => {
  if (event.key === KEY || event.key === null) listeners.forEach((listen) => listen());
});
