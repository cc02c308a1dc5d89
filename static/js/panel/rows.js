/** The rows of the move list, from the goes of the record. Pure. */

import { familyOf } from "../board/speech.js";

const textOf = ({ role, text }) => text[role] ?? "";

/** One row for a pair of goes, as in Amazons: number, white's go, black's go. */
function pairRows(goes, open, at) {
  const rows = [];
  const cell = (role, text, extra) => {
    const newest = rows.at(-1);
    const fits = newest && role === "black" && newest.cells.length === 1;
    const row = fits ? newest : { number: rows.length + 1, cells: [] };
    if (!fits) rows.push(row);
    if (!fits && role === "black") row.cells.push({ text: "" });
    row.cells.push({ text, ...extra });
  };
  goes.forEach(({ role, turns }, index) => {
    const last = index + 1 === at;
    const joined = turns.map(textOf).join("");
    if (index === goes.length - 1 && open?.joins) cell(role, joined + open.text, { open: true });
    else cell(role, joined, { go: index + 1, last });
  });
  if (open && !open.joins && open.text) cell(open.role, open.text, { open: true });
  return rows;
}

/** One row for each go, as in Pincer: number, the role's figure, its one or two moves. */
function goRows(goes, open, at) {
  const rows = goes.map(({ role, turns }, index) => ({
    role,
    cells: turns.map((turn, step) => ({
      text: textOf(turn),
      go: index + 1,
      last: index + 1 === at && step === turns.length - 1,
    })),
  }));
  if (open?.text) {
    if (!open.joins || rows.length === 0) rows.push({ role: open.role, cells: [] });
    const cells = open.text.trim().split(" ").map((text) => ({ text, open: true }));
    rows.at(-1).cells.push(...cells);
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

const ROWS = { amazons: pairRows, pincer: goRows };

/**
 * Rows {number, role?, cells: [{text, go?, last?, open?}]}; `go` is the number of the go, counted
 * from 1, and `last` marks the newest of what is shown: the go number `at`. `open` is what is in the
 * hand: {role, text, joins}, where `joins` says that it goes on with the last go of the record.
 */
export function rowsOf(key, goes, open = null, at = goes.length) {
  return ROWS[familyOf(key)](goes, open, at);
}
