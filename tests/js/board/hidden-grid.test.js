import assert from "node:assert/strict";
import test from "node:test";

import { squareAfterKey } from "../../../static/js/board/hidden-grid.js";

const board = { columns: 10, rows: 8, flipped: false };
const turned = { ...board, flipped: true };

test("arrows go one square as seen, and stop at the edge", () => {
  const from = (square, layout) =>
    ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) =>
      squareAfterKey(key, square, layout),
    );
  assert.deepEqual(from("d4", board), ["c4", "e4", "d5", "d3"]);
  assert.deepEqual(from("d4", turned), ["e4", "c4", "d3", "d5"]);
  assert.deepEqual(from("a8", board), ["a8", "b8", "a8", "a7"]);
  assert.deepEqual(from("j1", board), ["i1", "j1", "j2", "j1"]);
});

test("Home and End go along the row, with Ctrl over the whole board; pages along the column", () => {
  assert.equal(squareAfterKey("Home", "d4", board), "a4");
  assert.equal(squareAfterKey("End", "d4", board), "j4");
  assert.equal(squareAfterKey("Home", "d4", turned), "j4");
  assert.equal(squareAfterKey("Home", "d4", { ...board, whole: true }), "a8");
  assert.equal(squareAfterKey("End", "d4", { ...board, whole: true }), "j1");
  assert.equal(squareAfterKey("PageUp", "d4", board), "d8");
  assert.equal(squareAfterKey("PageDown", "d4", board), "d1");
  assert.equal(squareAfterKey("PageUp", "d4", turned), "d1");
});

test("other keys lead nowhere", () => {
  for (const key of ["Enter", " ", "Escape", "a", "Tab"])
    assert.equal(squareAfterKey(key, "d4", board), null);
});
