import assert from "node:assert/strict";
import test from "node:test";

import {
  centreOf,
  distance,
  edgeOf,
  layoutOf,
  marksOf,
  nameOf,
  nearestOf,
  placeOf,
  squareAt,
  squaresOf,
} from "../../../static/js/drawing/geometry.js";

const BOARD = { width: 688, height: 688, ratio: 2, columns: 10, rows: 10, margin: 24 };

test("names and places are each other's inverse on every square", () => {
  for (const square of squaresOf(10, 10)) {
    const { x, y } = placeOf(square);
    assert.equal(nameOf(x, y), square);
  }
  assert.deepEqual(placeOf("j10"), { x: 10, y: 10 });
});

test("squares are in reading order: the far row first", () => {
  const squares = squaresOf(8, 8);
  assert.equal(squares.length, 64);
  assert.deepEqual([squares[0], squares[7], squares[63]], ["a8", "h8", "h1"]);
});

test("a board text gives the marks of its squares", () => {
  const marks = marksOf(".W./x.B");
  assert.deepEqual(Object.fromEntries(marks), { b2: "W", a1: "x", c1: "B" });
});

test("the desktop board has squares of 64 and a margin of 24", () => {
  const layout = layoutOf(BOARD);
  assert.deepEqual([layout.side, layout.left, layout.top], [64, 24, 24]);
});

test("a square's side is a whole number of device pixels", () => {
  for (const width of [360, 375, 393, 412, 611]) {
    for (const ratio of [1, 1.5, 2, 2.625, 3]) {
      const layout = layoutOf({
        width,
        height: width,
        ratio,
        columns: 7,
        rows: 7,
        margin: 0.058 * width,
      });
      const pixels = layout.side * ratio;
      assert.ok(Math.abs(pixels - Math.round(pixels)) < 1e-6, `${width} at ${ratio}: ${pixels}`);
      assert.ok(layout.side * 7 + 2 * 0.058 * width <= width + 1e-6);
    }
  }
});

test("the centre of every square is on that square, whichever way the board is turned", () => {
  for (const flipped of [false, true]) {
    const layout = layoutOf({ ...BOARD, flipped });
    for (const square of squaresOf(10, 10)) {
      assert.equal(squareAt(layout, centreOf(layout, square)), square);
    }
  }
});

test("a turned board has white's home at the top", () => {
  const layout = layoutOf({ ...BOARD, flipped: true });
  assert.ok(centreOf(layout, "a1").y < centreOf(layout, "a10").y);
  assert.ok(centreOf(layout, "a1").x > centreOf(layout, "j1").x);
});

test("outside the field there is no square", () => {
  const layout = layoutOf(BOARD);
  assert.equal(squareAt(layout, { x: 10, y: 300 }), null);
  assert.equal(squareAt(layout, { x: 300, y: 680 }), null);
});

test("a finger takes the nearest target within 22 px and no farther", () => {
  const layout = layoutOf({ width: 360, height: 360, ratio: 2, columns: 10, rows: 10 });
  const c3 = centreOf(layout, "c3");
  assert.equal(nearestOf(layout, { x: c3.x + 21, y: c3.y }, ["c3", "f3"]), "c3");
  assert.equal(nearestOf(layout, { x: c3.x + 23, y: c3.y }, ["c3", "f3"]), null);
});

test("a target under the finger wins over a neighbour whose centre is nearer", () => {
  const layout = layoutOf({ width: 100, height: 100, ratio: 1, columns: 10, rows: 10 });
  const edge = { x: 10.5, y: 95 };
  assert.equal(squareAt(layout, edge), "b1");
  assert.equal(nearestOf(layout, edge, ["a1", "b1"]), "b1");
});

test("distance counts squares along a queen's line", () => {
  assert.equal(distance("d1", "d7"), 6);
  assert.equal(distance("a1", "j10"), 9);
});

test("a field that fills its canvas has whole device pixels in every square, and no margin", () => {
  for (const [width, ratio, columns] of [
    [187, 1, 10],
    [104, 2, 10],
    [190, 1.5, 8],
  ]) {
    const layout = layoutOf({ width, height: width, ratio, columns, rows: columns, fills: true });
    assert.deepEqual([layout.left, layout.top], [0, 0]);
    const edges = Array.from({ length: columns + 1 }, (_, index) => edgeOf(layout, 0, index));
    assert.equal(edges.at(-1), width);
    const sides = edges.slice(1).map((edge, index) => Math.round((edge - edges[index]) * ratio));
    assert.ok(Math.max(...sides) - Math.min(...sides) <= 1, sides.join(" "));
    assert.ok(
      edges.every((edge) => Number.isInteger(edge * ratio)),
      edges.join(" "),
    );
  }
});
