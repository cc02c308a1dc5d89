/**
 * Unpack the server's prompt. Pure.
 *
 * On the wire a node of its tree can write squares as a star: how far one may go from a square in each of
 * eight directions. ":0103" is the star of the node's own square, "b7:0103 d4:1111" are squares with the
 * star of each. "*" are the rays from the node's own square over what is empty on the board, "**" the
 * same, each with the rays that follow it. `path-draft.js` wants all squares by name.
 */

import { marksOf, nameOf, placeOf, squaresOf } from "../drawing/geometry.js";

/** Left, right, down, up, down left, up right, down right, up left. */
const DIRECTIONS = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
];

const CAPTURES = "x";

const RAY = "*";

/**
 * @param {string} star
 * @param {Square} square
 */
function namesOf(star, square) {
  const { x, y } = placeOf(square);
  /** @type {Square[]} */
  const names = [];
  [...star].forEach((digit, index) => {
    const [right, up] = DIRECTIONS[index];
    for (let far = parseInt(digit, 16); far > 0; far -= 1) {
      names.push(nameOf(x + far * right, y + far * up));
    }
  });
  return names.join(" ");
}

/** @param {string} item */
function expandStar(item) {
  const [square, star = ""] = item.split(":");
  return [square, namesOf(star, square)];
}

/**
 * The squares from which nothing stands between them and this one, of those that are `empty`.
 *
 * @param {Square} square
 * @param {Set<Square>} empty
 */
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

/**
 * `chosen` are the squares that lead to this node; a piece that stood on one of them has gone.
 *
 * @param {Wire.Tree} node
 * @param {Square[]} chosen
 * @param {Set<Square>} empty
 * @returns {Wire.Tree}
 */
function nodeOf(node, chosen, empty) {
  const square = chosen.at(-1) ?? ""; // rays and lists do not stand at the root
  /** @type {(key: Square, child: Wire.Tree) => Wire.Tree} */
  const follow = (key, child) => nodeOf(child, [...chosen, key], empty);
  if (typeof node !== "string") {
    return Object.fromEntries(
      Object.entries(node).map(([key, child]) => [
        key,
        key === CAPTURES ? child : follow(key, child),
      ]),
    );
  }
  if (node.startsWith(RAY)) {
    const names = raysFrom(square, new Set([...empty, ...chosen]));
    if (node === RAY) return names.join(" ");
    return Object.fromEntries(names.map((name) => [name, follow(name, node.slice(1))]));
  }
  if (node.startsWith(":")) return namesOf(node.slice(1), square);
  return node.includes(":") ? Object.fromEntries(node.split(" ").map(expandStar)) : node;
}

/** @param {string} board */
function emptySquares(board) {
  const marks = marksOf(board);
  const rows = board.split("/");
  return new Set(squaresOf(rows[0].length, rows.length).filter((square) => !marks.has(square)));
}

/**
 * A prompt (or plan, or null) with every square of its tree by name; other kinds as they are.
 * `board` is the text of the position that it belongs to.
 *
 * @param {Wire.BoardPrompt | null} prompt
 * @param {string} board
 */
export function unpackPrompt(prompt, board) {
  return prompt?.kind === "path"
    ? { ...prompt, tree: nodeOf(prompt.tree, [], emptySquares(board)) }
    : prompt;
}
