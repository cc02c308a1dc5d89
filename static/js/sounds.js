/** Our own small sounds; off until somebody switches them on, and fetched then. */

import { later } from "./page/later.js";
import { onSettings, setting } from "./settings.js";

const isOn = () => setting("sounds") === "on";
const wasOn = isOn();

function listenOnPage(kinds, listener) {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  kinds.forEach((kind) => globalThis.addEventListener?.(kind, listener, options));
  return () => stop.abort();
}

const player = later(() => import("./player.js"), ({ Player }) => {
  const made = new Player({
    isOn,
    makeContext: () => (globalThis.AudioContext ? new globalThis.AudioContext() : null),
    listen: listenOnPage,
  });
  made.wasOn = wasOn;
  made.await();
  onSettings(() => made.changed());
  return made;
});

if (wasOn) player(() => {});
else {
  const stop = onSettings(() => {
    if (!isOn()) return;
    stop();
    player((made) => made.changed());
  });
}

/** Plays one of our sounds: own, action, shot, capture, seal, reveal, low, end. */
export function sound(name) {
  if (isOn()) player((made) => made.play(name));
}
