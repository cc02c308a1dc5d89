/**
 * The server's prompt, unpacked: pure. On the wire a node of its tree can say squares by a star, how
 * far one may go from a square in each of eight directions: ":0103" is the star of the node's own
 * square, "b7:0103 d4:1111" are squares with the star of each. `path.js` wants all of them by name.
 */

import { nameOf, placeOf } from "./geometry.js";

/** Left, right, down, up, down left, up right, down right, up left. */
const DIRECTIONS = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1], [1, -1], [-1, 1]];
const CAPTURES = "x";

function namesOf(star, square) {
  const { x, y } = placeOf(square);
  const names = [];
  [...star].forEach((digit, index) => {
    const [right, up] = DIRECTIONS[index];
    for (let far = parseInt(digit, 16); far > 0; far -= 1) {
      names.push(nameOf(x + far * right, y + far * up));
    }
  });
  return names.join(" ");
}

function starred(item) {
  const [square, star = ""] = item.split(":");
  return [square, namesOf(star, square)];
}

function nodeOf(node, square) {
  if (typeof node !== "string") {
    return Object.fromEntries(
      Object.entries(node).map(([key, child]) => [key, key === CAPTURES ? child : nodeOf(child, key)]),
    );
  }
  if (node.startsWith(":")) return namesOf(node.slice(1), square);
  return node.includes(":") ? Object.fromEntries(node.split(" ").map(starred)) : node;
}

/** A prompt (or plan, or null) with every square of its tree by name; other kinds as they are. */
export function unpacked(prompt) {
  return prompt?.kind === "path" ? { ...prompt, tree: nodeOf(prompt.tree) } : prompt;
}
