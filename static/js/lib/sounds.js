/** The site's sounds: off by default; the player is loaded when somebody switches them on. */

import { loadLater } from "./dom.js";
import { motionSpeed } from "./motion.js";
import { onSettings, setting } from "./settings.js";

/** Volume of each choice of the setting, as a share. */
const LEVELS = { off: 0, low: 0.35, on: 1 };

const levelOf = () => LEVELS[/** @type {keyof typeof LEVELS} */ (setting("sounds"))];

/** Whether sounds are heard on this device. */
export const isSoundOn = () => levelOf() > 0;

const wasOnAtStart = isSoundOn();

/**
 * @param {string[]} kinds
 * @param {() => void} listener
 */
function listenOnPage(kinds, listener) {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  kinds.forEach((kind) => globalThis.addEventListener?.(kind, listener, options));
  return () => stop.abort();
}

const withPlayer = loadLater(
  () => import("./sound-player.js"),
  ({ SoundPlayer }) => {
    const made = new SoundPlayer({
      levelOf,
      makeContext: () => (globalThis.AudioContext ? new globalThis.AudioContext() : null),
      listen: listenOnPage,
    });
    made.wasOn = wasOnAtStart;
    made.waitForGesture();
    onSettings(() => made.handleSettingChange());
    return made;
  },
);

if (wasOnAtStart) withPlayer(() => {});
else {
  const stop = onSettings(() => {
    if (!isSoundOn()) return;
    stop();
    withPlayer((made) => made.handleSettingChange());
  });
}

/**
 * Plays one of our sounds: own, action, shot, thud, capture, seal, reveal, field, low, end, lost.
 *
 * @param {string} name
 * @param {{ pitch?: number }} [options]
 */
export function playSound(name, { pitch = 1 } = {}) {
  playSounds([{ name, at: 0, pitch }]);
}

/**
 * Plays sounds one after the other, each `at` so many ms from now at full motion.
 *
 * @param {SoundCue[]} cues
 */
export function playSounds(cues) {
  const speed = motionSpeed();
  const timed = cues.map((cue) => ({ ...cue, at: cue.at / speed }));
  if (isSoundOn() && cues.length > 0) withPlayer((made) => made.playAll(timed));
}
