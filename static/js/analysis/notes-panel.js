/** The notes on the shown turn, and the edits of the tree: remove, promote, undo, redo. */

import { byId, makeElement } from "../lib/dom.js";
import { lengthOf } from "../lib/plain-text.js";
import { pressedKey } from "../lib/pressed-key.js";
import { t, tn } from "../lib/text.js";
import { cleanComment, MAX_COMMENT_CHARS, NODE_MARKS, nodeMarkName } from "./notes.js";
import { actionsText } from "./turn-text.js";
import { ROOT } from "./turn-tree.js";

/** @type {Record<TreeChange, () => string>} */
const CHANGE_NAMES = {
  add: () => t("new move"),
  remove: () => t("deletion"),
  promote: () => t("order of variations"),
  comment: () => t("comment"),
  mark: () => t("mark"),
};

export class NotesPanel {
  /** @param {import("./analysis-board.js").AnalysisBoard} board */
  constructor(board) {
    this.board = board;
    this.editor = board.editor;
    this.field = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    this.field.maxLength = 2 * MAX_COMMENT_CHARS; // browsers count an emoji as two
    /** Of the turn whose comment is in the field: they tell turns apart. @type {Wire.ResolvedStep[] | undefined} */
    this.steps = undefined;
    /** @type {Map<NodeMark, HTMLElement>} */
    this.marks = new Map(NODE_MARKS.map((mark) => [mark, this.makeMark(mark)]));
    byId("mark-choice").append(...this.marks.values());
    this.listen();
  }

  /** @param {NodeMark} mark */
  makeMark(mark) {
    const attributes = {
      type: "button",
      "aria-label": nodeMarkName(mark),
      title: nodeMarkName(mark),
    };
    const button = makeElement("button", "number", attributes, mark);
    button.addEventListener("click", () => {
      const { at, tree } = this.board;
      this.editor.mark(at, tree.nodes[at].mark === mark ? "" : mark);
    });
    return button;
  }

  listen() {
    const { field, editor } = this;
    field.addEventListener("input", () => {
      if (lengthOf(field.value) > MAX_COMMENT_CHARS) field.value = cleanComment(field.value);
      editor.comment(this.board.at, field.value);
    });
    field.addEventListener("change", () => {
      editor.finishComment();
      this.show();
    });
    /** @type {[string, () => void][]} */
    const commands = [
      ["line-remove", () => this.remove()],
      ["line-promote", () => this.promote()],
      ["edit-undo", () => this.undo()],
      ["edit-redo", () => this.redo()],
    ];
    for (const [id, command] of commands)
      byId(id).addEventListener("click", () => {
        if (byId(id).getAttribute("aria-disabled") !== "true") command();
      });
    addEventListener("keydown", (event) => this.press(event));
  }

  /**
   * Undo and redo by keys; a field that is written in has its own, and a turn that is composed goes first.
   *
   * @param {KeyboardEvent} event
   */
  press(event) {
    const isField = /** @type {HTMLElement} */ (event.target).matches?.(
      "input:not([type=range]), textarea",
    );
    if (isField || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const key = pressedKey(event);
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.redo();
    else if (this.board.board.activeDraft?.path.length) this.board.board.undo();
    else this.undo();
  }

  remove() {
    const count = this.editor.remove(this.board.at);
    this.say(
      tn(
        "{count} move deleted. Undo brings it back.",
        "{count} moves deleted. Undo brings them back.",
        count,
      ),
    );
  }

  promote() {
    this.editor.promote();
    this.say(t("This variation comes first now."));
  }

  undo() {
    const edit = this.editor.undo();
    this.say(
      edit
        ? t("Undone: {change}.", { change: CHANGE_NAMES[edit.change]() })
        : t("Nothing to undo."),
    );
  }

  redo() {
    const edit = this.editor.redo();
    this.say(
      edit
        ? t("Redone: {change}.", { change: CHANGE_NAMES[edit.change]() })
        : t("Nothing to redo."),
    );
  }

  /** @param {string} sentence */
  say(sentence) {
    byId("notes-say").textContent = sentence;
  }

  /** Shows the notes on the turn that leads to the position shown. */
  show() {
    const { at, tree } = this.board;
    const node = at === ROOT ? null : tree.nodes[at];
    byId("notes").hidden = node === null;
    byId("notes-head").textContent = node
      ? t("Notes on {turn}", { turn: actionsText(node.actions) })
      : "";
    for (const [mark, button] of this.marks)
      button.setAttribute("aria-pressed", String(node?.mark === mark));
    // A comment that is being written stays as it is typed.
    const isWritten = document.activeElement === this.field && node?.steps === this.steps;
    if (node && !isWritten) this.field.value = node.comment;
    this.steps = node?.steps;
    const { undo, redo } = this.editor.history.next;
    this.enable("line-remove", node !== null && this.editor.canRemove(at));
    this.enable("line-promote", node !== null && tree.promotableAt(at) !== null);
    this.enable("edit-undo", undo !== null);
    this.enable("edit-redo", redo !== null);
  }

  /**
   * A button that can do nothing now keeps its place and the focus.
   *
   * @param {string} id
   * @param {boolean} isEnabled
   */
  enable(id, isEnabled) {
    byId(id).setAttribute("aria-disabled", String(!isEnabled));
  }
}
