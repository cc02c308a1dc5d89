/** Rows of the lab's tables. */

import { makeElement } from "../lib/dom.js";
import { fractionText } from "./fractions.js";
import { expectedPoints, pointsOf, splitText } from "./split-table.js";

/**
 * A row whose first cell is its heading.
 *
 * @param {string[]} texts
 */
export function cellsRow([name, ...cells]) {
  const row = makeElement("tr", "");
  row.append(
    makeElement("th", "", { scope: "row" }, name),
    ...cells.map((text) => makeElement("td", "", {}, text)),
  );
  return row;
}

/**
 * A round: own split, the other one, points, and what the own split is worth.
 *
 * @param {LabTable} table
 * @param {LabRound} round
 * @param {string} language
 */
export function roundRow(table, [own, other], language) {
  return cellsRow([
    splitText(table, own),
    splitText(table, other),
    String(pointsOf(table, own, other)),
    fractionText(expectedPoints(table, own), language),
  ]);
}
