import assert from "node:assert/strict";
import test from "node:test";

import { choose, openDraft, targetsOf } from "../../../static/js/board/path-draft.js";
import { unpackPrompt } from "../../../static/js/board/prompt.js";

const prompt = (tree) => ({ kind: "path", steps: [], actions: [], tree });
const EMPTY = Array(14).fill(".".repeat(14)).join("/");
const treeOf = (tree, board = EMPTY) => unpackPrompt(prompt(tree), board).tree;
const sorted = (names) => names.split(" ").sort().join(" ");

test("a star is how far one may go in each direction: rows, columns, diagonals", () => {
  assert.equal(sorted(treeOf({ d4: "d4:21" }).d4.d4), "b4 c4 e4");
  assert.equal(sorted(treeOf({ d4: "d4:0021" }).d4.d4), "d2 d3 d5");
  assert.equal(sorted(treeOf({ d4: "d4:000021" }).d4.d4), "b2 c3 e5");
  assert.equal(sorted(treeOf({ d4: "d4:00000021" }).d4.d4), "c5 e3 f2");
});

test("squares with stars become squares, each with those that follow it", () => {
  assert.deepEqual(treeOf({ a7: "b7:01 a6:00000000" }), { a7: { b7: "c7", a6: "" } });
});

test("a star alone is that of its own square", () => {
  assert.deepEqual(treeOf({ a7: ":0110", g3: { g4: { x: "f4" }, f3: "" } }), {
    a7: "b7 a6",
    g3: { g4: { x: "f4" }, f3: "" },
  });
});

test("the squares emptied by a capture stay as they are, beside the ones that follow", () => {
  const packed = { a5: { b5: { a7: ":01", x: "a4 b4" }, a4: "g1:1 a7:0010" } };
  assert.deepEqual(treeOf(packed), {
    a5: { b5: { a7: "b7", x: "a4 b4" }, a4: { g1: "f1", a7: "a6" } },
  });
});

test("plain names stay plain names, and so does a turn that ends", () => {
  assert.equal(treeOf("g7 d1 j10"), "g7 d1 j10");
  assert.deepEqual(treeOf({ b2: { b1: {}, b3: "" } }), { b2: { b1: {}, b3: "" } });
});

test("a star reaches over a large board: its digits are hexadecimal", () => {
  const far = treeOf({ a1: "a1:0d" }).a1.a1.split(" ");
  assert.equal(far.length, 13);
  assert.ok(far.includes("n1"));
});

test("rays go up to what stands on the board, and not over its edge", () => {
  const board = ".x../..../W.B./....";
  assert.equal(sorted(treeOf({ a2: "*" }, board).a2), "a1 a3 a4 b1 b2 b3 c4");
  assert.equal(sorted(treeOf({ d4: "*" }, board).d4), "a1 b2 c3 c4 d1 d2 d3");
});

test("rays that follow rays go over the square that the piece has left", () => {
  const tree = treeOf({ a2: "**" }, ".x../..../W.B./....");
  assert.deepEqual(Object.keys(tree.a2).sort(), "a1 a3 a4 b1 b2 b3 c4".split(" "));
  assert.equal(sorted(tree.a2.b2), "a1 a2 a3 b1 b3 c1 c3 d4");
  assert.equal(sorted(tree.a2.a1), "a2 a3 a4 b1 b2 c1 c3 d1 d4");
});

test("a tree of one string is unpacked as well", () => {
  assert.deepEqual(treeOf("g3:1 a5:001"), { g3: "f3", a5: "a4" });
});

test("what is no path of squares passes unchanged", () => {
  const split = { kind: "split", total: 10, fields: 3, word: "troops" };
  assert.equal(unpackPrompt(split, undefined), split);
  assert.equal(unpackPrompt(null, EMPTY), null);
  assert.equal(unpackPrompt(undefined, EMPTY), undefined);
});

test("a hand walks down what was unpacked", () => {
  const draft = openDraft(unpackPrompt(prompt({ d1: "d7:0300 d2:0010" }), EMPTY));
  assert.deepEqual(targetsOf(draft), ["d1"]);
  assert.deepEqual(targetsOf(choose(draft, "d1")), ["d7", "d2"]);
  assert.deepEqual(targetsOf(choose(choose(draft, "d1"), "d7")).sort(), ["e7", "f7", "g7"]);
});
