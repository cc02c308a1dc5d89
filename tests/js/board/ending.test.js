import assert from "node:assert/strict";
import test from "node:test";

import { endingOf, motionOf, ownedItems, trappedItems } from "../../../static/js/board/ending.js";
import { momentOf } from "../../../static/js/board/tween.js";
import { marksOf } from "../../../static/js/drawing/geometry.js";

const VIEW = { board: "Bx./xx./..W", width: 3, height: 3, turns: 4, to_move: "black" };
const snapshot = (more) => ({
  status: "over",
  view: VIEW,
  outcome: { reason: "no_moves", winner: "white" },
  ...more,
});
const OCCUPANCY = { marks: marksOf(VIEW.board) };
const items = (look) => trappedItems({ moment: [], ...look }, OCCUPANCY);
const STEPS = [{ effects: [{ kind: "place", role: "white", start: "c1", at: "b2" }] }];

test("who lost because nothing can move is the role to move of the server's view", () => {
  assert.deepEqual(endingOf(snapshot(), null), { over: true, trapped: "black", owned: [] });
  assert.deepEqual(endingOf(snapshot(), {}), { over: false, trapped: null, owned: [] });
  assert.equal(endingOf(snapshot({ status: "live" }), null).trapped, null);
  for (const reason of ["resigned", "time", "fifty_moves"]) {
    assert.equal(endingOf(snapshot({ outcome: { reason } }), null).trapped, null);
  }
});

test("a game that was counted shows the squares of both sides, in their colours", () => {
  const regions = [
    { role: "white", squares: "a1 b1" },
    { role: null, squares: "c1" },
    { role: "black", squares: "a3" },
  ];
  const counted = snapshot({ outcome: { reason: "counted" }, count: { regions } });
  const shown = ownedItems(endingOf(counted, null));
  assert.deepEqual(
    shown.map(({ square, role }) => [square, role]),
    [
      ["a1", "white"],
      ["b1", "white"],
      ["a3", "black"],
    ],
  );
  assert.deepEqual(ownedItems(endingOf(counted, {})), []);
  const resigned = snapshot({ outcome: { reason: "resigned" }, count: { regions } });
  assert.deepEqual(ownedItems(endingOf(resigned, null)), []);
});

test("each amazon that cannot move has a cross and a bar at its eight sides", () => {
  const trapped = items({ trapped: "black" });
  assert.deepEqual(new Set(trapped.map(({ square }) => square)), new Set(["a3"]));
  assert.equal(trapped.filter(({ kind }) => kind === "blocked").length, 8);
  assert.equal(trapped.filter(({ kind }) => kind === "trapped").length, 1);
  assert.deepEqual(items({ trapped: null }), []);
});

test("the end is a motion after the last arrow, which flashes once and stays", () => {
  const motion = motionOf(STEPS, snapshot(), { slides: true });
  const without = motionOf(STEPS, snapshot({ status: "live" }), { slides: true });
  assert.ok(motion.length > without.length);
  const trap = motion.parts.at(-1);
  assert.equal(trap.from, without.parts.at(-1).until);
  const at = (time) => momentOf(motion, time).at(-1);
  assert.equal(at(trap.from).bow, 0);
  assert.equal(at(trap.from + 300).bow, 1);
  assert.ok(at(trap.from + 540).flash > 0.99);
  assert.ok(at(trap.until).flash < 0.01);
  assert.deepEqual(
    items({ trapped: "black", moment: momentOf(motion, 0) }).map(({ alpha }) => alpha),
    Array(9).fill(0),
  );
});

test("without motion the marks are there at once", () => {
  assert.equal(motionOf(null, snapshot(), { slides: true }), null);
  assert.ok(items({ trapped: "black" }).every(({ alpha }) => alpha === 1));
});
