import assert from "node:assert/strict";
import test from "node:test";
import { rowsOf } from "../../../static/js/replay/move-list.js";
import { GameRecord } from "../../../static/js/replay/record.js";

const stepsOf = (...texts) =>
  new GameRecord(
    texts.map(([turn, role, text], n) => ({ n, turn, role, text: { [role]: text }, effects: [] })),
  ).turns();

test("the two steps of a turn are one entry, the newest is framed, the hand is open", () => {
  const turns = stepsOf(
    [0, "white", "d1-d7"],
    [0, "white", "/g7"],
    [1, "black", "d10-d8"],
    [1, "black", "/d2"],
  );
  assert.deepEqual(rowsOf("amazons-10x10", turns, { role: "white", text: "e5-", joins: false }), [
    {
      number: 1,
      cells: [
        { text: "d1-d7/g7", turn: 1, last: false },
        { text: "d10-d8/d2", turn: 2, last: true },
      ],
    },
    { number: 2, cells: [{ text: "e5-", open: true }] },
  ]);
});

test("the turn that is looked back at is framed", () => {
  const turns = stepsOf(
    [0, "white", "d1-d7"],
    [0, "white", "/g7"],
    [1, "black", "d10-d8"],
    [1, "black", "/d2"],
  );
  assert.deepEqual(
    rowsOf("amazons-10x10", turns, null, 1)[0].cells.map(({ last }) => last),
    [true, false],
  );
  assert.deepEqual(
    rowsOf("amazons-10x10", turns, null, 0)[0].cells.map(({ last }) => last),
    [false, false],
  );
});

test("a shot that goes on with a move of the record joins its entry", () => {
  const turns = stepsOf([0, "white", "d1-d7"]);
  assert.deepEqual(rowsOf("amazons-8x8", turns, { role: "white", text: "/g7", joins: true }), [
    { number: 1, cells: [{ text: "d1-d7/g7", open: true }] },
  ]);
});

test("Pincer has a row for each turn, numbered in pairs", () => {
  const turns = stepsOf(
    [0, "white", "a5-b5"],
    [0, "white", "g3-g2"],
    [1, "black", "a1-b1"],
    [1, "black", "g7-f7"],
  );
  const rows = rowsOf("pincer", turns, { role: "white", text: "f2-f3 c5-", joins: false });
  assert.deepEqual(
    rows.map(({ number, role }) => [number, role]),
    [
      [1, "white"],
      ["", "black"],
      [2, "white"],
    ],
  );
  assert.deepEqual(
    rows[1].cells.map(({ last }) => last),
    [false, true],
  );
  assert.deepEqual(
    rows[2].cells.map(({ text }) => text),
    ["f2-f3", "c5-"],
  );
});

test("a conditional move is marked at its last cell", () => {
  const turns = stepsOf([0, "white", "a5-b5"], [0, "white", "a7-a6"]);
  for (const step of turns[0].steps) step.ahead = true;
  assert.deepEqual(rowsOf("pincer", turns)[0].cells, [
    { text: "a5-b5", turn: 1, last: false },
    { text: "a7-a6", turn: 1, last: true, ahead: true },
  ]);
});
