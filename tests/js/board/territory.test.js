import assert from "node:assert/strict";
import test from "node:test";

import { territoryOf } from "../../../static/js/board/territory.js";

test("a square belongs to the side that needs fewer queen moves", () => {
  const board = ["W..x....", ".xx.xxB.", "xxxxxxxx", "........"].join("/");
  const { white, black, contested, unreached } = territoryOf(board);
  assert.deepEqual(white.sort(), ["a3", "b4", "c4", "d3"]);
  assert.deepEqual(black.sort(), ["e4", "f4", "g4", "h3", "h4"]);
  assert.deepEqual(contested, []);
  assert.equal(unreached.length, 8);
});

test("a square that both reach as fast is contested", () => {
  assert.deepEqual(territoryOf("W.B"), { white: [], black: [], contested: ["b1"], unreached: [] });
});
