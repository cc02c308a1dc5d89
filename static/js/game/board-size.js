/**
 * The handle that resizes the board: by pointer, by keys, reset by a double click; kept on this device.
 *
 * The style sheet has the largest board that fits (--fit); this sets the share of it (--board-scale).
 * theme.js sets the kept share before anything is painted.
 */

import { chooseSetting, onSettings, setting } from "../lib/settings.js";

const LEAST_PERCENT = 50;

const MOST_PERCENT = 100;

const STEP_PERCENT = 2;

/** @type {Record<string, (percent: number) => number>} */
const KEYS = {
  ArrowLeft: (percent) => percent - STEP_PERCENT,
  ArrowUp: (percent) => percent - STEP_PERCENT,
  ArrowRight: (percent) => percent + STEP_PERCENT,
  ArrowDown: (percent) => percent + STEP_PERCENT,
  PageUp: (percent) => percent - 5 * STEP_PERCENT,
  PageDown: (percent) => percent + 5 * STEP_PERCENT,
  Home: () => LEAST_PERCENT,
  End: () => MOST_PERCENT,
};

/** @param {number} percent */
export function allowedPercent(percent) {
  const whole = Math.round(percent / STEP_PERCENT) * STEP_PERCENT;
  return Math.min(MOST_PERCENT, Math.max(LEAST_PERCENT, whole));
}

/**
 * The size after the pointer has gone by `x` and `y` pixels, where the board had `side` pixels at
 * `percent`: the corner follows the pointer along the diagonal. Pure.
 *
 * @param {{ side: number, percent: number }} start
 * @param {{ x: number, y: number }} way
 */
export function draggedPercent({ side, percent }, { x, y }) {
  return allowedPercent((percent * (side + (x + y) / 2)) / side);
}

export class BoardSize {
  /**
   * `table` is as wide as the board.
   *
   * @param {HTMLElement} handle
   * @param {HTMLElement} table
   */
  constructor(handle, table) {
    this.handle = handle;
    this.table = table;
    /** @type {{ side: number, percent: number, x: number, y: number } | null} */
    this.start = null;
    handle.addEventListener("pointerdown", (event) => this.begin(event));
    handle.addEventListener("pointermove", (event) => this.drag(event));
    handle.addEventListener("pointerup", () => this.end());
    handle.addEventListener("pointercancel", () => this.end());
    handle.addEventListener("keydown", (event) => this.press(event));
    handle.addEventListener("dblclick", () => this.keep(MOST_PERCENT));
    onSettings(() => this.apply(Number(setting("board"))));
    this.percent = MOST_PERCENT;
    this.apply(Number(setting("board")));
  }

  /** @param {number} percent */
  apply(percent) {
    this.percent = percent;
    document.documentElement.style.setProperty("--board-scale", String(percent / 100));
    this.handle.setAttribute("aria-valuenow", String(percent));
    this.handle.setAttribute("aria-valuetext", `${percent} %`);
  }

  /** @param {number} percent */
  keep(percent) {
    chooseSetting("board", String(allowedPercent(percent)));
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.handle.focus({ preventScroll: true });
    this.handle.setPointerCapture(event.pointerId);
    this.handle.classList.add("held");
    const { clientX: x, clientY: y } = event;
    this.start = { side: this.table.clientWidth, percent: this.percent, x, y };
  }

  /** @param {PointerEvent} event */
  drag({ clientX, clientY }) {
    const { start } = this;
    if (!start) return;
    this.apply(draggedPercent(start, { x: clientX - start.x, y: clientY - start.y }));
  }

  end() {
    if (!this.start) return;
    this.start = null;
    this.handle.classList.remove("held");
    this.keep(this.percent);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const change = KEYS[event.key];
    if (!change || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.keep(change(this.percent));
  }
}
