/** Search for a better turn than a played one: the board goes back, and the reader's tries are judged. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { chanceOf } from "./marks.js";
import { judgeRetry } from "./retry.js";
import { RUNGS, SEED } from "./review.js";
import { engineFault } from "./sentences.js";

export class BetterTurn {
  /**
   * @param {import("./analysis-board.js").AnalysisBoard} board
   * @param {{ engine: import("./engine-panel.js").EnginePanel, language: string }} options
   */
  constructor(board, { engine, language }) {
    this.board = board;
    this.engine = engine;
    this.language = language;
    /** The turn for which a better one is looked for. @type {TurnLoss | null} */
    this.asked = null;
    byId("retry-end").addEventListener("click", () => this.end());
  }

  get isOn() {
    return this.asked !== null;
  }

  /** Asks for a better turn in the position that is shown. @param {TurnLoss} loss */
  begin(loss) {
    this.asked = loss;
    this.engine.hide(true);
    byId("retry-end").hidden = false;
    byId("verdict").textContent = t("Find a better move for {name}.", {
      name: this.board.data.names[loss.role],
    });
    byId("board").scrollIntoView({ block: "nearest" });
  }

  end() {
    if (!this.isOn) return;
    this.asked = null;
    this.engine.hide(false);
    byId("retry-end").hidden = true;
    byId("verdict").textContent = "";
  }

  /**
   * Judges a turn that was tried, with the nodes of a review's last pass; the board goes back after one
   * that is not good enough. Does nothing while no better turn is looked for.
   *
   * @param {number} index
   */
  async judge(index) {
    const { asked, board } = this;
    if (!asked) return;
    const node = board.tree.nodes[index];
    byId("verdict").textContent = t("Checking your move…");
    const chance = await this.chanceAfter(node, asked.role);
    if (this.asked !== asked || chance === null) return;
    const isChoice = node.actions.join() === asked.better?.[0].join();
    const { isFound, say } = judgeRetry(asked, chance, isChoice, this.language);
    if (isFound) this.end();
    else board.go(asked.turn - 2);
    byId("verdict").textContent = say;
  }

  /**
   * A player's chance after a turn; null where the engine cannot run.
   *
   * @param {AnalysisNode} node
   * @param {Role} role
   */
  async chanceAfter({ view, position, ending }, role) {
    const own = (/** @type {number} */ white) => (role === "white" ? white : 1 - white);
    if (ending) return ending.winner === null ? 0.5 : Number(ending.winner === role);
    /** @type {import("../engine/engine.js").Engine | null} */
    let judgeEngine = null;
    try {
      const { openEngine } = await import("../engine/engine.js");
      judgeEngine = openEngine(this.board.data.key);
      const nodes = RUNGS[RUNGS.length - 1];
      const { lines } = await judgeEngine.analyse(position, { nodes, seed: SEED });
      return own(chanceOf(lines[0].value, /** @type {Role} */ (view.to_move)));
    } catch (error) {
      byId("verdict").textContent = engineFault(error);
      return null;
    } finally {
      judgeEngine?.close();
    }
  }
}
