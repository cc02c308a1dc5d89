/** The page's icon, with a dot while it is the reader's turn. */

/** @param {boolean} mine */
export function markIcon(mine) {
  /** @type {HTMLLinkElement | null} */
  const icon = document.querySelector("link[rel=icon][data-turn]");
  if (icon === null) return; // a page that names no icon with a dot
  icon.dataset.plain ??= icon.href;
  const href = mine ? icon.dataset.turn : icon.dataset.plain;
  if (href && icon.href !== new URL(href, location.href).href) icon.href = href;
}
