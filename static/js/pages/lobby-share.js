/** The share box of a lobby: the system's share sheet, and a button that copies the link. */

import { copyText } from "../lib/clipboard.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** Copies the link, or marks it to be copied by hand. */
async function copyLink() {
  /** @type {HTMLInputElement} */
  const link = byId("link");
  const isCopied = await copyText(link.value, link);
  byId("copied").textContent = isCopied ? t("Link copied.") : t("Press Ctrl+C to copy.");
}

/** @param {string} title */
async function shareLink(title) {
  /** @type {HTMLInputElement} */
  const link = byId("link");
  try {
    await navigator.share({ title, text: title, url: link.value });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name !== "AbortError")
      byId("copied").textContent = t("Sharing failed. Copy the link.");
  }
}

/**
 * Shows the buttons that this browser can serve; the first of them is the primary one.
 *
 * @param {() => string} titleOf the title that is shared with the link
 */
export function startShareBox(titleOf) {
  const [share, copy] = [byId("share"), byId("copy")];
  const hasSheet = "share" in navigator;
  share.hidden = !hasSheet;
  share.classList.add("known");
  copy.hidden = false;
  copy.classList.toggle("primary", !hasSheet);
  copy.classList.toggle("plain", hasSheet);
  share.addEventListener("click", () => shareLink(titleOf()));
  copy.addEventListener("click", copyLink);
  byId("link").addEventListener("focus", (event) =>
    /** @type {HTMLInputElement} */ (event.target).select(),
  );
}
