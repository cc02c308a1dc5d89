/** The turns of a tree as nested lists of buttons, with marks beside and comments below them. */

import { makeElement } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { nodeMarkName } from "./notes.js";
import { MARK_SIGNS, markName } from "./sentences.js";
import { actionsText } from "./turn-text.js";
import { ROOT } from "./turn-tree.js";

export class MovesPanel {
  /**
   * @param {HTMLElement} root
   * @param {import("./turn-tree.js").TurnTree} tree
   * @param {(index: number) => void} onChoose
   */
  constructor(root, tree, onChoose) {
    this.root = root;
    this.tree = tree;
    /** By the index of the turn. @type {Map<number, TurnLoss>} */
    this.losses = new Map();
    /** The contents of the list: a study may have thousands of turns. @type {unknown[]} */
    this.drawn = [];
    root.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("[data-turn]");
      if (button) onChoose(Number(/** @type {HTMLElement} */ (button).dataset.turn));
    });
  }

  /** @param {readonly TurnLoss[]} losses */
  mark(losses) {
    this.losses = new Map(losses.map((loss) => [loss.turn - 1, loss]));
  }

  /** @param {number} shown the turn whose position is shown */
  show(shown) {
    const hadFocus = this.root.contains(document.activeElement);
    const { nodes } = this.tree;
    if (this.drawn[0] === nodes && this.drawn[1] === this.losses) this.moveCurrent(shown);
    else this.root.replaceChildren(...this.rows(ROOT, shown));
    this.drawn = [nodes, this.losses];
    if (hadFocus) this.focus(shown);
    const current = this.root.querySelector("[aria-current]");
    if (current) {
      const comment = current.parentElement?.querySelector(":scope > .move-comment");
      if (comment) this.reveal(comment);
      this.reveal(current);
    }
  }

  /** @param {number} shown */
  moveCurrent(shown) {
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.root.querySelector(`[data-turn="${shown}"]`)?.setAttribute("aria-current", "true");
  }

  /**
   * Keeps the focus in the list, which has been made anew.
   *
   * @param {number} shown
   */
  focus(shown) {
    const button = this.root.querySelector(`[data-turn="${shown}"]`) ?? this.root;
    /** @type {HTMLElement} */ (button).focus({ preventScroll: true });
  }

  /**
   * Scrolls the list alone, not the page: somebody may look at the board or the review.
   *
   * @param {Element} current
   */
  reveal(current) {
    const [inner, outer] = [current.getBoundingClientRect(), this.root.getBoundingClientRect()];
    if (inner.top < outer.top) this.root.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) this.root.scrollTop += inner.bottom - outer.bottom;
  }

  /**
   * The rows after a turn: the first child and what follows it, with variations below each.
   *
   * @param {number} parent
   * @param {number} shown
   * @returns {HTMLElement[]}
   */
  rows(parent, shown) {
    /** @type {HTMLElement[]} */
    const rows = [];
    let children = this.tree.childrenOf(parent);
    while (children.length) {
      const [next, ...others] = children;
      const row = makeElement("li", "", {});
      row.append(...this.turn(next, shown));
      if (others.length) row.append(this.variations(others, shown));
      rows.push(row);
      children = this.tree.childrenOf(next);
    }
    return rows;
  }

  /**
   * @param {number[]} starts
   * @param {number} shown
   */
  variations(starts, shown) {
    const list = makeElement("ul", "move-variations", { "aria-label": t("Variations") });
    for (const start of starts) {
      const item = makeElement("li", "");
      const line = makeElement("ol", "move-line");
      const first = makeElement("li", "");
      first.append(...this.turn(start, shown));
      line.append(first, ...this.rows(start, shown));
      item.append(line);
      list.append(item);
    }
    return list;
  }

  /**
   * @param {number} index
   * @param {number} shown
   */
  button(index, shown) {
    const { actions } = this.tree.nodes[index];
    const depth = this.tree.pathTo(index).length;
    const button = makeElement("button", "move-turn number", {
      type: "button",
      "data-turn": index,
    });
    if (index === shown) button.setAttribute("aria-current", "true");
    button.append(
      makeElement("span", "move-number", {}, `${depth}. `),
      makeElement("span", "", {}, actionsText(actions)),
    );
    button.append(...this.signs(index));
    return button;
  }

  /**
   * A person's own mark, or that of the review.
   *
   * @param {number} index
   */
  signs(index) {
    const { mark } = this.tree.nodes[index];
    const loss = this.losses.get(index);
    const [sign, name] = mark
      ? [mark, nodeMarkName(mark)]
      : [loss ? MARK_SIGNS[loss.mark] : "", loss ? markName(loss.mark) : ""];
    if (!sign) return [];
    const attributes = { "data-mark": mark || (loss?.mark ?? ""), "aria-hidden": "true" };
    return [
      makeElement("span", "move-mark", attributes, sign),
      makeElement("span", "unseen", {}, ` ${name}`),
    ];
  }

  /**
   * The button of a turn, and its comment as text.
   *
   * @param {number} index
   * @param {number} shown
   */
  turn(index, shown) {
    const button = this.button(index, shown);
    const { comment } = this.tree.nodes[index];
    if (!comment) return [button];
    const id = `comment-${index}`;
    button.setAttribute("aria-describedby", id);
    return [button, makeElement("p", "move-comment", { id }, comment)];
  }
}
