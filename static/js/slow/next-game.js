/** The link to the most urgent of the reader's other games, shown where a slow game needs no move. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { onWaitingGames } from "../lib/waiting-games.js";

/** @type {Wire.MineRow[]} */
let waiting = [];
let isWanted = false;

function show() {
  const link = /** @type {HTMLAnchorElement} */ (byId("next-waiting"));
  link.hidden = !isWanted || waiting.length === 0;
  if (link.hidden) return;
  link.href = waiting[0].url;
  link.textContent = t("Next game ({count})", { count: waiting.length });
}

/** Follows the reader's own games. */
export function followNextGame() {
  onWaitingGames((rows) => {
    waiting = rows;
    show();
  });
}

/**
 * Shows the link when the reader has nothing to do in a slow game.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function offerNextGame({ you, clock, prompt, status }) {
  const isSlow = clock.kind !== "fischer" && clock.kind !== "limit";
  isWanted = you !== null && isSlow && (status === "over" || !prompt);
  show();
}

/** Goes to the next game, if there is one. */
export function goToNextGame() {
  const link = /** @type {HTMLAnchorElement} */ (byId("next-waiting"));
  if (!link.hidden) link.click();
}
