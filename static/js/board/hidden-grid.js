/**
 * The hidden grid: one real button for each square, over the canvas.
 *
 * It is the board for keyboards, screen readers and tests; a click on a button is a tap on its square.
 * Clicks that a pointer has made (event.detail > 0) are left to the pointer. One square is in the tab
 * order, and keeps the focus (roving tabindex).
 */

import { cellOf, nameOf, squaresOf } from "../drawing/geometry.js";
import { t } from "../lib/text.js";

export class HiddenGrid {
  /**
   * @param {HTMLElement} element
   * @param {BoardSize & { onTap: (square: Square) => void, onFocus: (square: Square | null) => void }} options
   */
  constructor(element, { columns, rows, onTap, onFocus }) {
    this.element = element;
    this.columns = columns;
    this.rows = rows;
    this.onFocus = onFocus;
    this.flipped = false;
    this.buttons = new Map();
    for (const square of squaresOf(columns, rows)) this.buttons.set(square, this.make(square));
    this.rowElements = Array.from({ length: rows }, () => this.makeRow());
    this.describe();
    this.current = this.buttons.keys().next().value;
    this.buttons.get(this.current).tabIndex = 0;
    this.arrange();
    element.addEventListener("click", (event) => {
      const { square } = /** @type {HTMLElement} */ (event.target).dataset;
      if (square && event.detail === 0) onTap(square);
    });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("focusin", (event) =>
      this.handleFocus(/** @type {HTMLElement} */ (event.target)),
    );
    element.addEventListener("focusout", () => onFocus(null));
  }

  describe() {
    this.element.setAttribute("role", "grid");
    this.element.setAttribute("aria-label", t("Board. Arrow keys move between squares"));
    this.element.style.gridTemplateRows = `repeat(${this.rows}, 1fr)`;
  }

  /** @param {Square} square */
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
    const handleFocus = this.element.contains(document.activeElement);
    const squares = squaresOf(this.columns, this.rows);
    if (this.flipped) squares.reverse();
    this.rowElements.forEach((row, index) => {
      const first = index * this.columns;
      const names = squares.slice(first, first + this.columns);
      row.replaceChildren(...names.map((square) => this.buttons.get(square)));
    });
    this.element.replaceChildren(...this.rowElements);
    if (handleFocus) this.buttons.get(this.current).focus();
  }

  /** @param {Layout} layout */
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

  /** @param {Square} square */
  has(square) {
    return this.buttons.has(square);
  }

  /**
   * `describe(square)` → {label, target, chosen}.
   *
   * @param {(square: Square) => { label: string, target: boolean, chosen: boolean }} describe
   */
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

  /** @param {HTMLElement} button */
  handleFocus(button) {
    const { square } = button.dataset;
    if (!square) return;
    this.buttons.get(this.current).tabIndex = -1;
    button.tabIndex = 0;
    this.current = square;
    this.onFocus(button.matches(":focus-visible") ? square : null);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.metaKey) return;
    const { columns, rows, flipped } = this;
    const whole = event.ctrlKey;
    const square = squareAfterKey(event.key, this.current, { columns, rows, flipped, whole });
    if (square === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.buttons.get(square).focus();
  }
}

/** @type {Record<string, (place: { column: number, row: number }, board: BoardSize & { whole: boolean }) => [number, number]>} */
const KEY_STEPS = {
  ArrowLeft: ({ column, row }) => [column - 1, row],
  ArrowRight: ({ column, row }) => [column + 1, row],
  ArrowUp: ({ column, row }) => [column, row - 1],
  ArrowDown: ({ column, row }) => [column, row + 1],
  Home: ({ row }, { whole }) => [0, whole ? 0 : row],
  End: ({ row }, { whole, columns, rows }) => [columns - 1, whole ? rows - 1 : row],
  PageUp: ({ column }) => [column, 0],
  PageDown: ({ column }, { rows }) => [column, rows - 1],
};

/**
 * @param {number} value
 * @param {number} count
 */
const clampIndex = (value, count) => Math.min(count - 1, Math.max(0, value));

/**
 * The square to which a key leads, or null for keys that lead nowhere. Arrows go one square and stop
 * at the edge, Home and End to the ends of the row (with Ctrl, `whole`, of the board), Page Up and
 * Page Down to the ends of the column.
 *
 * @param {string} key
 * @param {Square} square
 * @param {BoardSize & { flipped: boolean, whole?: boolean }} board
 */
export function squareAfterKey(key, square, { columns, rows, flipped, whole = false }) {
  const step = KEY_STEPS[key];
  if (!step) return null;
  const [column, row] = step(cellOf({ columns, rows, flipped }, square), { columns, rows, whole });
  const [x, y] = [clampIndex(column, columns), clampIndex(row, rows)];
  return flipped ? nameOf(columns - x, y + 1) : nameOf(x + 1, rows - y);
}
