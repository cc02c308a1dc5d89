import assert from "node:assert/strict";
import test from "node:test";

import { lookOf } from "../../../static/js/drawing/burnt.js";
import { squaresOf } from "../../../static/js/drawing/geometry.js";
import { SHAPES } from "../../../static/js/drawing/shapes.js";

test("a square has the same look here and on the shared picture (test_picture.py)", () => {
  assert.deepEqual(["a1", "b1", "a2", "h8", "j10"].map(lookOf), [12, 1, 3, 0, 8]);
});

test("neighbours have other looks, and all looks occur", () => {
  const looks = new Map(squaresOf(10, 10).map((square) => [square, lookOf(square)]));
  assert.equal(new Set(looks.values()).size, SHAPES.burnt.tiles.length * SHAPES.burnt.forms.length);
  for (const square of squaresOf(9, 9)) {
    const right = String.fromCharCode(square.charCodeAt(0) + 1) + square.slice(1);
    const above = square[0] + (Number(square.slice(1)) + 1);
    for (const other of [right, above]) assert.notEqual(looks.get(square), looks.get(other));
  }
});

test("every family has a figure for White and for Black", () => {
  for (const pair of Object.values(SHAPES.figures)) {
    assert.deepEqual(Object.keys(pair), ["W", "B"]);
    for (const { layers, paths } of Object.values(pair)) {
      assert.ok(layers.every(({ path }) => path in paths));
    }
  }
});
