import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { answerOf, loadEngines } from "./modules.js";

const golden = JSON.parse(readFileSync(new URL("golden.json", import.meta.url), "utf8"));
const KEYS = ["amazons", "amazons-10x10", "amazons-8x8", "pincer"];

for (const key of KEYS) {
  test(`the module finds the lines of the computer player, to the bit: ${key}`, async () => {
    const engine = (await loadEngines())(key);
    const cases = golden.filter((each) => each.key === key);
    assert.equal(cases.length, 50);
    for (const each of cases) assert.deepEqual(answerOf(engine, each), each.lines, each.position);
  });
}
