/** Merge of a tree from the server with the tree that the page shows. Pure. */

import { ROOT, TurnTree } from "../analysis/turn-tree.js";

/**
 * Turns of a study, whose positions are played when they are shown.
 *
 * @param {readonly StudyNode[]} nodes
 * @returns {AnalysisNode[]}
 */
export const unplayedNodes = (nodes) =>
  nodes.map(
    ({ parent, actions, comment = "", mark = "" }) =>
      /** @type {AnalysisNode} */ (
        /** @type {unknown} */ ({ parent, actions, comment, mark, steps: [] })
      ),
  );

/**
 * The index in `tree` of each turn of a list; null for one that is not there.
 *
 * @param {readonly StudyNode[]} nodes
 * @param {TurnTree} tree
 * @returns {(number | null)[]}
 */
export function placesIn(nodes, tree) {
  /** @type {(number | null)[]} */
  const places = [];
  for (const { parent, actions } of nodes) {
    const before = parent === ROOT ? ROOT : places[parent];
    places.push(before === null ? null : tree.find(before, actions));
  }
  return places;
}

/**
 * The tree of the server with the positions that the page knows already, and with the turns that were
 * tried on the page, if they are kept; and where each of the page's turns is in it.
 *
 * @param {TurnTree} shown
 * @param {readonly StudyNode[]} before what the server had when the page last showed it
 * @param {readonly StudyNode[]} after what it has now
 * @param {{ keepsTried: boolean }} options
 */
export function mergeTrees(shown, before, after, { keepsTried }) {
  const known = placesIn(shown.nodes, new TurnTree(shown.start, unplayedNodes(before)));
  const merged = new TurnTree(shown.start, unplayedNodes(after), 0);
  /** @type {(number | null)[]} */
  const places = [];
  /** @type {[number, AnalysisNode][]} */
  const played = [];
  shown.nodes.forEach((node, index) => {
    const parent = node.parent === ROOT ? ROOT : places[node.parent];
    let place = parent === null ? null : merged.find(parent, node.actions);
    if (place === null && parent !== null && keepsTried && known[index] === null)
      place = merged.add({ ...node, parent });
    else if (place !== null && shown.isPlayed(index)) played.push([place, node]);
    places.push(place);
  });
  merged.fill(
    played.map(([place]) => place),
    played.map(([, node]) => node),
  );
  return { nodes: merged.nodes, places };
}

/**
 * The present place of a turn, or that of the nearest turn before it that is still there.
 *
 * @param {TurnTree} tree the old one
 * @param {readonly (number | null)[]} places
 * @param {number} index
 */
export function nearestPlace(tree, places, index) {
  for (let at = index; at !== ROOT; at = tree.nodes[at].parent) {
    const place = places[at];
    if (place !== null) return place;
  }
  return ROOT;
}
