/** Sentence and snapshot of a position in a tree, as a board shows them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { positionSentence, stillSnapshot } from "../../../static/js/analysis/shown-position.js";
import { ROOT, TurnTree } from "../../../static/js/analysis/turn-tree.js";

const NAMES = { white: "ada", black: "bob" };

/** @param {string} toMove @param {number} turns @param {object | null} [ending] */
const position = (toMove, turns, ending = null) =>
  /** @type {any} */ ({ view: { to_move: toMove, turns }, position: `${turns}`, ending });

/** @param {object | null} ending after the only turn */
function treeWith(ending) {
  const turn = { parent: ROOT, actions: ["move 1 5 2 5", "move 1 7 2 7"], steps: [] };
  const node = /** @type {any} */ ({ ...turn, ...position("black", 1, ending) });
  return new TurnTree(position("white", 0), [node]);
}

test("the sentence names who is to move, and the turn before", () => {
  assert.equal(positionSentence(treeWith(null), ROOT, NAMES), "ada to move.");
  assert.equal(positionSentence(treeWith(null), 0, NAMES), "After a5-b5 a7-b7: bob to move.");
});

test("the sentence names the winner, or a draw", () => {
  const won = treeWith({ winner: "white", reason: "captured_all" });
  assert.equal(positionSentence(won, 0, NAMES), "ada won here.");
  const drawn = treeWith({ winner: null, reason: "agreed" });
  assert.equal(positionSentence(drawn, 0, NAMES), "The game ends in a draw here.");
});

test("a snapshot has the position and nothing that can be played", () => {
  const start = /** @type {any} */ ({ key: "pincer", prompt: { kind: "tree" }, view: {} });
  const live = stillSnapshot(start, position("black", 3));
  assert.deepEqual(
    [live.key, live.prompt, live.status, live.control, live.you, live.step],
    ["pincer", null, "live", ["black"], "black", 3],
  );
  const over = stillSnapshot(start, position("black", 3, { winner: "white", reason: "no_moves" }));
  assert.deepEqual([over.status, over.control], ["over", []]);
  assert.equal(over.outcome?.winner, "white");
});
