/** The form of the trainer: troops for each field, and the rounds so far. */

import { byId, find, makeElement } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";
import { decimalText } from "./fractions.js";
import { roundRow } from "./rows.js";
import { indexOf } from "./split-table.js";
import { afterRound, drawSplit, NEW_TRAINING } from "./trainer.js";

export class TrainerForm {
  /**
   * @param {LabTable} table
   * @param {string} language
   */
  constructor(table, language) {
    this.table = table;
    this.language = language;
    this.training = NEW_TRAINING;
    this.total = table.splits[0].reduce((sum, troops) => sum + troops, 0);
    this.inputs = table.splits[0].map((_, field) => this.makeField(field));
    const form = byId("trainer");
    form.hidden = false;
    form.addEventListener("input", () => this.showLeft());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.play();
    });
    this.showLeft();
  }

  /** @param {number} field */
  makeField(field) {
    const label = makeElement("label", "", {}, t("Field {number}", { number: field + 1 }));
    const input = /** @type {HTMLInputElement} */ (
      makeElement("input", "field", { type: "number", min: 0, max: this.total, value: 0 })
    );
    input.inputMode = "numeric";
    label.append(input);
    byId("trainer-fields").append(label);
    return input;
  }

  get troops() {
    return this.inputs.map((input) => input.valueAsNumber);
  }

  showLeft() {
    const left = this.total - this.troops.reduce((sum, troops) => sum + (troops || 0), 0);
    const button = /** @type {HTMLButtonElement} */ (byId("trainer-play"));
    button.disabled = indexOf(this.table, this.troops) < 0;
    byId("trainer-left").hidden = left === 0;
    byId("trainer-left").textContent =
      left >= 0
        ? tn("{count} troop left to place.", "{count} troops left to place.", left)
        : tn("{count} troop too many.", "{count} troops too many.", -left);
  }

  play() {
    const own = indexOf(this.table, this.troops);
    if (own < 0) return;
    const other = drawSplit(this.table, Math.random());
    this.training = afterRound(this.table, this.training, [own, other]);
    byId("trainer-table").hidden = false;
    find(byId("trainer-table"), "tbody").prepend(roundRow(this.table, [own, other], this.language));
    const { rounds, own: points, expected } = this.training;
    byId("trainer-say").textContent = tn(
      "{points} points in {count} round; your splits were worth {expected}, even is {even}.",
      "{points} points in {count} rounds; your splits were worth {expected}, even is {even}.",
      rounds.length,
      {
        points,
        expected: decimalText(expected, this.language),
        even: (rounds.length * this.table.roundPoints) / 2,
      },
    );
  }
}
