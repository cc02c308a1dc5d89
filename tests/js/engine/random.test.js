import assert from "node:assert/strict";
import test from "node:test";

import { seededRandom } from "../../../static/js/engine/random.js";

// From Python: [random.Random(seed).random() for seed in …], and the 1,000th number of seed 1.
const FIRST = new Map([
  [0, 0.8444218515250481],
  [1, 0.13436424411240122],
  [2 ** 32, 0.11299430095636409],
  [2 ** 53 - 1, 0.09425040007102303],
]);

test("the numbers are those of Python", () => {
  for (const [seed, number] of FIRST) assert.equal(seededRandom(seed)(), number);
});

test("the numbers go on as those of Python beyond one block of the generator", () => {
  const random = seededRandom(1);
  let last = 0;
  for (let index = 0; index < 1000; index++) last = random();
  assert.equal(last, 0.7062615472551386);
});

test("what is no whole number from 0 is no seed", () => {
  for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => seededRandom(seed), RangeError);
  }
});
