/** Steps along the line that is shown: buttons, the slider, and arrow keys. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { ROOT } from "./turn-tree.js";

/** @typedef {"first" | "back" | "forward" | "last"} Step */

/** @type {readonly Step[]} */
const STEPS = ["first", "back", "forward", "last"];

/** @type {Record<string, Step>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

export class LineNavigation {
  /**
   * @param {import("./turn-tree.js").TurnTree} tree
   * @param {{ placeOf: () => number, onChoose: (index: number) => void }} options `placeOf`: the turn
   *     that is shown
   */
  constructor(tree, { placeOf, onChoose }) {
    this.tree = tree;
    this.placeOf = placeOf;
    this.onChoose = onChoose;
    this.listen();
  }

  listen() {
    for (const name of STEPS) byId(`look-${name}`).addEventListener("click", () => this.step(name));
    byId("slider").addEventListener("input", () => {
      const depth = Number(/** @type {HTMLInputElement} */ (byId("slider")).value);
      this.onChoose(this.tree.pathTo(this.end())[depth - 1] ?? ROOT);
    });
    addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.matches?.("input, textarea, .grid *")) return;
      const name = KEYS[event.key];
      if (!name) return;
      event.preventDefault();
      this.step(name);
    });
  }

  /** The last turn of the line on which the position lies. */
  end() {
    const { tree } = this;
    let end = this.placeOf();
    for (let [next] = tree.childrenOf(end); next !== undefined; [next] = tree.childrenOf(end))
      end = next;
    return end;
  }

  /**
   * The target of a step; undefined if there is none.
   *
   * @param {Step} name
   * @returns {number | undefined}
   */
  target(name) {
    const { tree } = this;
    const at = this.placeOf();
    const [next] = tree.childrenOf(at);
    if (name === "forward") return next;
    if (name === "last") return next === undefined ? undefined : this.end();
    if (at === ROOT) return undefined;
    return name === "first" ? ROOT : tree.nodes[at].parent;
  }

  /** @param {Step} name */
  step(name) {
    const index = this.target(name);
    if (index !== undefined) this.onChoose(index);
  }

  show() {
    const { tree } = this;
    const depth = tree.pathTo(this.placeOf()).length;
    const count = tree.pathTo(this.end()).length;
    const slider = /** @type {HTMLInputElement} */ (byId("slider"));
    slider.max = String(count);
    slider.value = String(depth);
    slider.disabled = count === 0;
    byId("place").textContent = t("{at} of {count}", { at: depth, count });
    for (const name of STEPS)
      byId(`look-${name}`).setAttribute("aria-disabled", String(this.target(name) === undefined));
  }
}
