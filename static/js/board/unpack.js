/**
 * The server's prompt, unpacked: pure. On the wire a node of its tree can say squares by a star, how
 * far one may go from a square in each of eight directions: ":0103" is the star of the node's own
 * square, "b7:0103 d4:1111" are squares with the star of each. "*" are the rays from the node's own
 * square over what is empty on the board, "**" the same, each with the rays that follow it. `path.js`
 * wants all of them by name.
 */

import { marksOf, nameOf, placeOf, squaresOf } from "./geometry.js";

/** Left, right, down, up, down left, up right, down right, up left. */
const DIRECTIONS = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1], [1, -1], [-1, 1]];
const CAPTURES = "x";
const RAY = "*";

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

/** The squares from which nothing stands between them and this one, of those that are `empty`. */
function raysFrom(square, empty) {
  const { x, y } = placeOf(square);
  return DIRECTIONS.flatMap(([right, up]) => {
    const ray = [];
    for (let far = 1; empty.has(nameOf(x + far * right, y + far * up)); far += 1) {
      ray.push(nameOf(x + far * right, y + far * up));
    }
    return ray;
  });
}

/** `chosen` are the squares that lead to this node; a piece that stood on one of them has gone. */
function nodeOf(node, chosen, empty) {
  const square = chosen.at(-1);
  const follow = (key, child) => nodeOf(child, [...chosen, key], empty);
  if (typeof node !== "string") {
    return Object.fromEntries(
      Object.entries(node).map(([key, child]) => [key, key === CAPTURES ? child : follow(key, child)]),
    );
  }
  if (node.startsWith(RAY)) {
    const names = raysFrom(square, new Set([...empty, ...chosen]));
    if (node === RAY) return names.join(" ");
    return Object.fromEntries(names.map((name) => [name, follow(name, node.slice(1))]));
  }
  if (node.startsWith(":")) return namesOf(node.slice(1), square);
  return node.includes(":") ? Object.fromEntries(node.split(" ").map(starred)) : node;
}

function emptyOn(board) {
  const marks = marksOf(board);
  const rows = board.split("/");
  return new Set(squaresOf(rows[0].length, rows.length).filter((square) => !marks.has(square)));
}

/**
 * A prompt (or plan, or null) with every square of its tree by name; other kinds as they are.
 * `board` is the text of the position that it belongs to.
 */
export function unpacked(prompt, board) {
  return prompt?.kind === "path" ? { ...prompt, tree: nodeOf(prompt.tree, [], emptyOn(board)) } : prompt;
}
