/** Asks the server to play turns by the rules. */

import { find } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** Above the limit of requests. */
const TOO_MANY = 429;

/**
 * @param {string} url
 * @param {TreeRequest} request
 * @returns {Promise<TreeReply>}
 */
export async function requestTree(url, request) {
  const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"))
    .value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const body = JSON.stringify(request);
  try {
    const answer = await fetch(url, { method: "POST", headers, body });
    if (answer.ok) return await answer.json();
    if (answer.status === TOO_MANY)
      return { error: t("Too many requests. Try again in a few minutes.") };
    return { error: t("The server refused that.") };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { error: t("Not connected. Nothing was played.") };
  }
}
