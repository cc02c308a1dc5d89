import assert from "node:assert/strict";
import test from "node:test";
import { HOLD_MS, Hold } from "../../../static/js/lib/action-buttons.js";

function held() {
  const clock = { time: 0, tick: null, now: () => clock.time };
  clock.every = (call) => {
    clock.tick = call;
    return 1;
  };
  clock.cancel = () => {
    clock.tick = null;
  };
  const seen = { shares: [], done: 0 };
  const hold = new Hold(
    { onShare: (share) => seen.shares.push(share), onDone: () => (seen.done += 1) },
    clock,
  );
  const pass = (ms) => {
    for (const end = clock.time + ms; clock.time < end; ) {
      clock.time += 50;
      clock.tick?.();
    }
  };
  return { hold, seen, pass };
}

test("a button held for a second acts once; its share grows and goes", () => {
  const { hold, seen, pass } = held();
  hold.press();
  pass(HOLD_MS - 50);
  assert.equal(seen.done, 0);
  assert.ok(seen.shares.at(-1) > 0.9);
  pass(500);
  assert.deepEqual([seen.done, seen.shares.at(-1), hold.wasLong], [1, 0, true]);
});

test("leaving the button ends the hold, and a long press that was given up is no click", () => {
  const { hold, seen, pass } = held();
  hold.press();
  pass(600);
  hold.cancel();
  pass(2000);
  assert.deepEqual([seen.done, seen.shares.at(-1), hold.wasLong], [0, 0, true]);
  hold.press();
  pass(100);
  hold.cancel();
  assert.equal(hold.wasLong, false);
});
