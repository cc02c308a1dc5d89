import assert from "node:assert/strict";
import test from "node:test";

import { NO_MOVE, readAmazons, turnsOf } from "../../../static/js/engine/amazons-position.js";

const ROW_BITS = 11;
const BOARD = "W./.B";

test("a position is read from the rules' text and from a view alike", () => {
  const text = readAmazons(`${BOARD} black - 0`, 2, ROW_BITS);
  const view = readAmazons({ board: BOARD, to_move: "black", moved: null }, 2, ROW_BITS);
  assert.deepEqual(text, { own: 2n, other: 1n << 11n, free: 1n | (1n << 12n), move: NO_MOVE });
  assert.deepEqual(view, text);
});

test("a move that has yet to shoot is read", () => {
  const read = readAmazons(`${BOARD} white b2-a2 0`, 2, ROW_BITS);
  assert.equal(read.move, 128 * 12 + 11);
  assert.deepEqual(
    readAmazons({ board: BOARD, to_move: "white", moved: ["b2", "a2"] }, 2, ROW_BITS),
    read,
  );
});

test("what is no position throws", () => {
  for (const text of ["", "W./.B", "W./.B red - 0", "W/.B white - 0", "W?/.B white - 0"])
    assert.throws(() => readAmazons(text, 2, ROW_BITS), SyntaxError, text);
  assert.throws(() => readAmazons(`${BOARD} white b2-z9 0`, 2, ROW_BITS), SyntaxError);
});

test("acts become turns of one or two actions", () => {
  const move = 128 * 0 + 11;
  assert.deepEqual(turnsOf([move, 12, move], false, false, ROW_BITS), [
    ["move 1 1 1 2", "fire 2 2"],
    ["move 1 1 1 2"],
  ]);
  assert.deepEqual(turnsOf([move, 12, move], false, true, ROW_BITS), [["play 1 1 1 2 2 2"]]);
  assert.deepEqual(turnsOf([12, move], true, false, ROW_BITS), [["fire 2 2"], ["move 1 1 1 2"]]);
});
