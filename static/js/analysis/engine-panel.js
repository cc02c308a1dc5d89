/** The engine's lines for the shown position; a press on a turn plays it. */

import { byId, makeElement } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";
import { chanceOf } from "./marks.js";
import { SearchPanel } from "./search-panel.js";
import { percentText, standingSentence } from "./sentences.js";
import { actionsText, moveAndArrow } from "./turn-text.js";

/** Lines that are shown. */
const LINES = 3;

/** Nodes at which the search of a position ends. */
const NODES = 40_000;

/** Turns of a line that are shown after its first. */
const SHOWN_REPLIES = 4;

export class EnginePanel extends SearchPanel {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {Wire.ByRole<string>} options.names
   * @param {string} options.language
   * @param {(actions: string[]) => void} options.onTurn plays the first turn of a line
   * @param {(actions: readonly string[]) => void} options.onBest takes the best turn, to draw it; no actions:
   *     none is known
   */
  constructor(key, { names, language, onTurn, onBest }) {
    super(key, { prefix: "engine", nodes: NODES, lines: LINES });
    this.names = names;
    this.language = language;
    this.onTurn = onTurn;
    this.onBest = onBest;
    /** Lines are not told while one looks for a turn. */
    this.isHidden = false;
    /** The first turn of the best line. @type {readonly string[]} */
    this.best = [];
  }

  /** @override */
  label() {
    return this.isOn ? t("Hide best moves") : t("Show best moves");
  }

  /** @param {boolean} isHidden */
  hide(isHidden) {
    this.isHidden = isHidden;
    byId("engine-lines").hidden = isHidden;
    this.sentence.hidden = isHidden;
    this.onBest(isHidden ? [] : this.best);
  }

  /** @override */
  clear() {
    byId("engine-lines").replaceChildren();
    this.best = [];
    this.onBest([]);
  }

  /** @override */
  start() {
    const { position } = this;
    if (!position) return;
    if (position.ending) {
      this.search.stop();
      this.sentence.textContent = t("The game is over here.");
    } else this.search.start(position.position);
  }

  /**
   * @override
   * @param {AnalysisPosition} position
   * @param {Analysis} analysis
   */
  write({ view }, { lines, nodes }) {
    const role = /** @type {Role} */ (view.to_move);
    const [best] = lines;
    if (!best) return;
    const chance = chanceOf(best.value, role);
    const standing = standingSentence(chance, best.isProved, this.names, this.language);
    const size = nodes.toLocaleString(this.language);
    this.sentence.textContent = `${standing} ${tn("{size} position examined.", "{size} positions examined.", nodes, { size })}`;
    byId("engine-lines").replaceChildren(...lines.map((line) => this.row(line, role)));
    this.best = best.turns[0];
    if (!this.isHidden) this.onBest(this.best);
  }

  /**
   * @param {EngineLine} line
   * @param {Role} role whose turn it is
   */
  row({ value, turns, isProved }, role) {
    const [first, ...replies] = turns;
    const row = makeElement("li", "engine-line");
    const { move, arrow } = moveAndArrow(first);
    const button = makeElement("button", "engine-turn number", { type: "button" });
    button.append(makeElement("b", "", {}, move));
    if (arrow) button.append(makeElement("span", "engine-arrow", {}, ` / ${arrow}`));
    button.addEventListener("click", () => this.onTurn(first));
    const own = role === "white" ? chanceOf(value, role) : 1 - chanceOf(value, role);
    const percent = percentText(own, this.language);
    row.append(
      makeElement(
        "span",
        "engine-value number",
        {},
        isProved ? t("{percent}, proved", { percent }) : percent,
      ),
      button,
      makeElement(
        "span",
        "small number engine-replies",
        {},
        replies.slice(0, SHOWN_REPLIES).map(actionsText).join("  "),
      ),
    );
    return row;
  }
}
