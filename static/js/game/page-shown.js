/** Tells a server that waits for it that this page has shown the game to its player. */

/** Resolves when the page is visible. */
export function whenVisible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve(undefined);
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/** Resolves when what has been drawn so far is on the screen. */
const whenPainted = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Asks the server to begin as far as this seat is concerned, unless it has begun meanwhile.
 *
 * @param {import("./game-page.js").Game} game
 */
export async function reportShown(game) {
  await whenVisible();
  await whenPainted();
  if (game.snapshot.clock.begin) game.ask({ t: "shown" });
}
