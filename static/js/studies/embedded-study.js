/** A public study in a frame of another site: the board, moves and comments, and nothing to change. */

import { LineNavigation } from "../analysis/line-navigation.js";
import { MovesPanel } from "../analysis/moves-panel.js";
import { positionSentence, stillSnapshot } from "../analysis/shown-position.js";
import { ROOT, TurnTree } from "../analysis/turn-tree.js";
import { Board } from "../board/board.js";
import { byId } from "../lib/dom.js";
import { fetchLine } from "./study-requests.js";
import { unplayedNodes } from "./tree-merge.js";

const NO_EVENTS = { onDraftChange: () => {}, onTurn: () => {}, onPremove: () => {} };

export class EmbeddedStudy {
  /** @param {EmbeddedData} data */
  constructor(data) {
    this.data = data;
    this.tree = new TurnTree(data.start, unplayedNodes(data.nodes), 0);
    /** The turn whose position is shown. */
    this.at = ROOT;
    /** The turn whose position is to be shown. */
    this.wanted = ROOT;
    const options = { snapshot: this.snapshot(), near: /** @type {Role} */ ("white") };
    this.board = new Board(byId("board"), options, NO_EVENTS);
    const onChoose = (/** @type {number} */ index) => this.go(index);
    this.moves = new MovesPanel(byId("moves"), this.tree, onChoose);
    this.navigation = new LineNavigation(this.tree, { placeOf: () => this.at, onChoose });
    this.show(null);
  }

  /** The shown position, as a spectator sees it. */
  snapshot() {
    const snapshot = stillSnapshot(this.data.snapshot, this.tree.at(this.at));
    const last = this.at === ROOT ? [] : this.tree.nodes[this.at].steps;
    return { ...snapshot, last, you: null };
  }

  /**
   * Shows the position after a turn, once the server has played the line to it.
   *
   * @param {number} index
   */
  async go(index) {
    this.wanted = index;
    if (!this.tree.isPlayed(index)) await this.load(index);
    if (this.wanted !== index || !this.tree.isPlayed(index)) return;
    const isNext = index !== ROOT && this.tree.nodes[index].parent === this.at;
    this.at = index;
    this.show(isNext ? this.tree.nodes[index].steps : null);
  }

  /**
   * Has the line of a turn played. A study that has changed since is loaded anew.
   *
   * @param {number} index
   */
  async load(index) {
    const reply = await fetchLine(this.data.url, this.data.rev, index);
    if ("changed" in reply) location.reload();
    else if ("failed" in reply) byId("sentence").textContent = reply.failed;
    else
      this.tree.fill(
        reply.nodes.map(([place]) => place),
        reply.nodes.map(([, node]) => node),
      );
  }

  /** @param {Wire.ResolvedStep[] | null} steps played as motion */
  show(steps) {
    const burns = this.tree.burnsAt(this.at);
    this.board.settle();
    this.board.show(this.snapshot(), { burns, steps, same: false, own: false });
    byId("sentence").textContent = positionSentence(this.tree, this.at, this.data.names);
    this.moves.show(this.at);
    this.navigation.show();
  }
}
