import assert from "node:assert/strict";
import test from "node:test";

import {
  blockWidth,
  fieldRevealAt,
  isIn,
  MINI,
  marchAt,
  openedFields,
  ranks,
  revealDuration,
  stillRevealTime,
  trayPlaces,
} from "../../../static/js/troops/layout.js";
import {
  actionOf,
  asOneChange,
  changeField,
  countsOf,
  isComplete,
  openSplit,
  troopsLeft,
  undoChange,
} from "../../../static/js/troops/split-draft.js";

const PROMPT = { kind: "split", word: "troops", total: 10, fields: 3 };
const place = (...fields) =>
  fields.reduce((split, field) => changeField(split, field, 1), openSplit(PROMPT));

test("all troops are in hand at first, and none when all are placed", () => {
  assert.equal(troopsLeft(openSplit(PROMPT)), 10);
  const full = place(0, 0, 0, 0, 0, 1, 1, 2, 2, 2);
  assert.equal(isComplete(full), true);
  assert.equal(actionOf("troops", full), "troops 5 2 3");
});

test("no field goes below nothing, and no troop is placed twice", () => {
  const empty = openSplit(PROMPT);
  assert.equal(changeField(empty, 1, -1), empty);
  const full = place(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  assert.equal(changeField(full, 1, 1), full);
});

test("a split is a value: changing it gives another", () => {
  const before = place(2);
  changeField(before, 2, 1);
  assert.deepEqual(before.counts, [0, 0, 1]);
  assert.throws(() => before.counts.push(1), TypeError);
});

test("changes are taken back one by one, down to the first", () => {
  let split = place(0, 1, 1);
  const seen = [];
  for (let step = 0; step < 4; step += 1) {
    split = undoChange(split);
    seen.push(split.counts.join(" "));
  }
  assert.deepEqual(seen, ["1 1 0", "1 0 0", "0 0 0", "0 0 0"]);
});

test("a block carried from one field to another is one change, and back to its own is none", () => {
  const origin = place(0, 0, 1);
  const lifted = changeField(origin, 0, -1);
  const carried = asOneChange(origin, changeField(lifted, 2, 1));
  assert.deepEqual(carried.counts, [1, 1, 1]);
  assert.equal(undoChange(carried), origin);
  assert.equal(asOneChange(origin, changeField(lifted, 0, 1)), origin);
});

test("an action's counts are read back", () => {
  assert.deepEqual(countsOf("troops 10 0 0"), [10, 0, 0]);
});

test("blocks stand four to a rank, inside their plot", () => {
  for (const width of [72, 109, 221, 300]) {
    const boxes = ranks(width, 10, 0);
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 3);
    for (const box of boxes) {
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${box.x} in ${width}`);
    }
  }
});

test("ranks that don't fit overlap instead of leaving the plot", () => {
  const [room, height] = [40, (blockWidth(109) * 2) / 3];
  const lowest = Math.max(...ranks(109, 10, 0, 1, room).map(({ y }) => y));
  assert.ok(lowest + height <= room);
});

test("on a small board two large blocks stand in a rank, inside their plot and its half", () => {
  for (const [width, room] of [
    [29, 46],
    [58, 90],
    [60, 91],
  ]) {
    const boxes = ranks(width, 10, 0, 1, room, MINI);
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 5);
    for (const box of boxes) {
      assert.ok(box.width > 0.38 * width);
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${box.x} in ${width}`);
      assert.ok(box.y + (box.width * 2) / 3 <= room, `${box.y} in ${room}`);
    }
  }
});

test("the far side's ranks go up from the front", () => {
  const ys = ranks(221, 5, 100, -1).map(({ y }) => y);
  assert.ok(ys.every((y) => y < 100));
  assert.ok(ys[4] < ys[0]);
});

test("a block is hit a little beyond its edge, and not farther", () => {
  const [box] = trayPlaces(400, 36, 10);
  assert.equal(isIn(box, { x: box.x - 3, y: box.y }), true);
  assert.equal(isIn(box, { x: box.x - 6, y: box.y }), false);
});

test("fields are revealed one after the other: blocks march, then the verdict, then they fall", () => {
  const at = (time, field, count) => fieldRevealAt(time, field, count);
  assert.equal(revealDuration(3), 2600);
  assert.deepEqual([at(299, 0, 5).blocks, at(449, 0, 5).blocks, at(450, 0, 5).blocks], [0, 0, 1]);
  assert.deepEqual([at(570, 0, 5).blocks, at(570, 0, 5).verdict], [5, false]);
  assert.deepEqual([at(839, 0, 10).verdict, at(840, 0, 10).verdict], [false, true]);
  assert.deepEqual([at(840, 0, 10).fall, at(1000, 0, 10).fall], [0, 1]);
  assert.deepEqual([at(999, 1, 5).blocks, at(1000 + 150, 1, 5).blocks], [0, 1]);
  const { blocks, verdict, fall } = at(Infinity, 2, 10);
  assert.deepEqual([blocks, verdict, fall], [10, true, 1]);
  assert.deepEqual(
    [marchAt(0, 0), marchAt(75, 0), marchAt(150, 0), marchAt(75, 3)],
    [0, 0.5, 1, 0],
  );
});

test("without motion the facts come in the same order, a whole field at a time", () => {
  const seen = [];
  for (let time = 0; time < revealDuration(3); time += 10) {
    const now = [0, 1, 2].map((field) => fieldRevealAt(stillRevealTime(time), field, 6));
    const text = now.map(({ blocks, verdict, fall }) => `${blocks}${verdict}${fall}`).join(" ");
    if (seen.at(-1) !== text) seen.push(text);
  }
  const [shut, open] = ["0false0", "6true1"];
  const states = [0, 1, 2, 3].map((n) =>
    [...Array(n).fill(open), ...Array(3 - n).fill(shut)].join(" "),
  );
  assert.deepEqual(
    seen.map((text) => text.replace(/true0\.99\d*/g, "true1")),
    states,
  );
  assert.deepEqual(
    [0, 839, 840, 1540, 2240].map((time) => openedFields(time, 3)),
    [0, 0, 1, 2, 3],
  );
});
