/**
 * The hidden grid: one real button for each square, over the canvas. It is the board for keyboards,
 * screen readers and tests; a click on a button is a tap on its square. Clicks that a pointer has made
 * (event.detail > 0) are left to the pointer. One square is in the tab order, and keeps the focus.
 */

import { t } from "../text.js";
import { squaresOf } from "./geometry.js";
import { leadsTo } from "./roving.js";

export class Grid {
  constructor(element, { columns, rows, onTap, onFocus }) {
    Object.assign(this, { element, columns, rows, onFocus });
    this.flipped = false;
    this.buttons = new Map();
    for (const square of squaresOf(columns, rows)) this.buttons.set(square, this.make(square));
    this.lines = Array.from({ length: rows }, () => this.makeRow());
    this.describe();
    this.current = this.buttons.keys().next().value;
    this.buttons.get(this.current).tabIndex = 0;
    this.arrange();
    element.addEventListener("click", (event) => {
      const { square } = event.target.dataset;
      if (square && event.detail === 0) onTap(square);
    });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("focusin", (event) => this.focused(event.target));
    element.addEventListener("focusout", () => onFocus(null));
  }

  describe() {
    this.element.setAttribute("role", "grid");
    this.element.setAttribute("aria-label", t("Board; arrow keys go from square to square"));
    this.element.style.gridTemplateRows = `repeat(${this.rows}, 1fr)`;
  }

  make(square) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.square = square;
    button.tabIndex = -1;
    button.setAttribute("role", "gridcell");
    return button;
  }

  makeRow() {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    Object.assign(row.style, {
      display: "grid",
      gridTemplateColumns: `repeat(${this.columns}, 1fr)`,
      minHeight: "0",
    });
    return row;
  }

  /** In reading order as seen. The focus stays on its square. */
  arrange() {
    const focused = this.element.contains(document.activeElement);
    const squares = squaresOf(this.columns, this.rows);
    if (this.flipped) squares.reverse();
    this.lines.forEach((row, index) => {
      const first = index * this.columns;
      const names = squares.slice(first, first + this.columns);
      row.replaceChildren(...names.map((square) => this.buttons.get(square)));
    });
    this.element.replaceChildren(...this.lines);
    if (focused) this.buttons.get(this.current).focus();
  }

  place(layout) {
    const { style } = this.element;
    style.left = `${layout.left}px`;
    style.top = `${layout.top}px`;
    style.width = `${layout.side * layout.columns}px`;
    style.height = `${layout.side * layout.rows}px`;
    if (layout.flipped === this.flipped) return;
    this.flipped = layout.flipped;
    this.arrange();
  }

  has(square) {
    return this.buttons.has(square);
  }

  /** `describe(square)` → {label, target, chosen}. */
  update(describe) {
    for (const [square, button] of this.buttons) {
      const { label, target, chosen } = describe(square);
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      if (button.getAttribute("aria-selected") !== String(chosen)) {
        button.setAttribute("aria-selected", String(chosen));
      }
      button.toggleAttribute("data-target", target);
      button.toggleAttribute("data-chosen", chosen);
    }
  }

  focused(button) {
    const { square } = button.dataset;
    if (!square) return;
    this.buttons.get(this.current).tabIndex = -1;
    button.tabIndex = 0;
    this.current = square;
    this.onFocus(button.matches(":focus-visible") ? square : null);
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const { columns, rows, flipped } = this;
    const whole = event.ctrlKey;
    const square = leadsTo(event.key, this.current, { columns, rows, flipped, whole });
    if (square === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.buttons.get(square).focus();
  }
}
