import assert from "node:assert/strict";
import test, { mock } from "node:test";

globalThis.document = {
  hidden: false,
  getElementById: () => null,
  addEventListener() {},
  removeEventListener() {},
};

const { replayGame } = await import("../../../static/js/front/featured-replay.js");

const step = (n, turn) => ({ n, turn, role: "white", text: {}, effects: [], view: `view ${n}` });

const game = { url: "/g/abc/", result: "Ana won" };

/** Lets everything that is ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function replay(answer) {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(globalThis, "fetch", async (url) => {
    asked.push(url);
    return answer;
  });
  const asked = [];
  const told = [];
  const controller = new AbortController();
  const done = replayGame(game, {
    signal: controller.signal,
    onTurn: ({ view }, steps, progress) => told.push([view, steps.map(({ n }) => n), progress]),
  });
  return {
    asked,
    told,
    async pass(ms) {
      mock.timers.tick(ms);
      await settle();
    },
    async stop() {
      controller.abort();
      await done;
      mock.timers.reset();
      mock.restoreAll();
    },
  };
}

test("a finished game is replayed turn by turn, and again from its start", async () => {
  const steps = [step(0, 0), step(1, 0), step(2, 1)];
  const seen = await replay({ ok: true, json: async () => ({ steps, start: "start" }) });
  await seen.pass(2000);
  assert.deepEqual(seen.asked, ["/g/abc/steps?from=0"]);
  assert.deepEqual(seen.told, [["start", [], "move 0"]]);
  await seen.pass(2000);
  await seen.pass(2000);
  assert.deepEqual(seen.told.slice(1), [
    ["view 1", [0, 1], "move 1"],
    ["view 2", [2], "Ana won"],
  ]);
  await seen.pass(7900);
  assert.equal(seen.told.length, 3);
  await seen.pass(100);
  assert.deepEqual(seen.told.at(-1), ["start", [], "move 0"]);
  await seen.stop();
  assert.equal(seen.told.length, 4);
});

test("where the steps cannot be had, the last position stays", async () => {
  const seen = await replay({ ok: false });
  await seen.pass(2000);
  await seen.pass(20000);
  assert.deepEqual(seen.told, []);
  await seen.stop();
});
