/** Notes of this browser: its subscription, and which accounts have been asked about notifications. */

const DEVICE_KEY = "quiver-push";
const ASKED_KEY = "quiver-push-asked";
const MAX_ASKED = 20; // accounts

/** @typedef {{ key: string, endpoint: string }} NotedDevice */

/** @param {string} name */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Returns whether the value could be stored.
 *
 * @param {string} name
 * @param {unknown} value
 */
function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** @param {NotedDevice} device */
export const noteDevice = (device) => write(DEVICE_KEY, device);

export const forgetDevice = () => write(DEVICE_KEY, null);

/** @returns {NotedDevice | null} */
export function notedDevice() {
  const found = read(DEVICE_KEY);
  return typeof found?.key === "string" && typeof found.endpoint === "string" ? found : null;
}

/** @returns {string[]} */
function askedUsers() {
  const found = read(ASKED_KEY);
  return Array.isArray(found) ? found : [];
}

/**
 * Whether an account has been asked here already.
 *
 * @param {string} user
 */
export const wasAsked = (user) => askedUsers().includes(user);

/**
 * Notes that an account has been asked; returns false where nothing can be stored.
 *
 * @param {string} user
 */
export function noteAsked(user) {
  const others = askedUsers().filter((each) => each !== user);
  return write(ASKED_KEY, [...others, user].slice(-MAX_ASKED));
}
