import assert from "node:assert/strict";
import test from "node:test";
import { waitText } from "../../../static/js/game/status-block.js";
import { lengthText } from "../../../static/js/result/result-sheet.js";

test("the sheet says how many moves and how long", () => {
  const game = { key: "pincer", turns: 17, started: 1000, ended: 181_000 };
  assert.equal(lengthText(game), "17 moves · 3 min");
  assert.equal(lengthText({ ...game, turns: 1, ended: 21_000 }), "1 move · 20 s");
  assert.equal(lengthText({ ...game, key: "blotto", turns: 5, ended: null }), "5 rounds");
});

test("a wait is told in minutes and seconds, and not at all after an hour", () => {
  assert.deepEqual([0, 14_900, 61_000, -5, 3_600_000].map(waitText), [
    "0:00",
    "0:14",
    "1:01",
    "0:00",
    "",
  ]);
});
