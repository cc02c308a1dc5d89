import assert from "node:assert/strict";
import test from "node:test";

import { sceneOf } from "../../../static/js/board/scene.js";
import { marksOf } from "../../../static/js/drawing/geometry.js";
import { goalOf } from "../../../static/js/teach/goals.js";
import { rulesSheetOf } from "../../../static/js/teach/rules-words.js";

const KEYS = ["amazons", "amazons-10x10", "amazons-8x8", "blotto", "pincer"];
const BOARDS = KEYS.filter((key) => key !== "blotto");
const pictures = (key) => {
  const { picture, steps } = rulesSheetOf(key);
  return [picture, ...steps.map((step) => step.picture)];
};

test("each game has its goal in a sentence, a turn in two pictures, and its end", () => {
  for (const key of KEYS) {
    const { goal, turn, steps, ends } = rulesSheetOf(key);
    assert.equal(goal, goalOf(key));
    assert.ok(turn && ends.length > 0);
    assert.equal(steps.length, 2);
    for (const say of [goal, ...steps.map((step) => step.say), ...ends]) {
      assert.match(say, /^[A-Z].*[.]$/);
      assert.ok(say.length <= 100, say);
    }
  }
});

test("a picture is a board of five rows and five columns", () => {
  for (const key of BOARDS) {
    for (const { view } of pictures(key)) {
      const rows = view.board.split("/");
      assert.deepEqual([rows.length, ...rows.map((row) => row.length)], [5, 5, 5, 5, 5, 5]);
    }
  }
});

const STILL = { last: [], burns: [], draft: null, sent: null, moment: [], refused: [], dots: null };
const sceneOfPicture = (key, { view, last = [], look = {} }) =>
  sceneOf({ ...STILL, key, view, last, active: false, hover: null, drag: null, ...look });

test("the goal of Amazons is an amazon whose eight sides are blocked", () => {
  const [goal] = pictures("amazons-10x10");
  const marks = marksOf(goal.view.board);
  for (const square of ["a4", "b4", "b5"]) assert.equal(marks.get(square), "x");
  const kinds = sceneOfPicture("amazons-10x10", goal).map(({ kind }) => kind);
  assert.ok(kinds.includes("trapped"));
});

test("a move of Amazons shows all squares that a queen reaches, and a shot its arrow", () => {
  const [, move, shot] = pictures("amazons-8x8");
  const dots = sceneOfPicture("amazons-8x8", move).filter(({ kind }) => kind === "dot");
  assert.equal(dots.length, 9);
  const marks = marksOf(move.view.board);
  for (const { square } of dots) assert.equal(marks.get(square), undefined);
  assert.ok(sceneOfPicture("amazons-8x8", shot).some(({ kind }) => kind === "flight"));
});

test("captures of Pincer show what is taken, between its jaws", () => {
  const [goal, , second] = pictures("pincer");
  const victims = (picture) =>
    sceneOfPicture("pincer", picture)
      .filter(({ kind }) => kind === "victim")
      .map(({ square }) => square);
  assert.deepEqual(victims(goal), ["b3", "c3"]);
  assert.deepEqual(victims(second), ["e1"]);
  const wedges = sceneOfPicture("pincer", second).filter(({ kind }) => kind === "wedge");
  assert.deepEqual(wedges.map(({ jaw }) => jaw).sort(), ["d1", "wall"]);
});
