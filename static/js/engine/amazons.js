/**
 * Search of Amazons: the compiled functions of the site's own player, as lines. Pure.
 *
 * It reads the tree as `games/players/amazons/search.py` does, to the bit.
 */

import { NO_MOVE, readAmazons, turnsOf } from "./amazons-position.js";
import { EngineMemory } from "./memory.js";
import { seededRandom } from "./random.js";

/** Beyond it a tree would not fit the memory. */
export const MAX_NODES = 60_000;

/** @typedef {{ start: Function, grow: Function, __heap_base: WebAssembly.Global }} AmazonsExports */

/** The module; it searches one position at a time. */
export class AmazonsEngine {
  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Memory} memory
   * @param {AmazonsManifest} manifest
   */
  constructor(instance, memory, manifest) {
    this.exports = /** @type {AmazonsExports} */ (/** @type {unknown} */ (instance.exports));
    this.memory = new EngineMemory(memory, this.exports.__heap_base.value, manifest.arrays);
    this.manifest = manifest;
    this.isUsed = false;
  }

  /**
   * Returns a new search; the one before ends.
   *
   * @param {string} key
   * @param {string | PositionView} position
   * @param {number} nodes
   * @param {number} seed
   * @returns {EngineSearch}
   */
  search(key, position, nodes, seed) {
    if (!(Number.isInteger(nodes) && nodes > 0 && nodes <= MAX_NODES))
      throw new RangeError(`${nodes} nodes: between 1 and ${MAX_NODES} can be examined`);
    const { rules, rowBits, wordBits, rootEdges, nodeEdges, noise, noArea } = this.manifest;
    const at = readAmazons(position, rules[key].size, rowBits);
    const room = nodes + 1;
    const edges = room * nodeEdges + 2 * rootEdges;
    this.memory.allocate(room, edges);
    if (!this.isUsed) this.memory.numbers("bounds").fill(noArea);
    this.isUsed = true;
    const random = seededRandom(seed);
    this.memory.numbers("noise").set(Array.from({ length: rootEdges }, () => noise * random()));
    this.memory.numbers("params").set(rules[key].params);
    this.memory.numbers("weights").set(rules[key].weights);
    const low = (1n << BigInt(wordBits)) - 1n;
    const words = [at.own, at.other, at.free].flatMap((set) => [
      set & low,
      set >> BigInt(wordBits),
    ]);
    this.memory.words("root").set(words);
    return new AmazonsSearch(this, rules[key].isOptional, at.move, nodes, [room, edges, at.move]);
  }
}

/** @implements {EngineSearch} */
class AmazonsSearch {
  /**
   * @param {AmazonsEngine} engine
   * @param {boolean} isOptional
   * @param {number} move
   * @param {number} most simulations
   * @param {number[]} numbers that the entry points take after the table
   */
  constructor(engine, isOptional, move, most, numbers) {
    this.engine = engine;
    this.isOptional = isOptional;
    this.isShot = move !== NO_MOVE;
    this.most = most;
    this.numbers = [engine.memory.table, ...numbers];
    this.nodes = 0;
    this.isDone = engine.exports.start(...this.numbers) === 0;
    const memory = engine.memory;
    this.tree = {
      action: memory.numbers("action"),
      static: memory.numbers("static"),
      mean: memory.numbers("mean"),
      visits: memory.numbers("visits"),
      child: memory.numbers("child"),
      proof: memory.numbers("proof"),
      firstEdge: memory.numbers("first_edge"),
      edgeCount: memory.numbers("edge_count"),
      nodeVisits: memory.numbers("node_visits"),
      nodeValue: memory.numbers("node_value"),
    };
  }

  /** Runs so many simulations, fewer once the root is decided. */
  grow(/** @type {number} */ nodes) {
    const times = Math.min(nodes, this.most - this.nodes);
    const made = this.isDone ? 0 : this.engine.exports.grow(...this.numbers, times);
    this.nodes += made;
    if (made < times || this.nodes >= this.most) this.isDone = true;
  }

  /**
   * @param {number} count
   * @returns {EngineLine[]}
   */
  lines(count) {
    const { proof, visits } = this.tree;
    const order = this.#edgesOf(0).sort(
      (a, b) => proof[b] - proof[a] || visits[b] - visits[a] || a - b,
    );
    const depth = Number(this.engine.memory.words("sizes")[this.engine.manifest.depthCounter]);
    const lines = order.slice(0, count).map((edge) => ({
      value: this.#value(edge),
      turns: this.#turns(edge),
      visits: visits[edge],
      depth,
      isProved: proof[edge] !== 0,
    }));
    return lines.filter((line) => line.turns.length > 0);
  }

  #edgesOf(/** @type {number} */ node) {
    const first = this.tree.firstEdge[node];
    return Array.from({ length: this.tree.edgeCount[node] }, (_, index) => first + index);
  }

  #value(/** @type {number} */ edge) {
    const { visits, mean, nodeValue, static: values } = this.tree;
    if (visits[edge]) return mean[edge];
    return Math.max(-1, Math.fround(Math.fround(nodeValue[0] + values[edge]) - values[0]));
  }

  #turns(/** @type {number} */ edge) {
    const { action, child, edgeCount, nodeVisits } = this.tree;
    const acts = [action[edge]];
    let node = child[edge];
    while (node >= 0 && edgeCount[node] > 0 && nodeVisits[node] > 0) {
      const next = this.#best(node);
      acts.push(action[next]);
      node = child[next];
    }
    return turnsOf(acts, this.isShot, this.isOptional, this.engine.manifest.rowBits);
  }

  /** The edge to play at a node: a won one, else the most visited that is not lost. */
  #best(/** @type {number} */ node) {
    const { proof, visits, mean } = this.tree;
    return this.#edgesOf(node).reduce((best, edge) => {
      const order = proof[edge] - proof[best] || visits[edge] - visits[best];
      return order > 0 || (order === 0 && mean[edge] > mean[best]) ? edge : best;
    });
  }
}
