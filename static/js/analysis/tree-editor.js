/** Edits of a tree of turns, each of which can be undone and redone. Pure but for its own state. */

import { EditHistory } from "./edit-history.js";
import { cleanComment } from "./notes.js";

/** @typedef {import("./turn-tree.js").TurnTree} TurnTree */

export class TreeEditor {
  /**
   * @param {TurnTree} tree
   * @param {{ placeOf: () => number, onEdit: (at: number) => void }} options `placeOf` gives the turn that
   *     is shown, `onEdit` takes the one to show after an edit
   */
  constructor(tree, { placeOf, onEdit }) {
    this.tree = tree;
    this.placeOf = placeOf;
    this.onEdit = onEdit;
    this.history = new EditHistory();
  }

  /**
   * @param {TreeChange} change
   * @param {() => number} edit changes the tree, and returns the turn to show
   * @param {{ isOpen?: boolean }} [options]
   */
  #edit(change, edit, options) {
    const before = { nodes: this.tree.nodes, at: this.placeOf() };
    const at = edit();
    this.history.record({ change, before, after: { nodes: this.tree.nodes, at } }, options);
    this.onEdit(at);
  }

  /**
   * Adds a turn that was played; `isShown` says whether its position is shown.
   *
   * @param {AnalysisNode} node
   * @param {boolean} isShown
   */
  add(node, isShown) {
    this.#edit("add", () => {
      const index = this.tree.add(node);
      return isShown ? index : this.placeOf();
    });
  }

  /** Whether a turn can be removed. @param {number} index */
  canRemove(index) {
    return index >= this.tree.mainCount;
  }

  /**
   * Removes a turn and what follows it; returns how many turns that were.
   *
   * @param {number} index
   */
  remove(index) {
    let count = 0;
    this.#edit("remove", () => {
      const path = this.tree.pathTo(this.placeOf());
      const { parent } = this.tree.nodes[index];
      const turns = path.map((at) => this.tree.nodes[at].actions);
      count = this.tree.remove(index);
      // Parents stand before their turns, and so keep their places.
      return path.includes(index) ? parent : (this.tree.follow(turns) ?? parent);
    });
    return count;
  }

  /** Makes the line that is shown the first one where it leaves it. */
  promote() {
    const branch = this.tree.promotableAt(this.placeOf());
    if (branch === null) return;
    this.#edit("promote", () => this.tree.promote(branch, this.placeOf()));
  }

  /**
   * @param {number} index
   * @param {NodeMark} mark
   */
  mark(index, mark) {
    const { comment } = this.tree.nodes[index];
    this.#edit("mark", () => {
      this.tree.annotate(index, { comment, mark });
      return this.placeOf();
    });
  }

  /**
   * Writes a comment; all that is written until `finishComment` is one edit.
   *
   * @param {number} index
   * @param {string} text
   */
  comment(index, text) {
    const { mark, comment: before } = this.tree.nodes[index];
    const comment = cleanComment(text);
    if (comment === before) return;
    const write = () => {
      this.tree.annotate(index, { comment, mark });
      return this.placeOf();
    };
    this.#edit("comment", write, { isOpen: true });
  }

  finishComment() {
    this.history.close();
  }

  /** Takes the newest edit back, and returns it; null if there is none. */
  undo() {
    const edit = this.history.undo();
    if (edit) this.#restore(edit.before);
    return edit;
  }

  /** Makes the edit that was undone last again, and returns it; null if there is none. */
  redo() {
    const edit = this.history.redo();
    if (edit) this.#restore(edit.after);
    return edit;
  }

  /** @param {TreeMoment} moment */
  #restore({ nodes, at }) {
    this.tree.nodes = nodes;
    this.onEdit(at);
  }
}
