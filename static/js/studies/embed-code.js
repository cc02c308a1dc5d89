/** The HTML that shows a study in another site's page: offered while the study is public. */

import { copyText } from "../lib/clipboard.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Makes the button copy the HTML; readers of a study that is not public have none. */
export function listenForCopies() {
  const code = document.getElementById("embed-code");
  if (!code) return;
  byId("embed-copy").addEventListener("click", async () => {
    const isCopied = await copyText(code.textContent ?? "");
    byId("embed-say").textContent = isCopied
      ? t("Copied.")
      : t("Not copied. Select the text and copy it yourself.");
  });
}

/** @param {string} visibility of the study on the page */
export function showEmbedCode(visibility) {
  const section = document.getElementById("study-embed");
  if (section) section.hidden = visibility !== "public";
}

/** @param {string} title of the study, which the HTML gives the frame */
export function showEmbedTitle(title) {
  const code = document.getElementById("embed-code");
  if (!code?.textContent) return;
  const escaped = title.replace(/[&<>"']/g, (character) => ENTITIES[character]);
  code.textContent = code.textContent.replace(/ title="[^"]*"/, () => ` title="${escaped}"`);
}
