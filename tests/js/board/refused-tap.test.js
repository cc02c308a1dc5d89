import assert from "node:assert/strict";
import test from "node:test";

import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import { questionOf, signatureOf, squaresToMark } from "../../../static/js/board/refused-tap.js";

const AMAZONS = openDraft({
  kind: "path",
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree: { d1: { d7: "g7 d1" }, a4: { b4: "a4" } },
});
const MARKS = new Map([
  ["d1", "W"],
  ["g1", "W"],
  ["d10", "B"],
]);

test("a question holds the squares of the draft and the one that was clicked", () => {
  const held = choose(AMAZONS, "d1");
  assert.deepEqual(questionOf(AMAZONS, "d10", MARKS, "white"), ["d10"]);
  assert.deepEqual(questionOf(held, "d10", MARKS, "white"), ["d1", "d10"]);
  assert.deepEqual(questionOf(choose(held, "d7"), "d10", MARKS, "white"), ["d1", "d7", "d10"]);
});

test("an own piece clicked while another is held is asked about as the piece to move", () => {
  const held = choose(AMAZONS, "d1");
  assert.deepEqual(questionOf(held, "g1", MARKS, "white"), ["g1"]);
  assert.deepEqual(questionOf(choose(held, "d7"), "g1", MARKS, "white"), ["d1", "d7", "g1"]);
});

test("what is in the way is marked, and not the piece that cannot go there", () => {
  assert.deepEqual(squaresToMark("path_blocked", ["f8"]), ["f8"]);
  assert.deepEqual(squaresToMark("not_a_line", ["d1", "f8"]), ["f8"]);
  assert.deepEqual(squaresToMark("no_way_out", ["a1", "b1", "a2"]), ["b1", "a2"]);
  assert.deepEqual(squaresToMark("not_in_control", []), []);
});

test("a draft is known by its squares, a missing one by nothing", () => {
  const held = choose(AMAZONS, "d1");
  assert.equal(signatureOf(held), signatureOf(choose(AMAZONS, "d1")));
  assert.notEqual(signatureOf(held), signatureOf(AMAZONS));
  assert.notEqual(signatureOf(null), signatureOf(AMAZONS));
});
