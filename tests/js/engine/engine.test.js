import assert from "node:assert/strict";
import test, { mock } from "node:test";

/** A page that can be hidden. */
class FakeDocument extends EventTarget {
  hidden = false;

  hide(hidden) {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }

  getElementById() {
    return null;
  }
}

globalThis.document = new FakeDocument();
const { Engine } = await import("../../../static/js/engine/engine.js");

/** A worker that writes down its orders, and reports what a test wants. */
class FakeWorker {
  orders = [];
  isEnded = false;

  postMessage(order) {
    this.orders.push(order);
  }

  terminate() {
    this.isEnded = true;
  }

  report(message) {
    this.onmessage({ data: message });
  }
}

const POSITION = "W./.B white - 4";
const LINE = { value: 0, turns: [["move 1 1 1 2"]], visits: 1, depth: 1, isProved: false };

function started() {
  document.hidden = false;
  const worker = new FakeWorker();
  return { worker, engine: new Engine("amazons", worker) };
}

const typesOf = ({ orders }) => orders.map(({ type }) => type);

test("nothing is searched while the page is hidden, and the search begins anew afterwards", async () => {
  const { worker, engine } = started();
  const found = engine.analyse(POSITION, { nodes: 100 });
  const first = worker.orders[0].id;
  document.hide(true);
  assert.deepEqual(typesOf(worker), ["analyse", "stop"]);
  worker.report({ type: "lines", id: first, lines: [], nodes: 9, isDone: true }); // was under way
  document.hide(false);
  assert.deepEqual(typesOf(worker), ["analyse", "stop", "analyse"]);
  const again = worker.orders[2];
  assert.equal(again.position, POSITION);
  worker.report({ type: "lines", id: again.id, lines: [LINE], nodes: 100, isDone: true });
  assert.deepEqual(await found, { lines: [LINE], nodes: 100, isDone: true });
  document.hide(true);
  assert.equal(worker.orders.length, 3); // there is nothing to stop
});

test("what is asked on a hidden page is searched when it is seen", () => {
  const { worker, engine } = started();
  document.hide(true);
  engine.analyse(POSITION, { nodes: 100 });
  assert.deepEqual(worker.orders, []);
  document.hide(false);
  assert.deepEqual(typesOf(worker), ["analyse"]);
  engine.close();
  document.hide(true);
  document.hide(false);
  assert.deepEqual(typesOf(worker), ["analyse", "stop"]);
});

test("a worker that the browser has ended without a word is noticed", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { worker, engine } = started();
  const found = engine.analyse(POSITION, { nodes: 100 });
  mock.timers.tick(15_000);
  const [{ id }] = worker.orders;
  worker.report({ type: "lines", id, lines: [LINE], nodes: 10, isDone: false });
  mock.timers.tick(15_000);
  assert.equal(worker.isEnded, false); // it still reports
  mock.timers.tick(15_000);
  await assert.rejects(found, { name: "EngineUnavailable" });
  assert.equal(worker.isEnded, true);
  await assert.rejects(engine.analyse(POSITION, { nodes: 100 }), { name: "EngineUnavailable" });
  mock.timers.reset();
});

test("a page that rests does not take its worker for dead", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { worker, engine } = started();
  const found = engine.analyse(POSITION, { nodes: 100 });
  document.hide(true);
  mock.timers.tick(3_600_000);
  assert.equal(worker.isEnded, false);
  document.hide(false);
  engine.stop();
  assert.equal((await found).isDone, false);
  mock.timers.tick(60_000);
  assert.equal(worker.isEnded, false);
  mock.timers.reset();
});

test("a failure of the worker is one of this browser, but for what was asked wrongly", async () => {
  for (const [name, wanted] of [
    ["Error", "EngineUnavailable"], // no memory left
    ["CompileError", "EngineUnavailable"],
    ["SyntaxError", "SyntaxError"],
    ["RangeError", "RangeError"],
  ]) {
    const { worker, engine } = started();
    const found = engine.analyse(POSITION, { nodes: 100 });
    worker.report({ type: "failed", id: worker.orders[0].id, name, message: "why" });
    await assert.rejects(found, { name: wanted });
    engine.close();
  }
  const { worker, engine } = started();
  const found = engine.analyse(POSITION, { nodes: 100 });
  worker.onerror();
  await assert.rejects(found, { name: "EngineUnavailable" });
});
