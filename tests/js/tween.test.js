import assert from "node:assert/strict";
import test from "node:test";

import { motionOf } from "../../static/js/board/motion.js";
import { choose, openHand } from "../../static/js/board/path.js";
import { EASE, LENGTHS, bezier, momentOf, share, timelineOf } from "../../static/js/board/tween.js";

const slide = (start, end) => ({ kind: "slide", role: "white", start, end });
const place = (start, at) => ({ kind: "place", role: "white", start, at });
const remove = (...squares) => ({ kind: "remove", role: "black", squares, jaws: ["wall", "c4"], axis: "row" });
const turn = (...effects) => ({ effects });

test("a slide takes 140 ms and 18 for each square, at most 280", () => {
  assert.equal(LENGTHS.slide(1), 158);
  assert.equal(LENGTHS.slide(9), 280);
});

test("an arrow takes 90 ms and 22 for each square, at most 260", () => {
  assert.equal(LENGTHS.flight(1), 112);
  assert.equal(LENGTHS.flight(9), 260);
});

test("move, then shot, one after the other without a pause", () => {
  const { parts } = timelineOf([turn(slide("d1", "d7")), turn(place("d7", "g7"))]);
  assert.equal(parts[1].from, parts[0].until);
});

test("all removals of a turn are at one moment; the next move waits for them", () => {
  const turns = [turn(slide("c5", "c4"), remove("a4"), remove("c3")), turn(slide("a1", "a2"))];
  const { parts } = timelineOf(turns);
  assert.equal(parts[1].from, parts[2].from);
  assert.equal(parts[2].until - parts[2].from, 220);
  assert.equal(parts[3].from, parts[2].until);
});

test("a go that the hand has shown already has no slides", () => {
  const timeline = timelineOf([turn(slide("d1", "d7"), place("d7", "g7"))], { slides: false });
  const [moved] = momentOf(timeline, 0);
  assert.equal(moved.ended, true);
  assert.equal(timeline.parts[1].from, 0);
});

test("effects without motion take no time", () => {
  assert.deepEqual(timelineOf([turn({ kind: "count", field: 0 })]), { parts: [], length: 0 });
});

test("an arrow lands, the char grows, seams run out, the edge settles, the last ember cools", () => {
  const timeline = timelineOf([turn(place("d7", "g7"))]);
  const at = (time) => momentOf(timeline, time)[0];
  const landed = LENGTHS.flight(3);
  assert.equal(at(landed - 1).landed, false);
  assert.equal(at(landed).landed, true);
  assert.equal(at(landed + 160).grow, 1);
  assert.equal(at(landed + 160).seams, 0);
  assert.equal(at(landed + 420).edge, 1);
  assert.ok(at(landed + 420).cool < 1);
  assert.equal(timeline.length, landed + 900);
  assert.equal(at(timeline.length).cool, 1);
});

test("wedges close, hold, and the victims fade", () => {
  const timeline = timelineOf([turn(remove("a4"))]);
  const at = (time) => momentOf(timeline, time)[0];
  assert.equal(at(100).close, 1);
  assert.equal(at(139).fade, 0);
  assert.equal(at(220).fade, 1);
});

test("easings start at 0 and end at 1", () => {
  for (const ease of Object.values(EASE)) assert.deepEqual([ease(0), ease(1)], [0, 1]);
});

test("a bezier agrees with known points of the CSS curve", () => {
  const ease = bezier(0.25, 0.1, 0.25, 1);
  assert.ok(Math.abs(ease(0.5) - 0.8024) < 0.001);
  const straight = bezier(1 / 3, 1 / 3, 2 / 3, 2 / 3);
  assert.ok(Math.abs(straight(0.3) - 0.3) < 1e-4);
});

test("a share of no time is all of it", () => {
  assert.equal(share(10, 10, 10), 1);
  assert.equal(share(9, 10, 10), 0);
});

test("a chosen piece is raised, and laid down again when it is let go", () => {
  const prompt = {
    steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
    actions: [], tree: { d1: { d7: "g7" }, a4: { b4: "a4" } },
  };
  const hand = (...squares) => squares.reduce(choose, openHand(prompt));
  const kinds = (before, after) => motionOf(before, after)?.parts.map(({ effect }) => effect) ?? null;
  assert.deepEqual(kinds(hand(), hand("d1")), [{ kind: "raise", at: "d1" }]);
  assert.deepEqual(kinds(hand("d1"), hand("a4")), [{ kind: "raise", at: "a4" }]);
  assert.deepEqual(kinds(hand("d1"), hand()), [{ kind: "lower", at: "d1" }]);
  assert.deepEqual(kinds(hand("d1"), hand("d1", "d7")), [{ kind: "slide", start: "d1", end: "d7" }]);
  assert.equal(kinds(hand("d1", "d7"), hand("d1", "d7", "g7")), null);
  const { parts, length } = motionOf(hand("d1"), hand());
  assert.equal(length, 90);
  assert.equal(momentOf({ parts }, 0)[0].lift, 1);
  assert.equal(momentOf({ parts }, 90)[0].lift, 0);
});
