import assert from "node:assert/strict";
import test from "node:test";

import { MAX_NODES } from "../../../static/js/engine/amazons.js";
import { loadEngines } from "./modules.js";

const MEGABYTE = 1e6;
const START = {
  "amazons-10x10":
    "...B..B.../........../........../B........B/........../........../W........W/........../........../...W..W... white - 0",
  pincer: "W.....B/......./W.....B/......./B.....W/......./B.....W white - 0 0",
};

test("the largest tree fits the memory of a worker", async () => {
  const engine = (await loadEngines())("amazons-10x10");
  const search = engine.search("amazons-10x10", START["amazons-10x10"], MAX_NODES, 1);
  search.grow(50);
  assert.equal(search.nodes, 50);
  assert.ok(engine.memory.memory.buffer.byteLength <= 64 * MEGABYTE);
});

test("a search after a larger one, or a smaller one, finds the same", async () => {
  const engine = (await loadEngines())("amazons-10x10");
  const linesOf = (nodes) => {
    const search = engine.search("amazons-10x10", START["amazons-10x10"], nodes, 7);
    search.grow(60);
    return search.lines(2);
  };
  const first = linesOf(60);
  assert.deepEqual([linesOf(20_000), linesOf(60)], [first, first]);
});

test("Pincer keeps nothing of the search before", async () => {
  const engine = (await loadEngines())("pincer");
  const found = [1, 2].map(() => {
    const search = engine.search("pincer", START.pincer, 5000, 1);
    while (!search.isDone) search.grow(1000);
    return [search.nodes, search.lines(3)];
  });
  assert.deepEqual(found[0], found[1]);
  assert.ok(engine.memory.memory.buffer.byteLength <= 64 * MEGABYTE);
});

test("nodes are a whole number within the bounds", async () => {
  const engineOf = await loadEngines();
  for (const [key, position] of Object.entries(START))
    for (const nodes of [0, -1, 1.5, 2e9, Number.NaN])
      assert.throws(() => engineOf(key).search(key, position, nodes, 1), RangeError);
});
