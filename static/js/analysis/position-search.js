/** The engine's search of the position that is shown, opened when it is first wanted. */

import { engineFault } from "./sentences.js";

/** @typedef {import("../engine/engine.js").Engine} Engine */

export class PositionSearch {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {number} options.nodes at which the search of a position ends
   * @param {number} options.lines
   * @param {(analysis: Analysis) => void} options.onLines
   * @param {(sentence: string) => void} options.onFail the engine cannot run, or runs no more
   */
  constructor(key, options) {
    this.key = key;
    this.options = options;
    /** The text of the position that is searched. @type {string | null} */
    this.wanted = null;
    /** @type {Engine | null} */
    this.engine = null;
  }

  /**
   * Searches a position, and stops the search of another one.
   *
   * @param {string} position
   */
  async start(position) {
    this.wanted = position;
    const isWanted = () => this.wanted === position;
    try {
      const { openEngine } = await import("../engine/engine.js");
      if (!isWanted()) return;
      this.engine ??= openEngine(this.key);
      const { nodes, lines, onLines } = this.options;
      await this.engine.analyse(position, {
        nodes,
        lines,
        onLines: (analysis) => isWanted() && onLines(analysis),
      });
    } catch (error) {
      if (isWanted()) this.#fail(error);
    }
  }

  stop() {
    this.wanted = null;
    this.engine?.stop();
  }

  /** Ends the worker and frees its memory; the next search opens another one. */
  close() {
    this.stop();
    this.engine?.close();
    this.engine = null;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.close();
    this.options.onFail(engineFault(error));
  }
}
