/** Where a key leads from a square of the hidden grid, as seen. Pure. */

import { cellOf, nameOf } from "./geometry.js";

const STEPS = {
  ArrowLeft: ({ column, row }) => [column - 1, row],
  ArrowRight: ({ column, row }) => [column + 1, row],
  ArrowUp: ({ column, row }) => [column, row - 1],
  ArrowDown: ({ column, row }) => [column, row + 1],
  Home: ({ row }, { whole }) => [0, whole ? 0 : row],
  End: ({ row }, { whole, columns, rows }) => [columns - 1, whole ? rows - 1 : row],
  PageUp: ({ column }) => [column, 0],
  PageDown: ({ column }, { rows }) => [column, rows - 1],
};

const within = (value, count) => Math.min(count - 1, Math.max(0, value));

/**
 * The square to which a key leads, or null for keys that lead nowhere. Arrows go one square and stop
 * at the edge, Home and End to the ends of the row (with Ctrl, `whole`, of the board), Page Up and
 * Page Down to the ends of the column.
 */
export function leadsTo(key, square, { columns, rows, flipped, whole = false }) {
  const step = STEPS[key];
  if (!step) return null;
  const [column, row] = step(cellOf({ columns, rows, flipped }, square), { columns, rows, whole });
  const [x, y] = [within(column, columns), within(row, rows)];
  return flipped ? nameOf(columns - x, y + 1) : nameOf(x + 1, rows - y);
}
