import assert from "node:assert/strict";
import test from "node:test";

import { captureRuns, moveMark } from "../../../static/js/board/occupancy.js";
import { marksOf } from "../../../static/js/drawing/geometry.js";

const SIZE = { columns: 4, rows: 4 };

test("a run against the wall: its jaws are the wall and the capturing piece", () => {
  const runs = captureRuns(marksOf("..../..../BBW./...."), ["a2", "b2"], SIZE);
  assert.deepEqual(runs, [{ axis: "row", squares: ["a2", "b2"], jaws: ["wall", "c2"] }]);
});

test("a column's run counts upwards, between two pieces", () => {
  const runs = captureRuns(marksOf("W.../B.../B.../W..."), ["a2", "a3"], SIZE);
  assert.deepEqual(runs, [{ axis: "column", squares: ["a2", "a3"], jaws: ["a1", "a4"] }]);
});

test("a piece taken in its row and its column is in two runs", () => {
  const runs = captureRuns(marksOf("..../..../W.../BW.."), ["a1"], SIZE);
  assert.deepEqual(
    runs.map(({ axis, jaws }) => [axis, jaws]),
    [
      ["row", ["wall", "b1"]],
      ["column", ["wall", "a2"]],
    ],
  );
});

test("squares that the server didn't name make no run", () => {
  assert.deepEqual(captureRuns(marksOf("..../..../BBW./...."), ["a2"], SIZE), []);
});

test("a run with an open end has no jaws there, so it is none", () => {
  assert.deepEqual(captureRuns(marksOf("..../..../.BW./...."), ["b2"], SIZE), []);
});

test("two walls alone hold nothing", () => {
  assert.deepEqual(captureRuns(marksOf("..../..../BBBB/...."), ["a2", "b2", "c2", "d2"], SIZE), []);
});

test("a step moves the mark and leaves the old board as it was", () => {
  const marks = marksOf("..../..../..../W...");
  const after = moveMark(marks, "a1", "a2");
  assert.deepEqual([[...after], [...marks]], [[["a2", "W"]], [["a1", "W"]]]);
});
