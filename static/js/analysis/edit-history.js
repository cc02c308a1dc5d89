/** The changes of a tree that can be undone and redone, one stack for all kinds. Pure. */

/** Changes that are kept; the oldest are forgotten. */
export const MAX_EDITS = 200;

export class EditHistory {
  constructor() {
    /** @type {TreeEdit[]} */
    this.edits = [];
    /** Index that separates the edits to undo, before it, from those to redo. */
    this.done = 0;
    /** Whether the newest edit still takes in changes of its kind: a comment is one while it is written. */
    this.isOpen = false;
  }

  get next() {
    return { undo: this.edits[this.done - 1] ?? null, redo: this.edits[this.done] ?? null };
  }

  /**
   * Adds an edit, and discards the undone edits.
   *
   * @param {TreeEdit} edit
   * @param {{ isOpen?: boolean }} [options] whether further edits of this kind belong to it
   */
  record(edit, { isOpen = false } = {}) {
    const newest = this.next.undo;
    const isSame = this.isOpen && isOpen && newest?.change === edit.change;
    this.edits.length = this.done;
    if (isSame) this.edits[this.done - 1] = { ...newest, after: edit.after };
    else this.edits.push(edit);
    if (this.edits.length > MAX_EDITS) this.edits.shift();
    this.done = this.edits.length;
    this.isOpen = isOpen;
  }

  /** Forgets all edits: the tree was replaced by another one. */
  clear() {
    this.edits = [];
    this.done = 0;
    this.close();
  }

  /** The newest edit is complete. */
  close() {
    this.isOpen = false;
  }

  /** Takes back the newest edit, and returns it; null if there is none. */
  undo() {
    const edit = this.next.undo;
    this.close();
    if (edit) this.done -= 1;
    return edit;
  }

  /** Makes the edit again that was undone last, and returns it; null if there is none. */
  redo() {
    const edit = this.next.redo;
    this.close();
    if (edit) this.done += 1;
    return edit;
  }
}
