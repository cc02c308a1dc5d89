/** Copying a link, in words. */

import { t } from "../text.js";

/** Copies the address; `tell([what, then])` says that it was, or shows it to be copied by hand. */
export async function copyLink(address, tell) {
  try {
    await navigator.clipboard.writeText(address);
    tell([t("The link is copied."), address]);
  } catch {
    tell([t("Copy this link:"), address]); // not allowed, or no secure origin
  }
}
