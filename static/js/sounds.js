/** Our own small sounds; off until somebody switches them on. */

import { Player } from "./player.js";
import { onSettings, setting } from "./settings.js";

function listenOnPage(kinds, listener) {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  kinds.forEach((kind) => globalThis.addEventListener?.(kind, listener, options));
  return () => stop.abort();
}

const player = new Player({
  isOn: () => setting("sounds") === "on",
  makeContext: () => (globalThis.AudioContext ? new globalThis.AudioContext() : null),
  listen: listenOnPage,
});
player.wasOn = player.isOn();
player.await();
onSettings(() => player.changed());

/** Plays one of our sounds: own, action, shot, capture, seal, reveal, low, end. */
export function sound(name) {
  player.play(name);
}
