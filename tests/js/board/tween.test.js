import assert from "node:assert/strict";
import test from "node:test";

import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import {
  bezier,
  boardShift,
  DURATIONS_MS,
  draftMotion,
  EASE,
  momentOf,
  refusedTap,
  share,
  timelineOf,
} from "../../../static/js/board/tween.js";

const slide = (start, end) => ({ kind: "slide", role: "white", start, end });
const place = (start, at) => ({ kind: "place", role: "white", start, at });
const remove = (...squares) => ({
  kind: "remove",
  role: "black",
  squares,
  jaws: ["wall", "c4"],
  axis: "row",
});
const step = (...effects) => ({ effects });

test("a slide takes 180 to 320 ms by its length", () => {
  assert.equal(DURATIONS_MS.slide(1), 180);
  assert.equal(DURATIONS_MS.slide(9), 320);
});

test("an arrow takes 180 to 360 ms by its length", () => {
  assert.equal(DURATIONS_MS.flight(1), 180);
  assert.equal(DURATIONS_MS.flight(10), 360);
});

test("move, then shot, one after the other without a pause", () => {
  const { parts } = timelineOf([step(slide("d1", "d7")), step(place("d7", "g7"))]);
  assert.equal(parts[1].from, parts[0].until);
});

test("all removals of a step are at one moment; the next move waits for them", () => {
  const steps = [step(slide("c5", "c4"), remove("a4"), remove("c3")), step(slide("a1", "a2"))];
  const { parts } = timelineOf(steps);
  assert.equal(parts[1].from, parts[2].from);
  assert.equal(parts[2].until - parts[2].from, 420);
  assert.equal(parts[3].from, parts[2].until);
});

test("a turn that the hand has shown already has no slides", () => {
  const timeline = timelineOf([step(slide("d1", "d7"), place("d7", "g7"))], { slides: false });
  const [moved] = momentOf(timeline, 0);
  assert.equal(moved.ended, true);
  assert.equal(timeline.parts[1].from, 0);
});

test("effects without motion take no time", () => {
  assert.deepEqual(timelineOf([step({ kind: "count", field: 0 })]), { parts: [], length: 0 });
});

test("an arrow lands, the char grows, seams run out, the edge settles, the last ember cools", () => {
  const timeline = timelineOf([step(place("d7", "g7"))]);
  const at = (time) => momentOf(timeline, time)[0];
  const landed = DURATIONS_MS.flight(3);
  assert.equal(at(landed - 1).landed, false);
  assert.equal(at(landed).landed, true);
  assert.equal(at(landed + 160).grow, 1);
  assert.equal(at(landed + 160).seams, 0);
  assert.equal(at(landed + 420).edge, 1);
  assert.ok(at(landed + 420).cool < 1);
  assert.equal(timeline.length, landed + 900);
  assert.equal(at(timeline.length).cool, 1);
});

test("a capture takes 420 ms: jaws close in 160, bite in 60, and the victims fall in 200", () => {
  const timeline = timelineOf([step(remove("a4"))]);
  const at = (time) => momentOf(timeline, time)[0];
  assert.ok(at(159).close < 1);
  assert.deepEqual([at(160).close, at(160).bite], [1, 0]);
  assert.deepEqual([at(190).bite, at(190).fade], [0.5, 0]);
  assert.deepEqual([at(220).bite, at(220).fade], [1, 0]);
  assert.equal(at(420).fade, 1);
  assert.equal(timeline.length, 420);
});

test("the board shakes by two pixels while the jaws bite, and at no other time", () => {
  const timeline = timelineOf([step(remove("a4"))]);
  const shiftAt = (time) => boardShift(momentOf(timeline, time));
  assert.deepEqual([0, 159, 221, 400].map(shiftAt), [0, 0, 0, 0]);
  assert.equal(shiftAt(175), 2);
  assert.equal(shiftAt(205), -2);
});

test("a refused click shakes its square for 160 ms", () => {
  const timeline = refusedTap("d4");
  assert.equal(timeline.length, 160);
  assert.equal(momentOf(timeline, 20)[0].shift, 3);
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
    actions: [],
    tree: { d1: { d7: "g7" }, a4: { b4: "a4" } },
  };
  const draft = (...squares) => squares.reduce(choose, openDraft(prompt));
  const kinds = (before, after) =>
    draftMotion(before, after)?.parts.map(({ effect }) => effect) ?? null;
  assert.deepEqual(kinds(draft(), draft("d1")), [{ kind: "raise", at: "d1" }]);
  assert.deepEqual(kinds(draft("d1"), draft("a4")), [{ kind: "raise", at: "a4" }]);
  assert.deepEqual(kinds(draft("d1"), draft()), [{ kind: "lower", at: "d1" }]);
  assert.deepEqual(kinds(draft("d1"), draft("d1", "d7")), [
    { kind: "slide", start: "d1", end: "d7" },
  ]);
  assert.equal(kinds(draft("d1", "d7"), draft("d1", "d7", "g7")), null);
  const { parts, length } = draftMotion(draft("d1"), draft());
  assert.equal(length, 90);
  assert.equal(momentOf({ parts }, 0)[0].lift, 1);
  assert.equal(momentOf({ parts }, 90)[0].lift, 0);
});
