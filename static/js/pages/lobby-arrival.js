/** The arrival of an opponent whom a host waits for: a chime, a blinking title, then the game. */

import { loadLater, runWhenIdle } from "../lib/dom.js";
import { isChosen, setting } from "../lib/settings.js";
import { blinkTitle, handOverBlink } from "../lib/title-blink.js";

/** Duration of the notice before the page goes to the game. */
export const ARRIVAL_SHOWN_MS = 1500;

/** A new output for sounds is ready after this time. */
const OUTPUT_DELAY_MS = 80;

const LEVELS = { off: 0, low: 0.35, on: 1 };

/** The level while nobody has said on this device whether sounds are wanted. */
const UNDECIDED_LEVEL = 0.35;

/** Volume of the chime, 0 if the reader has declined sounds. */
function chimeLevel() {
  const isUndecided = !isChosen("sounds") && setting("asked") === "no";
  if (isUndecided) return UNDECIDED_LEVEL;
  return LEVELS[/** @type {keyof typeof LEVELS} */ (setting("sounds"))];
}

/**
 * @param {string[]} kinds
 * @param {() => void} listener
 */
function listenOnPage(kinds, listener) {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  for (const kind of kinds) addEventListener(kind, listener, options);
  return () => stop.abort();
}

const withPlayer = loadLater(
  () => import("../lib/sound-player.js"),
  ({ SoundPlayer }) => {
    const player = new SoundPlayer({
      levelOf: chimeLevel,
      makeContext: () => (globalThis.AudioContext ? new AudioContext() : null),
      listen: listenOnPage,
    });
    player.waitForGesture();
    return player;
  },
);

/** Gets ready to chime: a browser lets the page sound after the first press on it. */
export function awaitArrival() {
  runWhenIdle(() => {
    if (chimeLevel() > 0) withPlayer(() => {});
  });
}

/**
 * Chimes, blinks, and calls `leave` a moment later.
 *
 * @param {string} text says who has arrived
 * @param {() => void} leave
 */
export function announceArrival(text, leave) {
  blinkTitle(text);
  if (chimeLevel() > 0) {
    withPlayer((player) => {
      player.unlock();
      setTimeout(() => player.play("arrival"), OUTPUT_DELAY_MS);
    });
  }
  setTimeout(() => {
    handOverBlink(text);
    leave();
  }, ARRIVAL_SHOWN_MS);
}
