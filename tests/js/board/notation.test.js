import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { readNotation } from "../../../static/js/board/notation.js";
import {
  actionsOf,
  choose,
  draftText,
  isComplete,
  openDraft,
  targetsOf,
} from "../../../static/js/board/path-draft.js";
import { normalise } from "../../../static/js/lib/typed-text.js";
import { readOrders } from "../../../static/js/troops/split-draft.js";
import { dice, promptOf } from "../trees.js";

const STEPS = [{ word: "from" }, { word: "to" }, { word: "arrow" }];
const TREE = { d1: { d7: "g7 d1", d2: "d1" }, a4: { b4: "a4" }, e5: { e3: "e9" } };
const SPLIT = {
  steps: STEPS,
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree: TREE,
};
const FREE = {
  ...SPLIT,
  steps: [STEPS[0], STEPS[1], { word: "arrow", keep: 0 }],
  actions: [["play", 0, 1, 2]],
};
const FIRE = { steps: [{ word: "arrow" }], actions: [["fire", 0]], tree: "g7 d1" };
const PINCER = {
  steps: ["from", "to", "from2", "to2"].map((word) => ({ word })),
  actions: [
    ["move", 0, 1],
    ["move", 2, 3],
  ],
  tree: { a4: { a5: { c1: "c2", g3: "f3" }, b4: {} }, g3: { f3: { a4: "a5" } } },
};

const knows = (square) => /^[a-h][1-8]$/.test(square) || square === "e9";
const along = (prompt, ...squares) => squares.reduce(choose, openDraft(prompt));
const type = (text, prompt = SPLIT, { draft = openDraft(prompt), made = [] } = {}) =>
  readNotation(text, { draft, made, knows });

test("a whole turn is read, however it is written", () => {
  const ways = [
    "d1-d7/g7",
    "D1-D7/G7",
    " d1 d7 g7 ",
    "d1d7g7",
    "d1 - d7 / g7",
    "d1–d7, g7",
    "d1 to d7 → g7",
    "d1-d7(g7)",
    "(d1-d7/g7)",
    "d1:d7*g7",
    "1. d1-d7/g7!",
    "d1−d7 @ g7",
    "ｄ１－ｄ７／ｇ７",
  ];
  for (const text of ways) {
    const { draft, say } = type(text);
    assert.deepEqual([actionsOf(draft), say], [["move 4 1 4 7", "fire 7 7"], null], text);
  }
});

test("a part of a turn is composed, and what it lacks is said", () => {
  const said = (text, prompt) => {
    const { draft, say } = type(text, prompt);
    return [draft.path, say];
  };
  assert.deepEqual(said("d1-d7/"), [["d1", "d7"], "Add where the arrow lands: d1-d7/…"]);
  assert.deepEqual(said("d1-d7"), [["d1", "d7"], "Add where the arrow lands: d1-d7/…"]);
  assert.deepEqual(said("d1"), [["d1"], "Add where it moves to: d1-…"]);
  assert.deepEqual(said("a4-a5", PINCER), [["a4", "a5"], "Add the second step: a4-a5 …"]);
});

test("errors say what is wrong", () => {
  const say = (text, prompt) => {
    const { draft, say: said } = type(text, prompt);
    assert.equal(draft, null, text);
    return said;
  };
  assert.equal(say("d1-d9/g7"), "There is no square d9.");
  assert.equal(say("e5-e9"), "e5 can’t move to e9.");
  assert.equal(say("d1-d7/h8"), "d7 can’t shoot at h8.");
  assert.equal(say("h8-h7"), "You have no piece to move on h8.");
  assert.equal(say("d1-d7/g7/g8"), "d1-d7/g7 is a complete move. Remove g8.");
  assert.equal(say("a4-b4 c1-c2", PINCER), "a4-b4 is a complete move. Remove c1.");
  assert.match(say("hello"), /^Type squares, such as d1-d7\/g7\.$/);
  assert.equal(
    say("d1-d7/$7"),
    "“$7” after “d1-d7/” isn’t a square. Type squares, such as d1-d7/g7.",
  );
});

test("the free arrow: without a stroke at the end it is kept, with one it is asked for", () => {
  assert.deepEqual(actionsOf(type("d1-d7", FREE).draft), ["play 4 1 4 7 4 1"]);
  assert.deepEqual(type("d1-d7/", FREE).draft.path, ["d1", "d7"]);
  assert.deepEqual(actionsOf(type("d1-d7/g7", FREE).draft), ["play 4 1 4 7 7 7"]);
  assert.deepEqual(type("d1-", FREE).draft.path, ["d1"]);
});

test("a shot that is left is typed alone or with the move already made", () => {
  const made = ["d1", "d7"];
  for (const text of ["g7", "/g7", "d1-d7/g7"]) {
    assert.deepEqual(actionsOf(type(text, FIRE, { made }).draft), ["fire 7 7"], text);
  }
  assert.equal(type("/h8", FIRE, { made }).say, "d7 can’t shoot at h8.");
});

test("what is typed goes on from the hand, or begins anew", () => {
  const draft = along(SPLIT, "d1", "d7");
  assert.deepEqual(type("/g7", SPLIT, { draft }).draft.path, ["d1", "d7", "g7"]);
  assert.deepEqual(type("a4-b4/", SPLIT, { draft }).draft.path, ["a4", "b4"]);
});

test("every turn of a random tree, as it is spelled, is read back as the same turn", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const roll = dice(seed);
    const prompt = promptOf(roll, roll() < 0.5 ? "amazons" : "pincer");
    let draft = openDraft(prompt);
    while (targetsOf(draft).length > 0) {
      const targets = targetsOf(draft);
      draft = choose(draft, targets[Math.floor(roll() * targets.length)]);
    }
    const read = readNotation(draftText(draft), { draft: openDraft(prompt), made: [], knows });
    assert.deepEqual(read.draft.path, draft.path);
    assert.ok(isComplete(read.draft));
  }
});

test("a turn is read in any notation at hand, as on the server", () => {
  const turns = JSON.parse(readFileSync(new URL("../../games/typed_turns.json", import.meta.url)));
  for (const { typed, read } of turns) assert.equal(normalise(typed), read, typed);
});

test("orders are three numbers that make ten", () => {
  const split = { total: 10, counts: [0, 0, 0] };
  for (const text of [
    "(5/1/4)",
    "２．５　１　４",
    "5−1−4",
    "5 1 4",
    "5-1-4",
    "5,1,4",
    " troops 5 1 4 ",
    "5 / 1 / 4",
  ]) {
    assert.deepEqual(readOrders(text, split), { counts: [5, 1, 4], say: null }, text);
  }
  assert.equal(readOrders("5 1 5", split).say, "That’s 11, not 10: 1 too many.");
  assert.equal(readOrders("5 1 1", split).say, "That’s 7, not 10: 3 still to place.");
  for (const text of ["5 5", "10", "a b c", "5 1 4 0", "-", "5x1y4"]) {
    assert.match(readOrders(text, split).say, /^Type 3 numbers for Hill, Ford and Wood/, text);
  }
});
