import assert from "node:assert/strict";
import test from "node:test";

import {
  actionsOf, arrowOf, back, bowOf, carry, choose, heldPiece, isComplete, keepOf, movesOf, openHand,
  rewind, spellingOf, stepOf, takenAt, tap, tappable, targetsOf,
} from "../../static/js/board/path.js";

const STEPS = [{ word: "from" }, { word: "to" }, { word: "arrow" }];
const TREE = { d1: { d7: "g7 d1", d2: "d1" }, a4: { b4: "a4" } };
const SPLIT = { kind: "path", steps: STEPS, actions: [["move", 0, 1], ["fire", 2]], tree: TREE };
const PLAY = {
  kind: "path",
  steps: [{ word: "from", keep: null }, { word: "to", keep: null }, { word: "arrow", keep: 0 }],
  actions: [["play", 0, 1, 2]],
  tree: TREE,
};
const FIRE = { kind: "path", steps: [{ word: "arrow" }], actions: [["fire", 0]], tree: "g7 d1 j10" };
const PINCER = {
  kind: "path",
  steps: [{ word: "from" }, { word: "to" }, { word: "from2" }, { word: "to2" }],
  actions: [["move", 0, 1], ["move", 2, 3]],
  tree: {
    a5: { b5: { g3: "f3 g2", c1: { c2: { x: "a4 b4" }, d1: {} } }, a4: { x: "a4" } },
    g3: { f3: { a5: "b5" } },
  },
};

const along = (prompt, ...squares) => squares.reduce(choose, openHand(prompt));

test("targets come from the tree, step by step, and from nowhere else", () => {
  assert.deepEqual(targetsOf(openHand(SPLIT)), ["d1", "a4"]);
  assert.deepEqual(targetsOf(along(SPLIT, "d1")), ["d7", "d2"]);
  assert.deepEqual(targetsOf(along(SPLIT, "d1", "d7")), ["g7", "d1"]);
  assert.throws(() => choose(openHand(SPLIT), "d7"), RangeError);
});

test("a go is complete when its node has no squares", () => {
  assert.equal(isComplete(openHand(SPLIT)), false);
  assert.equal(isComplete(along(SPLIT, "d1", "d7")), false);
  assert.equal(isComplete(along(SPLIT, "d1", "d7", "g7")), true);
  assert.equal(stepOf(along(SPLIT, "d1", "d7", "g7")), null);
});

test("an empty prompt is not a complete go", () => {
  assert.equal(isComplete(openHand({ ...FIRE, tree: "" })), false);
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
  assert.equal(spellingOf(kept), "d1-d7");
  assert.equal(arrowOf(along(PLAY, "d1", "d7", "g7")), "g7");
});

test("where the arrow is not optional, the origin is burnt like any square", () => {
  const hand = along(SPLIT, "d1", "d7");
  assert.equal(keepOf(hand), null);
  assert.equal(arrowOf(choose(hand, "d1")), "d1");
});

test("an unfinished go is spelled open", () => {
  assert.equal(spellingOf(openHand(SPLIT)), "");
  assert.equal(spellingOf(along(SPLIT, "d1")), "d1-");
  assert.equal(spellingOf(along(SPLIT, "d1", "d7")), "d1-d7/");
  assert.equal(spellingOf(along(SPLIT, "d1", "d7", "g7")), "d1-d7/g7");
  assert.equal(spellingOf(along(PINCER, "a5", "b5", "c1")), "a5-b5 c1-");
});

test("a tap on the chosen piece lets it go; on another piece changes to it", () => {
  const hand = along(SPLIT, "d1");
  assert.deepEqual(tap(hand, "d1").path, []);
  assert.deepEqual(tap(hand, "a4").path, ["a4"]);
});

test("while shooting, a tap on the moved piece takes the move back", () => {
  const hand = along(SPLIT, "d1", "d7");
  assert.deepEqual(tap(hand, "d7").path, ["d1"]);
  assert.deepEqual(tap(hand, "a4").path, ["a4"]);
});

test("a tap on a target wins over stepping back", () => {
  assert.deepEqual(tap(along(SPLIT, "d1", "d7"), "d1").path, ["d1", "d7", "d1"]);
});

test("a tap that means nothing leaves the very same hand", () => {
  const hand = along(SPLIT, "d1");
  assert.equal(tap(hand, "j9"), hand);
});

test("both steps of Pincer are composed; the stepped piece takes its step back", () => {
  const hand = along(PINCER, "a5", "b5", "c1");
  assert.deepEqual(tap(hand, "b5").path, ["a5"]);
  assert.deepEqual(tap(hand, "g3").path, ["a5", "b5", "g3"]);
  assert.deepEqual(actionsOf(choose(hand, "d1")), ["move 1 5 2 5", "move 3 1 4 1"]);
});

test("a step that ends the go leaves out the second action", () => {
  const hand = along(PINCER, "a5", "a4");
  assert.equal(isComplete(hand), true);
  assert.deepEqual(actionsOf(hand), ["move 1 5 1 4"]);
});

test("captures are those of the node that was chosen", () => {
  const hand = along(PINCER, "a5", "b5", "c1", "c2");
  assert.deepEqual(takenAt(hand, 3), ["a4", "b4"]);
  assert.deepEqual(takenAt(hand, 1), []);
  assert.deepEqual(takenAt(along(PINCER, "a5", "b5", "g3", "f3"), 3), []);
  assert.deepEqual(movesOf(hand), [
    { start: "a5", end: "b5", taken: [] },
    { start: "c1", end: "c2", taken: ["a4", "b4"] },
  ]);
});

test("the key of captures is never a target", () => {
  assert.deepEqual(targetsOf(along(PINCER, "a5", "a4")), []);
  assert.ok(!targetsOf(along(PINCER, "a5", "b5", "c1")).includes("x"));
});

test("the held piece is one that is chosen and not yet moved", () => {
  assert.equal(heldPiece(openHand(SPLIT)), null);
  assert.equal(heldPiece(along(SPLIT, "d1")), "d1");
  assert.equal(heldPiece(along(SPLIT, "d1", "d7")), null);
  assert.equal(bowOf(along(SPLIT, "d1", "d7")), "d7");
});

test("a hand is never changed: stepping back gives another one", () => {
  const hand = along(SPLIT, "d1", "d7");
  assert.deepEqual(back(hand).path, ["d1"]);
  assert.deepEqual(rewind(hand, -3).path, []);
  assert.deepEqual(hand.path, ["d1", "d7"]);
  assert.throws(() => hand.path.push("g7"), TypeError);
});

test("the tappable squares are targets, chosen squares and pieces to change to", () => {
  assert.deepEqual([...tappable(along(SPLIT, "d1"))].sort(), ["a4", "d1", "d2", "d7"]);
});

test("a hand is carried to a newer prompt as far as that still allows it", () => {
  const hand = along(SPLIT, "d1", "d7");
  assert.deepEqual(carry(hand, PLAY).path, ["d1", "d7"]);
  assert.deepEqual(carry(hand, { ...SPLIT, tree: { d1: { d2: "d1" } } }).path, ["d1"]);
});
