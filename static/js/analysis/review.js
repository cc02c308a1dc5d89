/**
 * The review of a game: every position is judged by the engine, first quickly, then better.
 *
 * The rungs are fixed, so that two reviews by the same engine are the same to the bit.
 */

import { chanceOf, finalChance } from "./marks.js";

/** Nodes of the engine for each position, rung by rung. */
export const RUNGS = /** @type {const} */ ([200, 2_000, 10_000]);

/** The seed of every search of a review. */
export const SEED = 1;

/**
 * @typedef {object} Progress
 * @property {number} rung the index of the rung that runs, or of the last one
 * @property {number} done positions judged on it
 * @property {number} count positions
 */

/** @typedef {Pick<import("../engine/engine.js").Engine, "analyse" | "stop">} Analyser */

/**
 * The verdict on a position that the engine has searched.
 *
 * @param {AnalysisPosition} position
 * @param {readonly EngineLine[]} lines the best first
 * @returns {Verdict}
 */
export function verdictOf({ view, ending }, lines) {
  const [best] = lines;
  if (ending || !best) {
    const chance = finalChance(ending?.winner ?? null);
    return { value: 0, chance, isProved: ending !== null, line: null };
  }
  const { value, isProved, turns } = best;
  const chance = chanceOf(value, /** @type {Role} */ (view.to_move));
  return { value, chance, isProved, line: turns };
}

export class Review {
  /**
   * @param {readonly AnalysisPosition[]} positions the start, then the position after each turn
   * @param {Analyser} engine
   * @param {(progress: Progress) => void} onProgress called after each position
   */
  constructor(positions, engine, onProgress) {
    this.positions = positions;
    this.engine = engine;
    this.onProgress = onProgress;
    /** @type {(Verdict | undefined)[]} */
    this.verdicts = positions.map(() => undefined);
    this.isStopped = false;
  }

  /** Judges all positions on all rungs; rejects as `Engine.analyse` does. */
  async run() {
    for (const [rung, nodes] of RUNGS.entries()) {
      for (const [index, position] of this.positions.entries()) {
        const verdict = await this.judge(position, nodes, this.verdicts[index]);
        if (this.isStopped) return;
        this.verdicts[index] = verdict;
        this.onProgress({ rung, done: index + 1, count: this.positions.length });
      }
    }
  }

  /**
   * A proved verdict stays: more nodes cannot change it.
   *
   * @param {AnalysisPosition} position
   * @param {number} nodes
   * @param {Verdict | undefined} before
   */
  async judge(position, nodes, before) {
    if (before?.isProved) return before;
    if (position.ending) return verdictOf(position, []);
    const { lines } = await this.engine.analyse(position.position, { nodes, seed: SEED });
    return verdictOf(position, lines);
  }

  stop() {
    this.isStopped = true;
    this.engine.stop();
  }
}
