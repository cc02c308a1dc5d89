/** Whether things move on the page, and how fast: by the setting, else as the system asks. */

import { setting } from "./settings.js";

/** Factor by which quick motion is faster than full motion. */
const QUICK = 2;

/** Returns whether nothing moves. */
export function reducedMotion() {
  const motion = setting("motion");
  if (motion !== "system") return motion === "off";
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns by how much motion is faster than its durations say. */
export function motionSpeed() {
  return setting("motion") === "quick" ? QUICK : 1;
}
