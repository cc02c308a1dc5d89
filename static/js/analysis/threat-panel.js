/** The threat: the best turn of the other side in the shown position, if it were to move. */

import { opposed } from "../engine/opposed.js";
import { OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { SearchPanel } from "./search-panel.js";
import { threatSentence } from "./sentences.js";

/** Nodes at which the search of a threat ends. */
const NODES = 10_000;

export class ThreatPanel extends SearchPanel {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {Wire.ByRole<string>} options.names
   * @param {string} options.language
   * @param {(actions: readonly string[]) => void} options.onThreat takes the turn, to draw it; no actions:
   *     none is known
   */
  constructor(key, { names, language, onThreat }) {
    super(key, { prefix: "threat", nodes: NODES, lines: 1 });
    this.names = names;
    this.language = language;
    this.onThreat = onThreat;
  }

  /** @override */
  label() {
    return this.isOn ? t("Hide threat") : t("Show threat");
  }

  /** @override Frees the memory too: most people do not ask for a threat again. */
  end() {
    this.search.close();
  }

  /** @override */
  clear() {
    this.sentence.textContent = "";
    this.onThreat([]);
  }

  /** @override */
  start() {
    const { position } = this;
    const other = position && !position.ending ? opposed(position.position) : null;
    if (other !== null) {
      this.search.start(other);
      return;
    }
    this.search.stop();
    this.sentence.textContent = t("There’s no threat here: the game is over.");
  }

  /**
   * @override
   * @param {AnalysisPosition} position
   * @param {Analysis} analysis
   */
  write({ view }, { lines: [line], isDone }) {
    if (!line && !isDone) return;
    const role = OTHER[/** @type {Role} */ (view.to_move)];
    this.sentence.textContent = threatSentence(line ?? null, this.names[role], this.language);
    this.onThreat(line?.turns[0] ?? []);
  }
}
