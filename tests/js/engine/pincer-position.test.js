import assert from "node:assert/strict";
import test from "node:test";

import { actionOf, readPincer } from "../../../static/js/engine/pincer-position.js";

const DEAD = 128;
const BOARD = ".B/W.";
const read = (position) => readPincer(position, 2, DEAD);

test("a position is read from the rules' text and from a view alike", () => {
  const text = read(`${BOARD} black - 6 2`);
  assert.deepEqual(text, { own: 1n << 9n, theirs: 1n, stepped: 0n, moves: 6 });
  const view = { board: BOARD, to_move: "black", step: 1, stepped: null, moves_made: 6 };
  assert.deepEqual(read(view), text);
});

test("between two moves of a turn the piece that has moved is read, or that it died", () => {
  assert.equal(read(`${BOARD} white a1 7 2`).stepped, 1n);
  assert.equal(read(`${BOARD} white x 7 2`).stepped, BigInt(DEAD));
  const view = { board: BOARD, to_move: "white", step: 2, stepped: "a1", moves_made: 7 };
  assert.equal(read(view).stepped, 1n);
  assert.equal(read({ ...view, stepped: null }).stepped, BigInt(DEAD));
});

test("what is no position throws", () => {
  for (const text of ["", BOARD, `${BOARD} red - 0 0`, ".B/W white - 0 0", `${BOARD} white - x 0`])
    assert.throws(() => read(text), SyntaxError, text);
  assert.throws(() => read(`${BOARD} white h9 1 0`), SyntaxError);
});

test("a step is an action of four directions", () => {
  const square = 4 * (8 * 3 + 2); // c4
  assert.deepEqual(
    [0, 1, 2, 3].map((way) => actionOf(square + way)),
    ["move 3 4 4 4", "move 3 4 3 5", "move 3 4 2 4", "move 3 4 3 3"],
  );
});
