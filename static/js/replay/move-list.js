/**
 * The move list: every turn is a button that shows its position.
 *
 * It is built again only when its rows have changed, and stays at its end. One stop of the tab key: the
 * turn that is shown.
 */

import { familyOf } from "../lib/game-words.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import { spentOn, spentText } from "./turn-times.js";

/** @param {Wire.ResolvedStep} step */
const textOf = ({ role, text }) => text[role] ?? "";

/**
 * The time of a turn for its last cell: {time}, or {} where it is not known.
 *
 * @param {Turn} turn
 */
function timeOf(turn) {
  const spent = spentOn(turn);
  return spent === null ? {} : { time: spentText(spent) };
}

/**
 * The mark of a turn that was a conditional move, for its last cell: {ahead}, or {}.
 *
 * @param {Turn} turn
 */
const aheadOf = ({ steps }) => (steps.at(-1)?.ahead ? { ahead: true } : {});

/**
 * One row for a pair of turns, as in Amazons: number, white's turn, black's turn.
 *
 * @param {Turn[]} turns
 * @param {OpenEntry | null} open
 * @param {number} at
 */
function pairRows(turns, open, at) {
  /** @type {MoveRow[]} */
  const rows = [];
  /** @type {(role: Role, text: string, extra: Partial<MoveCell>) => void} */
  const cell = (role, text, extra) => {
    const newest = rows.at(-1);
    const fits = newest && role === "black" && newest.cells.length === 1;
    const row = fits ? newest : { number: rows.length + 1, cells: [] };
    if (!fits) rows.push(row);
    if (!fits && role === "black") row.cells.push({ text: "" });
    row.cells.push({ text, ...extra });
  };
  turns.forEach((turn, index) => {
    const { role, steps } = turn;
    const last = index + 1 === at;
    const joined = steps.map(textOf).join("");
    if (index === turns.length - 1 && open?.joins) cell(role, joined + open.text, { open: true });
    else cell(role, joined, { turn: index + 1, last, ...timeOf(turn), ...aheadOf(turn) });
  });
  if (open?.role && !open.joins && open.text) cell(open.role, open.text, { open: true });
  return rows;
}

/**
 * One row for each turn, as in Pincer: number, the role's figure, its one or two moves.
 *
 * @param {Turn[]} turns
 * @param {OpenEntry | null} open
 * @param {number} at
 */
function turnRows(turns, open, at) {
  /** @type {MoveRow[]} */
  const rows = turns.map((turn, index) => ({
    role: turn.role,
    cells: turn.steps.map((step, number) => ({
      text: textOf(step),
      turn: index + 1,
      last: index + 1 === at && number === turn.steps.length - 1,
      ...(number === turn.steps.length - 1 ? { ...timeOf(turn), ...aheadOf(turn) } : {}),
    })),
  }));
  if (open?.text) {
    const newest = rows.at(-1);
    const row = open.joins && newest ? newest : { role: open.role ?? undefined, cells: [] };
    if (row !== newest) rows.push(row);
    const cells = open.text
      .trim()
      .split(" ")
      .map((text) => ({ text, open: true }));
    row.cells.push(...cells);
  }
  let number = 0;
  for (const row of rows) {
    if (row.role === "white" || number === 0) number += 1;
    row.number = number;
  }
  rows.forEach((row, index) => {
    if (rows[index - 1]?.number === row.number) row.number = "";
  });
  return rows;
}

/** @type {Record<string, (turns: Turn[], open: OpenEntry | null, at: number) => MoveRow[]>} */
const ROWS = { amazons: pairRows, pincer: turnRows };

/**
 * Rows {number, role?, cells: [{text, turn?, last?, open?}]}; `turn` is the number of the turn, counted
 * from 1, and `last` marks the newest shown turn, number `at`. `open` is the draft's
 * entry: {role, text, joins}, where `joins` says that it goes on with the last turn of the record.
 *
 * @param {string} key
 * @param {Turn[]} turns
 * @param {OpenEntry | null} [open]
 * @param {number} [at]
 */
export function rowsOf(key, turns, open = null, at = turns.length) {
  return ROWS[familyOf(key)](turns, open, at);
}

/** @type {Wire.ByRole<[string, string]>} */
const SIGNS = { white: ["△", t("triangles")], black: ["○", t("circles")] };

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** @param {MoveCell} cell */
function cellOf({ text, time = "", turn = null, last = false, open = false, ahead = false }) {
  const cell = element(turn === null ? "span" : "button", "cell", text);
  if (ahead) {
    const mark = element("span", "ahead", "»");
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", t("played ahead"));
    mark.title = t("played ahead");
    cell.append(" ", mark);
  }
  if (time) cell.append(" ", element("span", "time", time));
  if (open) cell.classList.add("open");
  if (turn === null) return cell;
  /** @type {HTMLButtonElement} */ (cell).type = "button";
  cell.dataset.turns = String(turn);
  cell.tabIndex = last ? 0 : -1;
  if (last) {
    cell.classList.add("newest");
    cell.setAttribute("aria-current", "true");
  }
  return cell;
}

/** @param {MoveRow} row */
function rowOf({ number, role, cells }) {
  const row = element("li", role ? "row with-sign" : "row");
  row.append(element("span", "number", String(number)));
  if (role) {
    const [sign, name] = SIGNS[role];
    const mark = element("span", "sign", sign);
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", name);
    row.append(mark);
  }
  row.append(...cells.map(cellOf));
  return row;
}

export class MoveList {
  /**
   * `onTurn(number)` is called with the turn that was pressed.
   *
   * @param {HTMLElement} list
   * @param {string} key
   * @param {(turn: number) => void} onTurn
   */
  constructor(list, key, onTurn) {
    this.list = list;
    this.key = key;
    this.shown = "";
    this.atEnd = true;
    this.height = 0;
    this.scroll = required(list.parentElement, "the scrolled element of the move list");
    this.scroll.addEventListener("scroll", () => this.handleScroll());
    new ResizeObserver(() => this.handleResize()).observe(this.scroll);
    list.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const turn = target.closest("[data-turns]")?.dataset.turns;
      if (turn) onTurn(Number(turn));
    });
  }

  /** A person who has scrolled back is left there; a scroll that a change of size made is none. */
  handleScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroll;
    if (clientHeight !== this.height) return;
    this.atEnd = scrollHeight - scrollTop - clientHeight < 20;
  }

  handleResize() {
    this.height = this.scroll.clientHeight;
    if (this.atEnd) this.toEnd();
  }

  /** Without moves, the text above the list stays in sight. */
  toEnd() {
    this.scroll.scrollTop = this.list.firstChild ? this.scroll.scrollHeight : 0;
    this.atEnd = true;
  }

  /** Brings the shown turn into sight, without moving the page. */
  toShown() {
    const row = /** @type {HTMLElement | null | undefined} */ (
      this.list.querySelector(".newest")?.closest(".row")
    );
    if (!row) {
      this.scroll.scrollTop = 0;
      return;
    }
    const top = row.offsetTop - this.list.offsetTop;
    const { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop) this.scroll.scrollTop = top;
    else if (top + row.offsetHeight > scrollTop + clientHeight) {
      this.scroll.scrollTop = top + row.offsetHeight - clientHeight;
    }
  }

  /**
   * `at`: the number of the turn that is shown; `back`: somebody looks back at it.
   *
   * @param {Turn[]} turns
   * @param {OpenEntry | null} open
   * @param {number} at
   * @param {boolean} back
   */
  show(turns, open, at, back) {
    const rows = rowsOf(this.key, turns, open, at);
    const text = JSON.stringify(rows);
    if (text === this.shown) return;
    const grown = rows.length > this.list.children.length;
    const focused = this.list.contains(document.activeElement);
    this.shown = text;
    this.list.replaceChildren(...rows.map(rowOf));
    this.keepStop();
    if (back) this.toShown();
    else if (grown || this.atEnd) this.toEnd();
    if (focused) this.list.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  /** There is always one stop for the tab key, also before the first turn. */
  keepStop() {
    if (this.list.querySelector("[tabindex='0']")) return;
    const first = this.list.querySelector("button");
    if (first) first.tabIndex = 0;
  }
}
