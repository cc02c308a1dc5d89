/**
 * Search of Pincer: the compiled functions of the site's own player, as lines. Pure.
 *
 * The steps of a position are searched one after the other, one step deeper each time, as
 * `games/players/pincer/deepening.py` and `games/players/analysis/lines.py` do.
 */

import { EngineMemory } from "./memory.js";
import { actionOf, readPincer } from "./pincer-position.js";

/** Of the positions that are examined: the counter is an integer of 32 bits. */
export const MAX_NODES = 1_000_000_000;

/**
 * @typedef {object} PincerExports
 * @property {(table: number, depth: number) => number} start
 * @property {(table: number, stopAt: number) => number} grow
 * @property {(table: number) => number} list_moves
 * @property {(table: number, move: number) => number} step
 * @property {(table: number) => number} quiet
 * @property {(table: number) => number} known_step
 * @property {(table: number, value: number) => number} result
 * @property {WebAssembly.Global} __heap_base
 */

/** @typedef {{ step: number, value: number, depth: number, line: number[] }} Finding */
/** @typedef {{ words: bigint[], isSame: boolean, isDecided: boolean }} Below */

/** The module; it searches one position at a time. */
export class PincerEngine {
  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Memory} memory
   * @param {PincerManifest} manifest
   */
  constructor(instance, memory, manifest) {
    this.exports = /** @type {PincerExports} */ (/** @type {unknown} */ (instance.exports));
    this.memory = new EngineMemory(memory, this.exports.__heap_base.value, manifest.arrays);
    this.memory.allocate(0, 0);
    this.manifest = manifest;
  }

  /**
   * Returns a new search; the one before ends. The seed is not used: nothing is left to chance.
   *
   * @param {string} key
   * @param {string | PositionView} position
   * @param {number} nodes
   * @param {number} _seed
   * @returns {EngineSearch}
   */
  search(key, position, nodes, _seed) {
    if (!(Number.isInteger(nodes) && nodes > 0 && nodes <= MAX_NODES))
      throw new RangeError(`${nodes} nodes: between 1 and ${MAX_NODES} can be examined`);
    const at = readPincer(position, this.manifest.rules[key].size, this.manifest.dead);
    for (const { name, dtype } of this.manifest.arrays)
      if (dtype === "int64") this.memory.words(name).fill(0n);
    return new PincerSearch(this, [at.own, at.theirs, at.stepped, BigInt(at.moves)], nodes);
  }
}

/** @implements {EngineSearch} */
class PincerSearch {
  /**
   * @param {PincerEngine} engine
   * @param {bigint[]} root own pieces, theirs, the piece that has stepped, moves made
   * @param {number} most positions to examine
   */
  constructor(engine, root, most) {
    this.engine = engine;
    this.table = engine.memory.table;
    this.frames = engine.memory.words("frames");
    this.counters = engine.memory.words("counters");
    this.position = engine.memory.words("position");
    this.root = root;
    this.most = most;
    this.stopAt = 0; // nodes at which this slice ends
    this.depth = 0;
    /** @type {Finding[]} */
    this.options = [];
    this.position.set(root);
    const count = engine.exports.list_moves(this.table);
    this.steps = [...engine.memory.words("steps").slice(0, count)].map(Number);
    this.isDone = count === 0;
    this.work = this.#deepenAll();
  }

  get nodes() {
    return Number(this.counters[this.engine.manifest.nodeCounter]);
  }

  /** Examines so many positions more, or until all is searched. */
  grow(/** @type {number} */ nodes) {
    this.stopAt = this.nodes + nodes;
    if (!this.isDone) this.isDone = this.work.next().done === true;
  }

  /**
   * @param {number} count
   * @returns {EngineLine[]}
   */
  lines(count) {
    const order = [...this.options].sort((a, b) => b.value - a.value);
    return order.slice(0, count).map(({ value, line }) => ({
      value: this.engine.exports.result(this.table, value),
      turns: this.#turns(line),
      visits: this.nodes,
      depth: this.depth,
      isProved: Math.abs(value) > this.engine.manifest.proven,
    }));
  }

  /** Searches all steps to each depth; pauses where a slice ends. */
  *#deepenAll() {
    for (let depth = 1; depth <= this.engine.manifest.maxDepth; depth++) {
      const found = yield* this.#weigh(depth);
      if (this.options.length && found.length < this.steps.length) return;
      this.options = found;
      this.depth = depth;
    }
  }

  /**
   * Returns each step with its value at a depth, itself included; those beyond the nodes are left
   * out, but never the first.
   *
   * @param {number} depth
   * @returns {Generator<void, Finding[]>}
   */
  *#weigh(depth) {
    /** @type {Finding[]} */
    const found = [];
    for (const step of this.steps) {
      const below = this.#after(this.root, step);
      const best =
        depth <= 1 || below.isDecided
          ? { value: this.#quiet(below.words), line: [] }
          : yield* this.#deepen(below.words, depth - 1);
      if (found.length && this.nodes >= this.most) break;
      const value = below.isSame ? best.value : -best.value;
      found.push({ step, value, depth, line: [step, ...best.line] });
    }
    return found;
  }

  /**
   * Searches a position deeper and deeper. An incomplete search counts if its first step, the best
   * so far, was examined.
   *
   * @param {bigint[]} at
   * @param {number} deepest
   * @returns {Generator<void, Finding>}
   */
  *#deepen(at, deepest) {
    const { fields, maxMoves, noStep, proven } = this.engine.manifest;
    /** @type {Finding} */
    let best = { step: noStep, value: 0, depth: 0, line: [] };
    const last = Math.max(1, Math.min(deepest, maxMoves - Number(at[3])));
    for (let depth = 1; depth <= last; depth++) {
      this.position.set(at);
      this.engine.exports.start(this.table, depth);
      const isFinished = yield* this.#runToEnd();
      const step = Number(this.frames[fields.chosen]);
      if (!isFinished) {
        if (step === noStep || step === best.step) break;
        const value = Number(this.frames[fields.alpha]);
        return { step, value, depth: best.depth, line: this.#follow(at, step) };
      }
      const value = Number(this.frames[fields.now]);
      best = { step, value, depth, line: this.#follow(at, step) };
      if (Math.abs(value) > proven) break;
    }
    return best;
  }

  /** Runs the search until it is done (true) or the nodes are used up (false). */
  *#runToEnd() {
    while (!this.engine.exports.grow(this.table, Math.min(this.most, this.stopAt))) {
      if (this.nodes >= this.most) return false;
      yield;
    }
    return true;
  }

  /** @param {bigint[]} at */
  #quiet(at) {
    this.position.set(at);
    return this.engine.exports.quiet(this.table);
  }

  /**
   * Returns the position after a step.
   *
   * @param {bigint[]} at
   * @param {number} step
   * @returns {Below}
   */
  #after(at, step) {
    this.position.set(at);
    this.engine.exports.step(this.table, step);
    const words = [...this.engine.memory.words("after")];
    return { words: words.slice(0, 4), isSame: words[4] !== 0n, isDecided: words[5] !== 0n };
  }

  /**
   * Returns a step and the best steps after it in the transposition table.
   *
   * @param {bigint[]} at
   * @param {number} step
   */
  #follow(at, step) {
    const line = [];
    let [words, next] = [at, step];
    while (next !== this.engine.manifest.noStep) {
      line.push(next);
      const below = this.#after(words, next);
      if (below.isDecided) break;
      words = below.words;
      this.position.set(words);
      next = this.engine.exports.known_step(this.table);
    }
    return line;
  }

  /** Splits a line into turns: the steps after which another role is to move end one. */
  #turns(/** @type {number[]} */ line) {
    /** @type {string[][]} */
    const turns = [];
    let words = this.root;
    let isNew = true;
    for (const step of line) {
      const below = this.#after(words, step);
      // A role that moves on after a turn of the other had to pass begins a turn of its own.
      if (isNew) turns.push([]);
      turns[turns.length - 1].push(actionOf(step));
      isNew = below.words[2] === 0n;
      words = below.words;
    }
    return turns;
  }
}
