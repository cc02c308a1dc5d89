/** The threat: what the other side would play in the position that is shown, if it were to move. */

import { opposed } from "../engine/opposed.js";
import { byId } from "../lib/dom.js";
import { OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { PositionSearch } from "./position-search.js";
import { threatSentence } from "./sentences.js";

/** Nodes at which the search of a threat ends. */
const NODES = 10_000;

export class ThreatPanel {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {Wire.ByRole<string>} options.names
   * @param {string} options.language
   * @param {(actions: readonly string[]) => void} options.onThreat takes the turn, to draw it; no actions:
   *     none is known
   */
  constructor(key, { names, language, onThreat }) {
    this.names = names;
    this.language = language;
    this.onThreat = onThreat;
    /** @type {AnalysisPosition | null} */
    this.position = null;
    this.isOn = false;
    this.search = new PositionSearch(key, {
      nodes: NODES,
      lines: 1,
      onLines: (analysis) => this.position && this.write(this.position, analysis),
      onFail: (sentence) => this.fail(sentence),
    });
    this.toggle = byId("threat-toggle");
    this.toggle.addEventListener("click", () => this.turn(!this.isOn));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.toggle.textContent = isOn ? t("Hide threat") : t("Show threat");
    this.clear();
    if (isOn) this.start();
    else this.search.close();
  }

  /** @param {AnalysisPosition} position */
  show(position) {
    const isSame = this.position?.position === position.position;
    this.position = position;
    if (isSame || !this.isOn) return;
    this.clear();
    this.start();
  }

  clear() {
    byId("threat-say").textContent = "";
    this.onThreat([]);
  }

  start() {
    const { position } = this;
    const other = position && !position.ending ? opposed(position.position) : null;
    if (other !== null) {
      this.search.start(other);
      return;
    }
    this.search.stop();
    byId("threat-say").textContent = t("There’s no threat here: the game is over.");
  }

  /** @param {string} sentence */
  fail(sentence) {
    this.turn(false);
    byId("threat-say").textContent = sentence;
  }

  /**
   * @param {AnalysisPosition} position
   * @param {Analysis} analysis
   */
  write({ view }, { lines: [line], isDone }) {
    if (!line && !isDone) return;
    const role = OTHER[/** @type {Role} */ (view.to_move)];
    byId("threat-say").textContent = threatSentence(line ?? null, this.names[role], this.language);
    this.onThreat(line?.turns[0] ?? []);
  }
}
