/** The tab of a game: its title, and its icon with a dot, say whether it is the reader's turn. */

import { t } from "../lib/text.js";

/**
 * @param {boolean} mine
 * @param {string} name of the game
 */
export function markTab(mine, name) {
  document.title = mine
    ? t("● Your turn · {name} · Quiver", { name })
    : t("{name} · Quiver", { name });
  markIcon(mine);
}

/** @param {boolean} mine */
function markIcon(mine) {
  /** @type {HTMLLinkElement | null} */
  const icon = document.querySelector("link[rel=icon][data-turn]");
  if (icon === null) return; // a page that names no icon with a dot
  icon.dataset.plain ??= icon.href;
  const href = mine ? icon.dataset.turn : icon.dataset.plain;
  if (href && icon.href !== new URL(href, location.href).href) icon.href = href;
}
