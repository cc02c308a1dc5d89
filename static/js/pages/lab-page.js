/** Entry of the Blotto lab: fills the tables of a side's rounds, and runs the trainer. */

import "./base.js";
import { decimalText, fraction, fractionText } from "../lab/fractions.js";
import { habitSentences } from "../lab/habit-sentences.js";
import { bestReplies, exploitability, MIN_ROUNDS, replyTotals } from "../lab/replies.js";
import { cellsRow, roundRow } from "../lab/rows.js";
import { decodeTable, expectedPoints, splitText } from "../lab/split-table.js";
import { TrainerForm } from "../lab/trainer-form.js";
import { byId, makeElement, readJson } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";

/** Rows of replies before all are asked for. */
const SHOWN_REPLIES = 8;

/** Rounds up to which each one has a row. */
const MAX_LISTED_ROUNDS = 10;

const language = document.documentElement.lang;

/** @type {LabData} */
const lab = readJson("lab");

const table = decodeTable(lab.table);

/** Whether all replies are shown. */
let isAll = false;

/** @param {LabSide} side */
const roundsOf = ({ games }) => games.flatMap(([, rounds]) => rounds);

/** @param {number} split */
const worth = (split) => fractionText(expectedPoints(table, split), language);

/** @param {LabRound[]} rounds */
function showRounds(rounds) {
  byId("rounds-part").hidden = rounds.length === 0 || rounds.length > MAX_LISTED_ROUNDS;
  byId("rounds").replaceChildren(...rounds.map((round) => roundRow(table, round, language)));
}

/** @param {LabRound[]} rounds */
function showReplies(rounds) {
  byId("replies-part").hidden = rounds.length === 0;
  if (!rounds.length) return;
  const totals = replyTotals(
    table,
    rounds.map(([, other]) => other),
  );
  const best = bestReplies(totals);
  const order = totals.map((_, reply) => reply).sort((a, b) => totals[b] - totals[a] || a - b);
  byId("replies-say").textContent = tn(
    "{split} would have won {points} of {all} points in this round.",
    "{split} would have won {points} of {all} points in these {count} rounds.",
    rounds.length,
    {
      split: splitText(table, best[0]),
      points: totals[best[0]],
      all: rounds.length * table.roundPoints,
    },
  );
  const shown = isAll ? order : order.slice(0, SHOWN_REPLIES);
  byId("replies").replaceChildren(
    ...shown.map((reply) => {
      const mean = fractionText(fraction(totals[reply], rounds.length), language);
      const row = cellsRow([splitText(table, reply), mean, worth(reply)]);
      row.classList.toggle("lab-best", best.includes(reply));
      return row;
    }),
  );
}

/** @param {LabSide} side */
function showHabits(side) {
  const rounds = roundsOf(side);
  const own = rounds.map(([split]) => split);
  byId("habits-part").hidden = own.length === 0;
  const found = exploitability(table, own);
  byId("predictable").textContent = found
    ? t(
        "An opponent who knew half of these rounds would win {mean} ± {margin} points a round in the other half. Perfect play allows 3.",
        {
          mean: decimalText(found.mean, language),
          margin: decimalText(found.margin, language),
        },
      )
    : tn(
        "Habits show from {least} rounds on: {count} more needed.",
        "Habits show from {least} rounds on: {count} more needed.",
        MIN_ROUNDS - own.length,
        { least: MIN_ROUNDS },
      );
  const sentences = found ? habitSentences(table, side.games, language) : [];
  byId("habits").replaceChildren(...sentences.map((text) => makeElement("p", "small", {}, text)));
}

/** @param {LabSide} side */
function show(side) {
  const rounds = roundsOf(side);
  showRounds(rounds);
  showReplies(rounds);
  showHabits(side);
}

/** @param {LabSide} chosen */
function showSides(chosen) {
  if (lab.sides.length < 2) return;
  const buttons = lab.sides.map((side) => {
    const name = side.is_own ? t("Your rounds") : side.name;
    const button = makeElement("button", "", { "aria-pressed": side === chosen }, name);
    button.addEventListener("click", () => open(side));
    return button;
  });
  byId("sides").replaceChildren(...buttons);
}

/** @param {LabSide} side */
function open(side) {
  const hadFocus = byId("main").contains(document.activeElement);
  const index = lab.sides.indexOf(side);
  showSides(side);
  if (hadFocus && lab.sides.length > 1)
    /** @type {HTMLElement} */ (byId("sides").children[index]).focus();
  show(side);
  current = side;
}

let current = lab.sides[0];

open(current);

byId("all-replies").addEventListener("click", () => {
  isAll = !isAll;
  byId("all-replies").setAttribute("aria-expanded", String(isAll));
  byId("all-replies").textContent = isAll ? t("Show fewer") : t("Show all splits");
  showReplies(roundsOf(current));
});

new TrainerForm(table, language);
