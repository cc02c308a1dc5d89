import assert from "node:assert/strict";
import test from "node:test";

import { actionOf, change, countsOf, inHand, isPlaced, openSplit, since, takeBack } from "../../static/js/troops/split.js";
import { MINI, blockWidth, isIn, ranks, trayPlaces } from "../../static/js/troops/places.js";
import { fieldAt, revealLength } from "../../static/js/troops/reveal.js";

const PROMPT = { kind: "split", word: "troops", total: 10, fields: 3 };
const place = (...fields) => fields.reduce((split, field) => change(split, field, 1), openSplit(PROMPT));

test("all troops are in hand at first, and none when all are placed", () => {
  assert.equal(inHand(openSplit(PROMPT)), 10);
  const full = place(0, 0, 0, 0, 0, 1, 1, 2, 2, 2);
  assert.equal(isPlaced(full), true);
  assert.equal(actionOf("troops", full), "troops 5 2 3");
});

test("no field goes below nothing, and no troop is placed twice", () => {
  const empty = openSplit(PROMPT);
  assert.equal(change(empty, 1, -1), empty);
  const full = place(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  assert.equal(change(full, 1, 1), full);
});

test("a split is a value: changing it gives another", () => {
  const before = place(2);
  change(before, 2, 1);
  assert.deepEqual(before.counts, [0, 0, 1]);
  assert.throws(() => before.counts.push(1), TypeError);
});

test("changes are taken back one by one, down to the first", () => {
  let split = place(0, 1, 1);
  const seen = [];
  for (let step = 0; step < 4; step += 1) {
    split = takeBack(split);
    seen.push(split.counts.join(" "));
  }
  assert.deepEqual(seen, ["1 1 0", "1 0 0", "0 0 0", "0 0 0"]);
});

test("a block carried from one field to another is one change, and back to its own is none", () => {
  const origin = place(0, 0, 1);
  const lifted = change(origin, 0, -1);
  const carried = since(origin, change(lifted, 2, 1));
  assert.deepEqual(carried.counts, [1, 1, 1]);
  assert.equal(takeBack(carried), origin);
  assert.equal(since(origin, change(lifted, 0, 1)), origin);
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
  for (const [width, room] of [[29, 46], [58, 90], [60, 91]]) {
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

test("fields are revealed one after the other, blocks one after the other, then the verdict", () => {
  assert.deepEqual(fieldAt(239, 1, 5), { blocks: 0, verdict: false });
  assert.deepEqual(fieldAt(240, 1, 5), { blocks: 1, verdict: false });
  assert.deepEqual(fieldAt(300, 1, 5), { blocks: 3, verdict: false });
  assert.deepEqual(fieldAt(400, 1, 5), { blocks: 5, verdict: true });
  assert.deepEqual(fieldAt(Infinity, 2, 10), { blocks: 10, verdict: true });
  assert.equal(revealLength(3), 900);
});
