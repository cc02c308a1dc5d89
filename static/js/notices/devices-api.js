/** The requests about devices with notifications: add, test, remove. */

const DEVICES = "/notifications/push/";

/** @typedef {{ id: number } | { error: string }} DeviceAnswer */

/** The token that each page has in the form to log out. */
function formToken() {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  return field?.value ?? "";
}

/**
 * Resolves to the answer; null without one, where the network or the server is gone.
 *
 * @param {string} path
 * @param {Record<string, string>} [fields]
 * @returns {Promise<DeviceAnswer | null>}
 */
async function send(path, fields = {}) {
  let answer;
  try {
    answer = await fetch(`${DEVICES}${path}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json", "X-CSRFToken": formToken() },
      redirect: "error",
    });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  if (!isJson) return null;
  const found = await answer.json();
  return found.refused ? { error: found.refused.say } : found;
}

/**
 * Adds this browser; the site names it by its User-Agent.
 *
 * @param {PushSubscription} subscription
 */
export const addDevice = (subscription) =>
  send("", { subscription: JSON.stringify(subscription), name: "" });

/** @param {string} id */
export const removeDevice = (id) => send(`${id}/remove/`);

/** @param {string} id */
export const testDevice = (id) => send(`${id}/test/`);
