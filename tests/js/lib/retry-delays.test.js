import assert from "node:assert/strict";
import test from "node:test";

import { backoff, quickDelay } from "../../../static/js/lib/retry-delays.js";
import { lineIn, world } from "./connection-world.js";

const STABLE_MS = 3000;

/** The waits of a connection that fails again and again, for so long. */
function waitsFor(made, seen, ms) {
  const waits = [];
  const end = made.time + ms;
  while (made.time < end) {
    const { retryAt } = seen.states.at(-1);
    waits.push(retryAt - made.time);
    made.pass(retryAt - made.time);
    made.sockets.at(-1).onclose({ code: 1006 });
  }
  return waits;
}

test("a page that was connected tries every 250 to 750 ms for ten seconds, then backs off", () => {
  for (const random of [0, 0.5, 1]) {
    const made = world();
    made.random = () => random;
    const { seen, open } = lineIn(made);
    const socket = open();
    made.pass(STABLE_MS);
    const lost = made.time;
    socket.onclose({ code: 1006 });
    const quick = waitsFor(made, seen, 9_000 - (made.time - lost));
    assert.ok(
      quick.every((wait) => wait === 250 + 500 * random),
      quick.join(),
    );
    const later = waitsFor(made, seen, 40_000);
    assert.equal(later.at(-1), random === 0 ? 500 : Math.max(...later));
    assert.ok(later.at(-1) <= 8000);
    assert.ok(later.includes(backoff(1, () => random)));
  }
});

test("a page whose connections close as soon as they are open backs off", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  open().onclose({ code: 1006 });
  assert.equal(
    seen.states.at(-1).retryAt - made.time,
    backoff(1, () => 0.5),
  );
});

test("after a flood, a restart and an overload nothing is tried quickly", () => {
  for (const code of [1008, 1012, 1013]) {
    const made = world();
    made.random = () => 0;
    const { seen, open } = lineIn(made);
    const socket = open();
    made.pass(STABLE_MS);
    socket.onclose({ code });
    assert.ok(seen.states.at(-1).retryAt - made.time >= 500);
  }
});

test("without an opened connection the waits grow until it is open", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  made.sockets[0].onclose({ code: 1006 });
  const waits = waitsFor(made, seen, 20_000);
  assert.ok(waits.every((wait, index) => index === 0 || wait >= waits[index - 1]));
  made.pass(8000);
  open().onclose({ code: 1006 });
  assert.equal(seen.states.at(-1).retryAt - made.time, waits[0]);
});

test("backoff is random between half a second and a ceiling of at most 8 s", () => {
  for (const failures of [1, 2, 5, 50]) {
    assert.equal(
      backoff(failures, () => 0),
      500,
    );
    assert.ok(backoff(failures, () => 1) <= 8000);
  }
  assert.equal(
    backoff(1, () => 1),
    1000,
  );
  assert.equal(
    backoff(50, () => 1),
    8000,
  );
  assert.deepEqual([quickDelay(() => 0), quickDelay(() => 1)], [250, 750]);
});
