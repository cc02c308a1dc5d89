/** The part of a puzzle's page beside the board: the tries, and the answer once it has ended. */

import { byId, find, makeElement } from "../lib/dom.js";
import { t } from "../lib/text.js";

const OR_FORMAT = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" });

/**
 * A try as a mark for those who see the page, and as a sentence for those who hear it.
 *
 * @param {number} number
 * @param {string} turn empty: not made yet
 * @param {boolean} isSolved
 */
function tryItem(number, turn, isSolved) {
  const item = document.createElement("li");
  const [mark, heard] = [document.createElement("span"), document.createElement("span")];
  mark.setAttribute("aria-hidden", "true");
  heard.className = "unseen";
  item.append(mark, heard);
  if (!turn) {
    mark.textContent = String(number);
    heard.textContent = t("Try {number}: open", { number });
    return item;
  }
  item.className = isSolved ? "solved" : "missed";
  mark.textContent = `${isSolved ? "✓" : "✕"} ${turn}`;
  heard.textContent = isSolved
    ? t("Try {number}: {turn}, solved", { number, turn })
    : t("Try {number}: {turn}, wrong", { number, turn });
  return item;
}

export class AnswerBox {
  constructor() {
    this.share = "";
    byId("puzzle-copy").addEventListener("click", () => this.copy());
  }

  /** @param {PuzzleProgress} progress */
  show({ tries, most, tried, solved, end }) {
    const items = [];
    for (let number = 1; number <= most; number += 1) {
      if (end && number > tries) break;
      items.push(tryItem(number, tried[number - 1] ?? "", solved && number === tries));
    }
    byId("puzzle-tries").replaceChildren(...items);
    byId("puzzle-end").hidden = end === null;
    if (end !== null) this.showEnd(end);
  }

  /** @param {PuzzleEnd} end */
  showEnd({ solution, proof, rating, analysis, source, share }) {
    byId("puzzle-solution").textContent = OR_FORMAT.format(solution);
    byId("puzzle-proof").textContent = proof;
    byId("puzzle-rating").textContent = rating ?? "";
    const link = /** @type {HTMLAnchorElement} */ (byId("puzzle-analysis"));
    link.hidden = analysis === "";
    if (analysis) link.href = analysis;
    byId("puzzle-source").hidden = source === null;
    const game = /** @type {HTMLAnchorElement} */ (byId("puzzle-game"));
    if (source) {
      game.href = source.url;
      game.textContent = source.say;
    }
    this.share = share;
    byId("puzzle-copy").hidden = share === "";
  }

  /**
   * Shows what a tried split of Blotto earns against each of the opponent's; null: nothing.
   *
   * @param {PuzzleEarned | null} earned
   */
  showEarned(earned) {
    const box = document.getElementById("puzzle-earned");
    if (box === null) return; // the puzzle is none of Blotto
    box.hidden = earned === null;
    if (earned === null) return;
    find(box, "p").textContent = earned.say;
    const isOver = earned.rows[0].best !== null;
    find(box, "thead th:last-child").hidden = !isOver;
    find(box, "tbody").replaceChildren(
      ...earned.rows.map(({ split, tried, best }) => {
        const row = document.createElement("tr");
        const cells = [split, tried, ...(isOver ? [best] : [])];
        row.append(...cells.map((text) => makeElement("td", "", {}, String(text))));
        return row;
      }),
    );
  }

  async copy() {
    const said = byId("puzzle-copied");
    try {
      await navigator.clipboard.writeText(this.share);
      said.textContent = t("Copied.");
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      said.textContent = this.share; // no clipboard, as without HTTPS: it can be selected
    }
  }
}
