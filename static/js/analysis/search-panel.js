/** A panel that searches the shown position while it is switched on. */

import { byId } from "../lib/dom.js";
import { PositionSearch } from "./position-search.js";

/** @abstract Subclasses define the searched position and the display of the lines. */
export class SearchPanel {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {string} options.prefix of the ids of its button (`-toggle`) and of its sentence (`-say`)
   * @param {number} options.nodes at which the search of a position ends
   * @param {number} options.lines
   */
  constructor(key, { prefix, nodes, lines }) {
    /** @type {AnalysisPosition | null} */
    this.position = null;
    this.isOn = false;
    this.search = new PositionSearch(key, {
      nodes,
      lines,
      onLines: (analysis) => this.position && this.write(this.position, analysis),
      onFail: (sentence) => this.fail(sentence),
    });
    this.sentence = byId(`${prefix}-say`);
    this.toggle = byId(`${prefix}-toggle`);
    this.toggle.addEventListener("click", () => this.turn(!this.isOn));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.toggle.textContent = this.label();
    this.sentence.textContent = "";
    this.clear();
    if (isOn) this.start();
    else this.end();
  }

  /** @param {AnalysisPosition} position */
  show(position) {
    const isSame = this.position?.position === position.position;
    this.position = position;
    if (isSame || !this.isOn) return;
    this.clear();
    this.start();
  }

  /**
   * Switches itself off, so that a press tries it anew.
   *
   * @param {string} sentence
   */
  fail(sentence) {
    this.turn(false);
    this.sentence.textContent = sentence;
  }

  /** Ends the search when the panel is switched off. */
  end() {
    this.search.stop();
  }

  /**
   * The text of the button.
   *
   * @abstract
   * @returns {string}
   */
  label() {
    throw new Error("a subclass has its own");
  }

  /** Starts the search of the position, or says why there is none. @abstract */
  start() {
    throw new Error("a subclass has its own");
  }

  /** Removes the results for the previous position. @abstract */
  clear() {
    throw new Error("a subclass has its own");
  }

  /**
   * Shows the results of the search so far.
   *
   * @abstract
   * @param {AnalysisPosition} _position
   * @param {Analysis} _analysis
   */
  write(_position, _analysis) {
    throw new Error("a subclass has its own");
  }
}
