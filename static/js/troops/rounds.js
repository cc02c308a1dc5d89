/** The track of Blotto: the table of rounds, and the score line of thirty cells. */

import { OTHER } from "../panel/words.js";
import { t } from "../text.js";

function make(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function rowOf(name, cells, sum, current) {
  const row = document.createElement("tr");
  const head = make("th", name);
  head.scope = "row";
  row.append(head);
  cells.forEach((text, index) => row.append(make("td", text, index === current ? "current" : "")));
  row.append(make("td", String(sum), "sum"));
  return row;
}

function headOf(rounds, current) {
  const row = document.createElement("tr");
  row.append(make("th", t("Round"), "round"));
  for (let round = 1; round <= rounds; round += 1) {
    const cell = make("th", String(round), round - 1 === current ? "current" : "");
    cell.scope = "col";
    row.append(cell);
  }
  row.append(make("th", t("Sum"), "sum"));
  return row;
}

/** The table, near side first; `current` is the framed round, from 0, or null. */
export function roundsTable({ view, seats }, near, current) {
  const table = make("table", "", "track number");
  const [head, body] = [make("thead"), make("tbody")];
  head.append(headOf(view.rounds, current));
  for (const role of [near, OTHER[near]]) {
    const cells = Array.from({ length: view.rounds }, (_, index) =>
      String(view.scores[role][index] ?? "·"),
    );
    body.append(rowOf(seats[role].name, cells, view.totals[role], current));
  }
  table.append(head, body);
  return table;
}

/** Fills the score line: the near side's points from the left, the far side's from the right. */
export function fillScore(element, { view, seats }, near) {
  const far = OTHER[near];
  const cells = view.rounds * view.fields * 2;
  const line = make("div", "", "score-line");
  for (let index = 0; index < cells; index += 1) {
    const isNear = index < view.totals[near];
    const isFar = index >= cells - view.totals[far];
    line.append(make("i", "", isNear ? near : isFar ? far : ""));
  }
  element.setAttribute(
    "aria-label",
    t("{near} {ours}, {far} {theirs}", {
      near: seats[near].name,
      ours: view.totals[near],
      far: seats[far].name,
      theirs: view.totals[far],
    }),
  );
  element.replaceChildren(
    make("b", String(view.totals[near])),
    line,
    make("b", String(view.totals[far])),
  );
}
