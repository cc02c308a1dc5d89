/** The analysis board: a tree of turns, the position that is shown, and turns that are tried on it. */

import { Board } from "../board/board.js";
import { byId, find } from "../lib/dom.js";
import { onReconnect } from "../lib/reconnect.js";
import { unplayedNodes } from "../studies/tree-merge.js";
import { positionSentence, stillSnapshot } from "./shown-position.js";
import { TreeEditor } from "./tree-editor.js";
import { requestTree } from "./tree-requests.js";
import { ROOT, TurnTree } from "./turn-tree.js";

/** Delay from showing a position to the request for its prompt, ms. */
const PROMPT_DELAY_MS = 250;

/** Steps that lead to the start. @type {Wire.ResolvedStep[]} */
const NO_STEPS = [];

export class AnalysisBoard {
  /**
   * @param {AnalysisData} data
   * @param {string} url where turns are played
   * @param {{ onShow: () => void, onTurn: (index: number) => void }} events `onTurn`: a turn was played,
   *     and is shown
   */
  constructor(data, url, events) {
    this.data = data;
    this.url = url;
    this.events = events;
    this.tree = data.study
      ? new TurnTree(data.start, unplayedNodes(data.nodes), 0)
      : new TurnTree(data.start, data.nodes);
    /** The turn whose position is shown. */
    this.at = ROOT;
    /** Whether the certain part of each position is requested. */
    this.asksStanding = false;
    /** Steps of the turn that leads to the position on the board. @type {Wire.ResolvedStep[]} */
    this.steps = NO_STEPS;
    /** Snapshots with prompts, by the position's text. @type {Map<string, Wire.BoardSnapshot>} */
    this.prompts = new Map([[data.start.position, data.snapshot]]);
    /** The certain part of positions, by their text. @type {Map<string, PositionStanding>} */
    this.standings = new Map();
    this.timer = 0;
    /** The turn whose position is asked for, as the turns that lead to it. @type {string[][] | null} */
    this.wanted = null;
    this.isWaiting = false;
    /** Whether the last position asked for could not be had. */
    this.isMissing = false;
    this.editor = new TreeEditor(this.tree, {
      placeOf: () => this.at,
      onEdit: (at) => this.handleEdit(at),
    });
    const near = data.you ?? "white";
    const options = { snapshot: data.snapshot, near };
    this.board = new Board(byId("board"), options, {
      onDraftChange: () => this.showDraft(),
      onTurn: (actions) => this.play(actions),
      onPremove: () => {},
    });
    this.listen();
  }

  get position() {
    return this.tree.at(this.at);
  }

  listen() {
    byId("undo").addEventListener("click", () => this.board.undo());
    byId("keep").addEventListener("click", () => this.board.keep());
    byId("play").addEventListener("click", () => this.board.submit());
    byId("typed").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (byId("type"));
      const { ok, say } = await this.board.type(field.value);
      if (ok) field.value = "";
      byId("typed-say").textContent = say ?? "";
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.undo();
    });
    onReconnect(() => {
      if (this.isMissing) this.ask();
    });
  }

  /** The snapshot of the position that is shown, with its prompt if that is known. */
  get snapshot() {
    return this.prompts.get(this.position.position) ?? this.still();
  }

  /** The certain part of the position that is shown; null if it is not known. */
  get standing() {
    return this.standings.get(this.position.position) ?? null;
  }

  /**
   * Shows the position after a turn; one turn forward is played as motion.
   *
   * @param {number} index
   */
  go(index) {
    this.wanted = null;
    if (!this.tree.isPlayed(index)) {
      this.load(index);
      return;
    }
    const forward = index !== ROOT && this.tree.nodes[index].parent === this.at;
    this.at = index;
    this.isWaiting = false;
    this.display(this.snapshot, forward ? this.tree.nodes[index].steps : null);
    this.askLater();
    this.events.onShow();
  }

  /**
   * Has the line of a turn played, and shows the position after that turn.
   *
   * @param {number} index
   */
  async load(index) {
    const { tree } = this;
    const line = tree.lineOf(index).map((at) => tree.nodes[at].actions);
    const wanted = line.slice(0, tree.pathTo(index).length);
    this.wanted = wanted;
    const nodes = line.map((actions, depth) => ({ parent: depth - 1, actions }));
    const reply = await requestTree(this.url, { nodes });
    if (!("nodes" in reply)) {
      if (this.wanted === wanted)
        byId("typed-say").textContent = "error" in reply ? reply.error : reply.refused.say;
      return;
    }
    /** @type {number[]} */
    const places = [];
    for (const { actions } of reply.nodes) {
      const next = tree.find(places.at(-1) ?? ROOT, actions);
      if (next === null) break; // removed meanwhile
      places.push(next);
    }
    tree.fill(places, reply.nodes);
    const place = tree.follow(wanted);
    if (this.wanted === wanted && place !== null) this.go(place);
  }

  /**
   * The tree has changed, and a turn is to be shown.
   *
   * @param {number} at
   */
  handleEdit(at) {
    if (this.stepsBefore(at) !== this.steps) this.go(at);
    else {
      this.at = at; // the same turn in another place
      this.events.onShow();
    }
  }

  /**
   * The steps of a turn; they stay the same array while its place and its notes change.
   *
   * @param {number} index
   */
  stepsBefore(index) {
    return index === ROOT ? NO_STEPS : this.tree.nodes[index].steps;
  }

  /** Asks the server about the position once it has been shown for a while, if anything is missing. */
  askLater() {
    clearTimeout(this.timer);
    const { position, ending } = this.position;
    const lacksPrompt = ending === null && !this.prompts.has(position);
    const lacksStanding = this.asksStanding && !this.standings.has(position);
    if (lacksPrompt || lacksStanding)
      this.timer = window.setTimeout(() => this.ask(), PROMPT_DELAY_MS);
  }

  /** @param {boolean} asksStanding */
  askStandings(asksStanding) {
    this.asksStanding = asksStanding;
    if (asksStanding) this.askLater();
  }

  /** The position without a prompt: nothing can be played on it yet. */
  still() {
    return stillSnapshot(this.data.snapshot, this.position);
  }

  /**
   * @param {Wire.BoardSnapshot} snapshot
   * @param {Wire.ResolvedStep[] | null} steps
   */
  display(snapshot, steps) {
    this.steps = this.stepsBefore(this.at);
    this.board.settle();
    this.board.show(
      { ...snapshot, last: this.steps },
      { burns: this.tree.burnsAt(this.at), steps, same: false, own: false },
    );
    this.showDraft();
  }

  async ask() {
    const { position } = this.position;
    const nodes = this.tree.requestFor(this.at);
    const { asksStanding, data } = this;
    const standing = asksStanding ? { standing: true, counted: data.counted } : {};
    const reply = await requestTree(this.url, { nodes, at: nodes.length - 1, ...standing });
    this.isMissing = "error" in reply;
    byId("typed-say").textContent = "error" in reply ? reply.error : "";
    if (!("nodes" in reply) || !reply.snapshot) return; // asked again with the next look
    const isNew = reply.snapshot.status === "live" && !this.prompts.has(position);
    if (isNew) this.prompts.set(position, reply.snapshot);
    if (reply.standing) this.standings.set(position, reply.standing);
    if (this.position.position !== position) return;
    if (isNew) this.display(this.snapshot, null);
    if (reply.standing) this.events.onShow();
  }

  /**
   * Plays a turn on the position that is shown, as a variation unless it is there already.
   *
   * @param {string[]} actions
   */
  async play(actions) {
    const parent = this.at;
    const known = this.tree.find(parent, actions);
    if (known !== null) {
      this.go(known);
      this.events.onTurn(known);
      return;
    }
    this.board.send();
    this.isWaiting = true;
    const nodes = this.tree.requestFor(parent, actions);
    const reply = await requestTree(this.url, { nodes, at: nodes.length - 1 });
    if (!("nodes" in reply)) {
      if (!this.isWaiting) return; // another position is shown by now
      this.refuse("refused" in reply ? reply.refused : { say: reply.error, squares: [] });
      return;
    }
    const node = reply.nodes[reply.nodes.length - 1];
    if (reply.snapshot) this.prompts.set(node.position, reply.snapshot);
    // Meanwhile the tree may have been edited: the turn before may stand elsewhere, or be gone.
    const before = this.tree.follow(nodes.slice(0, -1).map((each) => each.actions));
    if (before === null) return;
    const isShown = this.isWaiting && this.at === before;
    if (this.tree.find(before, actions) === null)
      this.editor.add({ ...node, parent: before }, isShown);
    if (isShown) this.events.onTurn(this.at);
  }

  /** @param {{ say: string, squares: Square[] }} refusal */
  refuse({ say, squares }) {
    this.isWaiting = false;
    this.board.refuse(squares);
    this.display(this.snapshot, null);
    byId("typed-say").textContent = say;
  }

  showDraft() {
    if (!this.board) return;
    const { status, back, ready } = this.board.read(this.snapshot);
    const isComposing = this.position.ending === null && !this.isWaiting;
    byId("sentence").textContent = positionSentence(this.tree, this.at, this.data.names);
    byId("hint").replaceChildren(...(isComposing ? status.hint.map(([text]) => text) : []));
    byId("undo").hidden = !isComposing || back === null;
    byId("undo").textContent = back ?? "";
    byId("keep").hidden = !isComposing || !status.keep;
    byId("play").hidden = !isComposing || !ready;
    find(byId("typed"), "input").toggleAttribute("disabled", this.position.ending !== null);
  }
}
