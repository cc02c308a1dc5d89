import assert from "node:assert/strict";
import test from "node:test";

import {
  actionsOf,
  arrowOf,
  bowOf,
  carry,
  choose,
  draftText,
  heldPiece,
  isComplete,
  keepOf,
  movesOf,
  openDraft,
  rewind,
  stepBack,
  stepOf,
  takenAt,
  tap,
  tappableSquares,
  targetsOf,
} from "../../../static/js/board/path-draft.js";

const STEPS = [{ word: "from" }, { word: "to" }, { word: "arrow" }];
const TREE = { d1: { d7: "g7 d1", d2: "d1" }, a4: { b4: "a4" } };
const SPLIT = {
  kind: "path",
  steps: STEPS,
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree: TREE,
};
const PLAY = {
  kind: "path",
  steps: [
    { word: "from", keep: null },
    { word: "to", keep: null },
    { word: "arrow", keep: 0 },
  ],
  actions: [["play", 0, 1, 2]],
  tree: TREE,
};
const FIRE = {
  kind: "path",
  steps: [{ word: "arrow" }],
  actions: [["fire", 0]],
  tree: "g7 d1 j10",
};
const PINCER = {
  kind: "path",
  steps: [{ word: "from" }, { word: "to" }, { word: "from2" }, { word: "to2" }],
  actions: [
    ["move", 0, 1],
    ["move", 2, 3],
  ],
  tree: {
    a5: { b5: { g3: "f3 g2", c1: { c2: { x: "a4 b4" }, d1: {} } }, a4: { x: "a4" } },
    g3: { f3: { a5: "b5" } },
  },
};

const along = (prompt, ...squares) => squares.reduce(choose, openDraft(prompt));

test("targets come from the tree, step by step, and from nowhere else", () => {
  assert.deepEqual(targetsOf(openDraft(SPLIT)), ["d1", "a4"]);
  assert.deepEqual(targetsOf(along(SPLIT, "d1")), ["d7", "d2"]);
  assert.deepEqual(targetsOf(along(SPLIT, "d1", "d7")), ["g7", "d1"]);
  assert.throws(() => choose(openDraft(SPLIT), "d7"), RangeError);
});

test("a turn is complete when its node has no squares", () => {
  assert.equal(isComplete(openDraft(SPLIT)), false);
  assert.equal(isComplete(along(SPLIT, "d1", "d7")), false);
  assert.equal(isComplete(along(SPLIT, "d1", "d7", "g7")), true);
  assert.equal(stepOf(along(SPLIT, "d1", "d7", "g7")), null);
});

test("an empty prompt is not a complete turn", () => {
  assert.equal(isComplete(openDraft({ ...FIRE, tree: "" })), false);
});

test("move and shot become two actions with numbers", () => {
  assert.deepEqual(actionsOf(along(SPLIT, "d1", "d7", "g7")), ["move 4 1 4 7", "fire 7 7"]);
});

test("a shot alone is one action, on files and ranks of two digits", () => {
  assert.deepEqual(actionsOf(along(FIRE, "j10")), ["fire 10 10"]);
});

test("the free arrow: choosing the origin again keeps it", () => {
  const kept = along(PLAY, "d1", "d7", "d1");
  assert.equal(keepOf(along(PLAY, "d1", "d7")), "d1");
  assert.deepEqual(actionsOf(kept), ["play 4 1 4 7 4 1"]);
  assert.equal(arrowOf(kept), null);
  assert.equal(draftText(kept), "d1-d7");
  assert.equal(arrowOf(along(PLAY, "d1", "d7", "g7")), "g7");
});

test("where the arrow is not optional, the origin is burnt like any square", () => {
  const draft = along(SPLIT, "d1", "d7");
  assert.equal(keepOf(draft), null);
  assert.equal(arrowOf(choose(draft, "d1")), "d1");
});

test("an unfinished turn is spelled open", () => {
  assert.equal(draftText(openDraft(SPLIT)), "");
  assert.equal(draftText(along(SPLIT, "d1")), "d1-");
  assert.equal(draftText(along(SPLIT, "d1", "d7")), "d1-d7/");
  assert.equal(draftText(along(SPLIT, "d1", "d7", "g7")), "d1-d7/g7");
  assert.equal(draftText(along(PINCER, "a5", "b5", "c1")), "a5-b5 c1-");
});

test("a tap on the chosen piece lets it go; on another piece changes to it", () => {
  const draft = along(SPLIT, "d1");
  assert.deepEqual(tap(draft, "d1").path, []);
  assert.deepEqual(tap(draft, "a4").path, ["a4"]);
});

test("while shooting, a tap on the moved piece takes the move back", () => {
  const draft = along(SPLIT, "d1", "d7");
  assert.deepEqual(tap(draft, "d7").path, ["d1"]);
  assert.deepEqual(tap(draft, "a4").path, ["a4"]);
});

test("a tap on a target wins over stepping back", () => {
  assert.deepEqual(tap(along(SPLIT, "d1", "d7"), "d1").path, ["d1", "d7", "d1"]);
});

test("a tap that means nothing leaves the very same hand", () => {
  const draft = along(SPLIT, "d1");
  assert.equal(tap(draft, "j9"), draft);
});

test("both steps of Pincer are composed; the stepped piece takes its step back", () => {
  const draft = along(PINCER, "a5", "b5", "c1");
  assert.deepEqual(tap(draft, "b5").path, ["a5"]);
  assert.deepEqual(tap(draft, "g3").path, ["a5", "b5", "g3"]);
  assert.deepEqual(actionsOf(choose(draft, "d1")), ["move 1 5 2 5", "move 3 1 4 1"]);
});

test("a step that ends the turn leaves out the second action", () => {
  const draft = along(PINCER, "a5", "a4");
  assert.equal(isComplete(draft), true);
  assert.deepEqual(actionsOf(draft), ["move 1 5 1 4"]);
});

test("captures are those of the node that was chosen", () => {
  const draft = along(PINCER, "a5", "b5", "c1", "c2");
  assert.deepEqual(takenAt(draft, 3), ["a4", "b4"]);
  assert.deepEqual(takenAt(draft, 1), []);
  assert.deepEqual(takenAt(along(PINCER, "a5", "b5", "g3", "f3"), 3), []);
  assert.deepEqual(movesOf(draft), [
    { start: "a5", end: "b5", taken: [] },
    { start: "c1", end: "c2", taken: ["a4", "b4"] },
  ]);
});

test("the key of captures is never a target", () => {
  assert.deepEqual(targetsOf(along(PINCER, "a5", "a4")), []);
  assert.ok(!targetsOf(along(PINCER, "a5", "b5", "c1")).includes("x"));
});

test("the held piece is one that is chosen and not yet moved", () => {
  assert.equal(heldPiece(openDraft(SPLIT)), null);
  assert.equal(heldPiece(along(SPLIT, "d1")), "d1");
  assert.equal(heldPiece(along(SPLIT, "d1", "d7")), null);
  assert.equal(bowOf(along(SPLIT, "d1", "d7")), "d7");
});

test("a hand is never changed: stepping back gives another one", () => {
  const draft = along(SPLIT, "d1", "d7");
  assert.deepEqual(stepBack(draft).path, ["d1"]);
  assert.deepEqual(rewind(draft, -3).path, []);
  assert.deepEqual(draft.path, ["d1", "d7"]);
  assert.throws(() => draft.path.push("g7"), TypeError);
});

test("the tappable squares are targets, chosen squares and pieces to change to", () => {
  assert.deepEqual([...tappableSquares(along(SPLIT, "d1"))].sort(), ["a4", "d1", "d2", "d7"]);
});

test("a hand is carried to a newer prompt as far as that still allows it", () => {
  const draft = along(SPLIT, "d1", "d7");
  assert.deepEqual(carry(draft, PLAY).path, ["d1", "d7"]);
  assert.deepEqual(carry(draft, { ...SPLIT, tree: { d1: { d2: "d1" } } }).path, ["d1"]);
});
