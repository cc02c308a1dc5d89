/** Asks the server to play turns by the rules. */

import { find } from "../lib/dom.js";
import { refusalOf } from "../lib/forms.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";

/**
 * @param {string} url
 * @param {TreeRequest} request
 * @returns {Promise<TreeReply>}
 */
export async function requestTree(url, request) {
  const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"))
    .value;
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    "X-CSRFToken": token,
  };
  const body = JSON.stringify(request);
  try {
    const answer = await fetch(url, { method: "POST", headers, body });
    if (answer.ok) return await answer.json();
    return { error: await refusalOf(answer) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { error: untilReconnect(t("Not connected. Nothing was played.")) };
  }
}
