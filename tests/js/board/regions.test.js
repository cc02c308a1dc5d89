import assert from "node:assert/strict";
import test from "node:test";

import { drawnRegion } from "../../../static/js/board/regions.js";
import { countsMoves, regionText, standingText } from "../../../static/js/result/territory-text.js";

const NAMES = { white: "Ada", black: "Bob" };

test("a region takes in the amazons in it, and those behind them", () => {
  const board = "..xW/WWx./xxxx/B...";
  const { inside, middle } = drawnRegion({ role: "white", squares: "a4 b4", sure: 2 }, board);
  assert.deepEqual([...inside].sort(), ["a3", "a4", "b3", "b4"]);
  assert.ok(["a4", "b4"].includes(middle));
  const other = drawnRegion({ role: "white", squares: "d3", sure: 0 }, board);
  assert.deepEqual([...other.inside].sort(), ["d3", "d4"]);
});

const STANDING = {
  regions: [],
  sure: { white: 3, black: 0 },
  most: { white: 9, black: 6 },
  decided: null,
};

test("what is certain is said of both sides, as moves or as squares", () => {
  assert.ok(countsMoves("amazons-10x10") && !countsMoves("amazons"));
  assert.equal(
    standingText(STANDING, NAMES, true),
    "Ada: 3 sure moves, 9 at most. Bob: 0 sure moves, 6 at most.",
  );
  const decided = { winner: "white", own: [], open: [], line: [], least: 3, most: 2 };
  assert.equal(
    standingText({ ...STANDING, decided }, NAMES, false),
    "Ada: 3 sure squares, 9 at most. Bob: 0 sure squares, 6 at most. Decided: Ada wins.",
  );
});

test("a small region is named by its squares, a large one by its middle", () => {
  const small = { role: "black", squares: "a7 a8", sure: 2 };
  assert.equal(regionText(small, NAMES, true), "Bob: 2 sure moves in 2 squares, a7 a8");
  assert.equal(regionText(small, NAMES, false), "Bob: 2 squares, a7 a8");
  const shared = { role: null, squares: "a1 b1 c1 d1 e1", sure: 0 };
  assert.equal(regionText(shared, NAMES, true), "5 open squares, around c1");
});
