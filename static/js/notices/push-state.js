/** The states of notifications on this device, and comparison of keys. Pure. */

/** @typedef {"site-off" | "home-screen" | "unsupported" | "blocked" | "on" | "off"} PushState */

/**
 * The facts of a browser that decide about its state; `isListed`: the account's list has it.
 *
 * @typedef {{
 *   key: string,
 *   canPush: boolean,
 *   isApplePhone: boolean,
 *   permission: string,
 *   isListed: boolean,
 * }} PushFacts
 */

/**
 * Returns the state: why notifications cannot be had here, or whether they are on.
 *
 * @param {PushFacts} facts
 * @returns {PushState}
 */
export function pushState({ key, canPush, isApplePhone, permission, isListed }) {
  if (key === "") return "site-off";
  if (!canPush) return isApplePhone ? "home-screen" : "unsupported"; // iOS: apps only
  if (permission === "denied") return "blocked";
  return permission === "granted" && isListed ? "on" : "off";
}

/**
 * Returns whether a browser runs on an iPhone or iPad; iPads call themselves Macs, but have touch.
 *
 * @param {{ userAgent: string, maxTouchPoints?: number }} navigator
 */
export function isApplePhone({ userAgent, maxTouchPoints = 0 }) {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/**
 * Returns the bytes of a base64url text, such as the site's key.
 *
 * @param {string} text
 */
export function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/**
 * Returns whether two keys are the same, byte by byte.
 *
 * @param {ArrayBuffer | null} one
 * @param {Uint8Array} other
 */
export function isSameKey(one, other) {
  if (one === null) return false;
  const bytes = new Uint8Array(one);
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at]);
}
