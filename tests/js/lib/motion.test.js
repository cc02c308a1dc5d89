import assert from "node:assert/strict";
import test from "node:test";

import { motionSpeed, reducedMotion } from "../../../static/js/lib/motion.js";

/**
 * Calls `look` on a device with this setting, whose system asks for reduced motion or not.
 *
 * @param {string | undefined} motion
 * @param {boolean} reduced
 * @param {() => unknown} look
 */
function onDevice(motion, reduced, look) {
  const before = [globalThis.localStorage, globalThis.matchMedia];
  const stored = JSON.stringify(motion ? { motion } : {});
  Object.defineProperty(globalThis, "localStorage", {
    value: { getItem: () => stored },
    configurable: true,
    writable: true,
  });
  globalThis.matchMedia = (query) => ({ matches: reduced && query.includes("reduce") });
  try {
    return look();
  } finally {
    [globalThis.localStorage, globalThis.matchMedia] = before;
  }
}

test("without a choice the system decides", () => {
  assert.equal(onDevice(undefined, true, reducedMotion), true);
  assert.equal(onDevice("system", true, reducedMotion), true);
  assert.equal(onDevice("system", false, reducedMotion), false);
});

test("a person's own choice wins over the system", () => {
  assert.equal(onDevice("off", false, reducedMotion), true);
  assert.equal(onDevice("full", true, reducedMotion), false);
  assert.equal(onDevice("quick", true, reducedMotion), false);
});

test("quick motion takes half the time", () => {
  assert.equal(onDevice("quick", false, motionSpeed), 2);
  assert.equal(onDevice("full", false, motionSpeed), 1);
  assert.equal(onDevice("system", false, motionSpeed), 1);
});
