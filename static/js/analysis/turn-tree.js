/**
 * A tree of turns: those of a game in a row, and variations beside them. Pure but for its own state.
 *
 * `nodes` is a new array after every change, so that an earlier one can be put back.
 */

/** The index of the start. */
export const ROOT = -1;

export class TurnTree {
  /** The array of nodes of which the followers are known. @type {AnalysisNode[] | null} */
  #indexed = null;

  /** @type {Map<number, number[]>} */
  #followers = new Map();

  /**
   * `nodes`: first the turns of the game, each after the one before, then variations.
   *
   * @param {AnalysisPosition} start
   * @param {readonly AnalysisNode[]} nodes
   * @param {number} [mainCount] the number of turns of the game; none in a study
   */
  constructor(start, nodes, mainCount = nodes.length) {
    this.start = start;
    /** @type {AnalysisNode[]} */
    this.nodes = [...nodes];
    /** The number of turns of the game. */
    this.mainCount = mainCount;
  }

  /**
   * The position after a turn, or at the start.
   *
   * @param {number} index
   * @returns {AnalysisPosition}
   */
  at(index) {
    return index === ROOT ? this.start : this.nodes[index];
  }

  /**
   * The turns that lead to one, that one last.
   *
   * @param {number} index
   */
  pathTo(index) {
    /** @type {number[]} */
    const path = [];
    for (let at = index; at !== ROOT; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }

  /**
   * The turns that follow one; the first is the game's own, or the oldest variation.
   *
   * @param {number} index
   */
  childrenOf(index) {
    return [...(this.#children().get(index) ?? [])];
  }

  /** The turns that follow each, found once for each array of nodes. */
  #children() {
    if (this.#indexed === this.nodes) return this.#followers;
    this.#indexed = this.nodes;
    this.#followers = new Map();
    this.nodes.forEach(({ parent }, child) => {
      const followers = this.#followers.get(parent);
      if (followers) followers.push(child);
      else this.#followers.set(parent, [child]);
    });
    return this.#followers;
  }

  /**
   * Whether the position after a turn is known: those of a study are played when they are shown.
   *
   * @param {number} index
   */
  isPlayed(index) {
    return index === ROOT || this.nodes[index].position !== undefined;
  }

  /**
   * Takes the positions after some turns from the server's nodes; comments and marks stay.
   *
   * @param {readonly number[]} indices
   * @param {readonly AnalysisNode[]} played
   */
  fill(indices, played) {
    const nodes = [...this.nodes];
    indices.forEach((index, place) => {
      const { parent, comment, mark } = nodes[index];
      nodes[index] = { ...played[place], parent, comment, mark };
    });
    this.nodes = nodes;
  }

  /**
   * The turns of the line on which a turn lies: those that lead to it, and those that follow first.
   *
   * @param {number} index
   */
  lineOf(index) {
    const line = this.pathTo(index);
    for (let [next] = this.childrenOf(index); next !== undefined; [next] = this.childrenOf(next))
      line.push(next);
    return line;
  }

  /**
   * The turn that follows one with these actions; null if there is none yet.
   *
   * @param {number} index
   * @param {readonly string[]} actions
   */
  find(index, actions) {
    const text = actions.join();
    return (
      this.childrenOf(index).find((child) => this.nodes[child].actions.join() === text) ?? null
    );
  }

  /**
   * Adds a turn, and returns its index.
   *
   * @param {AnalysisNode} node
   */
  add(node) {
    this.nodes = [...this.nodes, node];
    return this.nodes.length - 1;
  }

  /** @param {number} index */
  isOfGame(index) {
    return index < this.mainCount;
  }

  /**
   * Replaces the comment and the mark of a turn.
   *
   * @param {number} index
   * @param {TurnNotes} notes
   */
  annotate(index, { comment, mark }) {
    this.nodes = this.nodes.map((node, at) => (at === index ? { ...node, comment, mark } : node));
  }

  /**
   * Removes a turn that is not one of the game's, with all that follows it; returns how many.
   *
   * @param {number} index
   */
  remove(index) {
    /** @type {Set<number>} */
    const gone = new Set([index]);
    this.nodes.forEach(({ parent }, at) => {
      if (gone.has(parent)) gone.add(at);
    });
    this.#arrange(this.nodes.map((_, at) => at).filter((at) => !gone.has(at)));
    return gone.size;
  }

  /**
   * The turn at which the line to a position leaves the first one, and could become the first; null if
   * there is none. Turns of the game stay before all others.
   *
   * @param {number} index
   */
  promotableAt(index) {
    const canMoveUp = (/** @type {number} */ at) => {
      const others = this.childrenOf(this.nodes[at].parent).filter((each) => !this.isOfGame(each));
      return !this.isOfGame(at) && others[0] !== at;
    };
    return this.pathTo(index).findLast(canMoveUp) ?? null;
  }

  /**
   * Puts a turn before the others that follow the same one; returns the index of `shown` afterwards.
   *
   * @param {number} index
   * @param {number} shown
   */
  promote(index, shown) {
    const { parent } = this.nodes[index];
    /** @type {number[]} */
    const order = [];
    const visit = (/** @type {number} */ at) => {
      const children = this.childrenOf(at);
      if (at === parent) children.sort((a, b) => Number(b === index) - Number(a === index));
      for (const child of children) {
        if (!this.isOfGame(child)) order.push(child);
        visit(child);
      }
    };
    visit(ROOT);
    const main = this.nodes.slice(0, this.mainCount).map((_, at) => at);
    return this.#arrange([...main, ...order]).get(shown) ?? ROOT;
  }

  /**
   * Keeps these turns in this order; returns their new indices by the old ones.
   *
   * @param {number[]} order
   */
  #arrange(order) {
    const indices = new Map([
      [ROOT, ROOT],
      ...order.map((old, at) => /** @type {const} */ ([old, at])),
    ]);
    this.nodes = order.map((old) => {
      const node = this.nodes[old];
      return { ...node, parent: /** @type {number} */ (indices.get(node.parent)) };
    });
    return indices;
  }

  /**
   * The index of the turn to which these actions lead from the start; null if it is not in the tree.
   *
   * @param {readonly (readonly string[])[]} turns
   */
  follow(turns) {
    /** @type {number | null} */
    let at = ROOT;
    for (const actions of turns) {
      at = this.find(at, actions);
      if (at === null) return null;
    }
    return at;
  }

  /** The turns beside the game. @returns {Variation[]} */
  get variations() {
    return this.nodes
      .slice(this.mainCount)
      .map(({ parent, actions, comment, mark }) => ({ parent, actions, comment, mark }));
  }

  /** The notes on turns of the game. @returns {GameNotes[]} */
  get gameNotes() {
    return this.nodes
      .slice(0, this.mainCount)
      .map(({ comment, mark }, index) => ({ index, comment, mark }))
      .filter(({ comment, mark }) => comment !== "" || mark !== "");
  }

  /**
   * The request to the server for a position: the turns that lead there.
   *
   * @param {number} index
   * @param {readonly string[]} [actions] one more turn
   * @returns {RequestedTurn[]}
   */
  requestFor(index, actions) {
    const path = this.pathTo(index).map((node) => this.nodes[node].actions);
    return [...path, ...(actions ? [[...actions]] : [])].map((turn, depth) => ({
      parent: depth - 1,
      actions: turn,
    }));
  }

  /**
   * The squares that were burnt on the way to a position, oldest first.
   *
   * @param {number} index
   */
  burnsAt(index) {
    return this.pathTo(index).flatMap((node) =>
      this.nodes[node].steps.flatMap(({ effects }) =>
        effects.flatMap((effect) => (effect.kind === "place" ? [effect.at] : [])),
      ),
    );
  }
}
