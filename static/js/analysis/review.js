/**
 * The review of a game: every position is judged by the engine, first quickly, then better.
 *
 * The rungs are fixed, so that two reviews by the same engine are the same to the bit. Several engines
 * share the positions: the verdict on a position does not depend on which of them judges it.
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

/** Engines that review a game at once, each in a worker. */
export const MAX_ENGINES = 4;

/**
 * The number of engines that a browser should open for a review: a core is left to the page where there are more
 * than two.
 *
 * @param {number} [cores] as the browser tells it; some do not
 */
export function engineCount(cores = 2) {
  return Math.max(1, Math.min(MAX_ENGINES, cores, Math.max(2, cores - 1)));
}

export class Review {
  /**
   * @param {readonly AnalysisPosition[]} positions the start, then the position after each turn
   * @param {readonly Analyser[]} engines at least one
   * @param {(progress: Progress) => void} onProgress called after each position
   */
  constructor(positions, engines, onProgress) {
    this.positions = positions;
    this.engines = [...engines];
    this.onProgress = onProgress;
    /** @type {(Verdict | undefined)[]} */
    this.verdicts = positions.map(() => undefined);
    this.isStopped = false;
  }

  /** Judges all positions on all rungs; rejects as `Engine.analyse` does once no engine is left. */
  async run() {
    for (const [rung, nodes] of RUNGS.entries()) {
      const pass = { rung, nodes, done: 0, waiting: [...this.positions.keys()].reverse() };
      // An engine that fails leaves its position to the others, which may be done already.
      while (pass.waiting.length && !this.isStopped)
        await Promise.all(this.engines.map((engine) => this.work(engine, pass)));
      if (this.isStopped) return;
    }
  }

  /**
   * Judges the positions of a pass that wait, one after another.
   *
   * @param {Analyser} engine
   * @param {{ rung: number, nodes: number, done: number, waiting: number[] }} pass
   */
  async work(engine, pass) {
    while (pass.waiting.length && !this.isStopped) {
      const index = /** @type {number} */ (pass.waiting.pop());
      let verdict;
      try {
        verdict = await this.judge(engine, this.positions[index], pass.nodes, this.verdicts[index]);
      } catch (error) {
        pass.waiting.push(index);
        this.drop(engine, error);
        return;
      }
      if (this.isStopped) return;
      this.verdicts[index] = verdict;
      this.onProgress({ rung: pass.rung, done: ++pass.done, count: this.positions.length });
    }
  }

  /**
   * Goes on without an engine that failed; the last one's error ends the review.
   *
   * @param {Analyser} failed
   * @param {unknown} error
   */
  drop(failed, error) {
    this.engines = this.engines.filter((engine) => engine !== failed);
    if (this.engines.length) return;
    this.isStopped = true;
    throw error;
  }

  /**
   * A proved verdict stays: more nodes cannot change it.
   *
   * @param {Analyser} engine
   * @param {AnalysisPosition} position
   * @param {number} nodes
   * @param {Verdict | undefined} before
   */
  async judge(engine, position, nodes, before) {
    if (before?.isProved) return before;
    if (position.ending) return verdictOf(position, []);
    const { lines } = await engine.analyse(position.position, { nodes, seed: SEED });
    return verdictOf(position, lines);
  }

  stop() {
    this.isStopped = true;
    for (const engine of this.engines) engine.stop();
  }
}
