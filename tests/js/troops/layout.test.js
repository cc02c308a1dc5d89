import assert from "node:assert/strict";
import test from "node:test";
import { breakingAt, REVEAL_MS } from "../../../static/js/troops/layout.js";

test("envelopes are closed with wax first, then open, then gone", () => {
  assert.deepEqual(breakingAt(0), { flap: 1, wax: 1, alpha: 1 });
  const opening = breakingAt(150);
  assert.equal(opening.wax, 0);
  assert.ok(opening.flap > 0 && opening.flap < 1);
  assert.deepEqual(breakingAt(REVEAL_MS.opening), { flap: 0, wax: 0, alpha: 0 });
});

test("no flap closes again and no envelope comes back", () => {
  const times = Array.from({ length: REVEAL_MS.opening + 1 }, (_, time) => breakingAt(time));
  times.slice(1).forEach((now, index) => {
    assert.ok(now.flap <= times[index].flap && now.alpha <= times[index].alpha);
  });
});
