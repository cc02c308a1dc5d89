/**
 * The hidden grid: one real button for each square, over the canvas. It is the board for keyboards,
 * screen readers and tests; a click on a button is a tap on its square. Clicks that a pointer has made
 * (event.detail > 0) are left to the pointer.
 */

import { cellOf, nameOf, squaresOf } from "./geometry.js";

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Grid {
  constructor(element, { columns, rows, onTap, onFocus }) {
    Object.assign(this, { element, columns, rows, onFocus });
    this.flipped = false;
    this.buttons = new Map();
    for (const square of squaresOf(columns, rows)) this.buttons.set(square, this.make(square));
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

  make(square) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.square = square;
    button.tabIndex = -1;
    return button;
  }

  /** In reading order as seen. */
  arrange() {
    const squares = squaresOf(this.columns, this.rows);
    if (this.flipped) squares.reverse();
    this.element.replaceChildren(...squares.map((square) => this.buttons.get(square)));
  }

  place(layout) {
    const { style } = this.element;
    style.left = `${layout.left}px`;
    style.top = `${layout.top}px`;
    style.width = `${layout.side * layout.columns}px`;
    style.height = `${layout.side * layout.rows}px`;
    style.gridTemplateColumns = `repeat(${layout.columns}, 1fr)`;
    if (layout.flipped === this.flipped) return;
    this.flipped = layout.flipped;
    this.arrange();
  }

  /** `describe(square)` → {label, target, chosen}. */
  update(describe) {
    for (const [square, button] of this.buttons) {
      const { label, target, chosen } = describe(square);
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
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
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const { columns, rows, flipped } = this;
    const { column, row } = cellOf({ columns, rows, flipped }, this.current);
    const x = Math.min(columns - 1, Math.max(0, column + step[0]));
    const y = Math.min(rows - 1, Math.max(0, row + step[1]));
    const square = flipped ? nameOf(columns - x, y + 1) : nameOf(x + 1, rows - y);
    this.buttons.get(square).focus();
  }
}
