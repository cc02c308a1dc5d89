/** A tree from the server in the place of the one on the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOT, TurnTree } from "../../../static/js/analysis/turn-tree.js";
import { mergeTrees, nearestPlace, unplayedNodes } from "../../../static/js/studies/tree-merge.js";

const START = /** @type {any} */ ({ position: "start" });

/** @param {[number, string][]} turns */
const nodesOf = (turns) => turns.map(([parent, name]) => ({ parent, actions: [name] }));

/** @param {[number, string][]} turns */
function played(turns) {
  const nodes = unplayedNodes(nodesOf(turns));
  return nodes.map((node, at) => ({ ...node, position: `after ${turns[at][1]}` }));
}

/** @param {readonly AnalysisNode[]} nodes */
const names = (nodes) => nodes.map(({ parent, actions }) => [parent, actions[0]]);

test("known positions stay, new turns are played when they are shown", () => {
  const shown = new TurnTree(
    START,
    played([
      [ROOT, "a"],
      [0, "b"],
    ]),
    0,
  );
  const before = nodesOf([
    [ROOT, "a"],
    [0, "b"],
  ]);
  const after = nodesOf([
    [ROOT, "c"],
    [ROOT, "a"],
    [1, "b"],
  ]);
  const { nodes, places } = mergeTrees(shown, before, after, { keepsTried: true });
  assert.deepEqual(names(nodes), [
    [ROOT, "c"],
    [ROOT, "a"],
    [1, "b"],
  ]);
  assert.deepEqual(places, [1, 2]);
  const merged = new TurnTree(START, nodes, 0);
  assert.deepEqual(
    [0, 1, 2].map((at) => merged.isPlayed(at)),
    [false, true, true],
  );
});

test("turns that a reader tried stay; those that the author removed go", () => {
  const shown = new TurnTree(
    START,
    played([
      [ROOT, "a"],
      [0, "b"],
      [0, "mine"],
      [1, "lost"],
    ]),
    0,
  );
  const before = nodesOf([
    [ROOT, "a"],
    [0, "b"],
  ]);
  const after = nodesOf([
    [ROOT, "a"],
    [0, "d"],
  ]);
  const { nodes, places } = mergeTrees(shown, before, after, { keepsTried: true });
  assert.deepEqual(names(nodes), [
    [ROOT, "a"],
    [0, "d"],
    [0, "mine"],
  ]);
  assert.deepEqual(places, [0, null, 2, null]);
  assert.equal(nearestPlace(shown, places, 3), 0);
  const other = mergeTrees(shown, before, after, { keepsTried: false });
  assert.equal(other.nodes.length, 2);
});

test("a comment comes from the server", () => {
  const shown = new TurnTree(START, played([[ROOT, "a"]]), 0);
  const after = [
    { parent: ROOT, actions: ["a"], comment: "New", mark: /** @type {const} */ ("!") },
  ];
  const { nodes } = mergeTrees(shown, nodesOf([[ROOT, "a"]]), after, { keepsTried: true });
  assert.deepEqual([nodes[0].comment, nodes[0].mark, nodes[0].position], ["New", "!", "after a"]);
});

test("a tree of 5,000 turns is merged", { timeout: 10_000 }, () => {
  /** @type {[number, string][]} */
  const turns = Array.from({ length: 5000 }, (_, at) => [at % 50 === 0 ? ROOT : at - 1, `t${at}`]);
  const shown = new TurnTree(START, played(turns), 0);
  const { nodes } = mergeTrees(shown, nodesOf(turns), nodesOf(turns), { keepsTried: true });
  assert.equal(nodes.length, 5000);
});
