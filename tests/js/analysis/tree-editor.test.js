import assert from "node:assert/strict";
import test from "node:test";

import { hashOf, parseHash } from "../../../static/js/analysis/address.js";
import { EditHistory, MAX_EDITS } from "../../../static/js/analysis/edit-history.js";
import { TreeEditor } from "../../../static/js/analysis/tree-editor.js";
import { ROOT, TurnTree } from "../../../static/js/analysis/turn-tree.js";

const START = { view: { to_move: "white" }, position: "start", ending: null };

/** A turn named by a square, so that trees can be read. */
const node = (parent, name) => ({
  parent,
  actions: [`move 1 1 ${name} 1`],
  comment: "",
  mark: "",
  steps: [],
});

const nameOf = ({ actions }) => actions[0].split(" ")[3];

/** A tree as text: "1(2(3)4)" is turn 1, followed by 2 with 3, or by 4. */
function textOf(tree, parent = ROOT) {
  return tree
    .childrenOf(parent)
    .map((child) => {
      const below = textOf(tree, child);
      return nameOf(tree.nodes[child]) + (below && `(${below})`);
    })
    .join("");
}

/** An editor with the turns of a game, and what it shows. */
function opened(...game) {
  const tree = new TurnTree(
    START,
    game.map((name, index) => node(index - 1, name)),
  );
  const page = { at: ROOT, tree, editor: null };
  const options = {
    placeOf: () => page.at,
    onEdit: (at) => {
      page.at = at;
    },
  };
  page.editor = new TreeEditor(tree, options);
  page.play = (parent, name) => {
    page.at = parent;
    page.editor.add(node(parent, name), true);
    return page.at;
  };
  return page;
}

test("a variation is removed with all that follows it, and comes back", () => {
  const page = opened(1, 2);
  const three = page.play(0, 3);
  page.play(three, 4);
  page.play(1, 5);
  assert.equal(textOf(page.tree), "1(2(5)3(4))");
  page.at = page.tree.find(three, node(0, 4).actions);
  assert.equal(page.editor.remove(three), 2);
  assert.equal(textOf(page.tree), "1(2(5))");
  assert.equal(page.at, 0); // the turn before
  page.editor.undo();
  assert.equal(textOf(page.tree), "1(2(5)3(4))");
  assert.equal(nameOf(page.tree.nodes[page.at]), "4"); // the shown turn
  page.editor.redo();
  assert.equal(textOf(page.tree), "1(2(5))");
});

test("what is shown stays shown when another variation is removed", () => {
  const page = opened();
  const one = page.play(ROOT, 1);
  page.play(ROOT, 2);
  page.editor.remove(one);
  assert.equal(nameOf(page.tree.nodes[page.at]), "2");
});

test("turns of the game are never removed or put behind a variation", () => {
  const page = opened(1, 2);
  page.play(0, 3);
  assert.deepEqual(
    [0, 1, 2].map((at) => page.editor.canRemove(at)),
    [false, false, true],
  );
  assert.equal(page.tree.promotableAt(2), null); // it is the first beside the game already
  page.play(0, 4);
  assert.equal(page.tree.promotableAt(page.at), 3);
  page.editor.promote();
  assert.equal(textOf(page.tree), "1(243)");
  assert.equal(nameOf(page.tree.nodes[page.at]), "4");
});

test("a line is promoted where it leaves the first one", () => {
  const page = opened();
  page.play(page.play(ROOT, 1), 2);
  page.play(page.play(page.play(ROOT, 3), 4), 5);
  assert.equal(textOf(page.tree), "1(2)3(4(5))");
  page.editor.promote();
  assert.equal(textOf(page.tree), "3(4(5))1(2)");
  assert.equal(nameOf(page.tree.nodes[page.at]), "5");
  assert.equal(page.tree.promotableAt(page.at), null);
  page.editor.promote();
  assert.equal(page.editor.history.edits.length, 6); // nothing was done
  page.editor.undo();
  assert.equal(textOf(page.tree), "1(2)3(4(5))");
});

test("the order of variations is kept by the address", () => {
  const page = opened();
  page.play(ROOT, 1);
  page.play(page.play(ROOT, 3), 4);
  page.editor.promote();
  const { variations } = parseHash(hashOf(page.at, page.tree.variations));
  const again = new TurnTree(START, []);
  for (const each of variations) again.add({ ...each, steps: [] });
  assert.equal(textOf(again), textOf(page.tree));
});

test("a comment is one edit while it is written, a mark another", () => {
  const page = opened(1);
  page.at = 0;
  for (const text of ["b", "be", "bes"]) page.editor.comment(0, text);
  page.editor.finishComment();
  page.editor.mark(0, "!");
  page.editor.comment(0, "best");
  assert.deepEqual(page.tree.gameNotes, [{ index: 0, comment: "best", mark: "!" }]);
  const undone = [page.editor.undo(), page.editor.undo(), page.editor.undo(), page.editor.undo()];
  assert.deepEqual(
    undone.map((edit) => edit?.change ?? null),
    ["comment", "mark", "comment", null],
  );
  assert.deepEqual(page.tree.gameNotes, []);
  page.editor.redo();
  assert.equal(page.tree.nodes[0].comment, "bes");
  page.editor.comment(0, "bes"); // nothing new
  assert.equal(page.editor.history.next.redo?.change, "mark");
});

test("any edits are undone to the first tree, and redone to the last, in every order", () => {
  let seed = 1;
  const random = (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let story = 0; story < 40; story += 1) {
    const page = opened(1, 2, 3);
    const trees = [JSON.stringify(page.tree.nodes)];
    for (let step = 0; step < 30; step += 1) {
      page.at = random(page.tree.nodes.length + 1) - 1;
      const at = Math.max(0, page.at);
      const before = page.editor.history.done;
      [
        () => page.play(page.at, 10 + step),
        () => page.editor.canRemove(at) && page.editor.remove(at),
        () => page.editor.promote(),
        () => page.editor.mark(at, step % 2 ? "!" : "??"),
        () => page.editor.comment(at, `${step}`),
      ][random(5)]();
      page.editor.finishComment();
      if (page.editor.history.done > before) trees.push(JSON.stringify(page.tree.nodes));
      for (const [index, { parent }] of page.tree.nodes.entries())
        assert.ok(parent < index && parent >= ROOT);
      assert.ok(page.at < page.tree.nodes.length);
      assert.deepEqual(page.tree.nodes.slice(0, 3).map(nameOf), ["1", "2", "3"]);
    }
    for (const wanted of trees.slice(0, -1).reverse()) {
      page.editor.undo();
      assert.equal(JSON.stringify(page.tree.nodes), wanted);
    }
    assert.equal(page.editor.undo(), null);
    for (const wanted of trees.slice(1)) {
      page.editor.redo();
      assert.equal(JSON.stringify(page.tree.nodes), wanted);
    }
    assert.equal(page.editor.redo(), null);
  }
});

test("a history forgets its oldest edits, and what a new edit cannot follow", () => {
  const history = new EditHistory();
  const edit = (change) => ({ change, before: { nodes: [], at: 0 }, after: { nodes: [], at: 0 } });
  for (let count = 0; count < MAX_EDITS + 5; count += 1) history.record(edit("add"));
  assert.equal(history.edits.length, MAX_EDITS);
  history.undo();
  history.undo();
  history.record(edit("mark"));
  assert.equal(history.next.redo, null);
  assert.equal(history.edits.length, MAX_EDITS - 1);
});
