/** Tells a server that waits for it that this page has shown the game to its player. */

import { whenVisible } from "../lib/dom.js";

/** Resolves when what has been drawn so far is on the screen. */
const whenPainted = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Asks the server to begin as far as this seat is concerned, if it waits for that.
 *
 * @param {import("./game-page.js").Game} game
 */
export async function reportShown(game) {
  const waits = () => {
    const { clock, you } = game.snapshot;
    return you !== null && clock.begin && !clock.begin.shown.includes(you);
  };
  if (!waits()) return;
  await whenVisible();
  await whenPainted();
  if (waits()) game.ask({ t: "shown" });
}
