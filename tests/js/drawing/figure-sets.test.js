import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { FIGURE_SETS } from "../../../static/js/drawing/figure-sets.js";
import { layersFor } from "../../../static/js/drawing/paint.js";
import { SHAPES } from "../../../static/js/drawing/shapes.js";
import { CHOICES } from "../../../static/js/lib/settings.js";

const SETS = { bows: SHAPES.figures.amazons, ...FIGURE_SETS };
const TOKENS = readFileSync(new URL("../../../static/css/tokens.css", import.meta.url), "utf8");

/** @param {string} name */
const tokenOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:`;

/**
 * The end points of path data, in squares, and top and bottom of half circles. All is absolute.
 *
 * @param {string} data
 */
function pointsOf(data) {
  /** @type {[number, number][]} */
  const points = [];
  let [x, y] = [0, 0];
  for (const [, command, text] of data.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers = [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(([number]) => Number(number));
    const step = { M: 2, L: 2, Q: 4, C: 6, A: 7, H: 1, V: 1, Z: 0 }[command];
    assert.notEqual(step, undefined, command);
    for (let at = 0; step && at < numbers.length; at += step) {
      const own = numbers.slice(at, at + step);
      if (command === "H") x = own[0];
      else if (command === "V") y = own[0];
      else {
        const [fromX, fromY] = [x, y];
        [x, y] = own.slice(-2);
        if (command === "A" && Math.hypot(x - fromX, y - fromY) > 1.99 * own[0]) {
          const [midX, midY] = [(x + fromX) / 2, (y + fromY) / 2];
          points.push([midX, midY - own[0]], [midX, midY + own[0]]);
        }
      }
      points.push([x, y]);
    }
  }
  return points;
}

test("there is a set for each choice", () => {
  assert.deepEqual(Object.keys(SETS), CHOICES.figures);
});

for (const [name, pair] of Object.entries(SETS)) {
  for (const [mark, { outline, paths, layers }] of Object.entries(pair)) {
    const box = outline.flatMap((path) => pointsOf(paths[path]));

    test(`${name}, ${mark}: every layer has its path and its colours`, () => {
      for (const { path, fill, stroke } of layers) {
        assert.ok(path in paths, path);
        for (const colour of [fill, stroke]) {
          if (colour !== undefined) assert.ok(TOKENS.includes(tokenOf(colour)), colour);
        }
      }
    });

    test(`${name}, ${mark}: it stands within its square, and fills enough of it`, () => {
      const [xs, ys] = [box.map(([x]) => x), box.map(([, y]) => y)];
      assert.ok(Math.max(...xs.map(Math.abs), ...ys.map(Math.abs)) <= 0.45);
      const height = Math.max(...ys) - Math.min(...ys);
      assert.ok(height > 0.7 && height <= 0.86, `${height}`);
    });

    test(`${name}, ${mark}: it is drawn at every size, its outline always`, () => {
      for (const pixels of [8, 16, 24, 36, 96]) {
        const drawn = layersFor(layers, pixels);
        assert.ok(drawn.some(({ path, fill }) => path === "body" && fill));
        assert.ok(drawn.some(({ path, stroke }) => path === "body" && stroke?.endsWith("Line")));
      }
    });
  }

  test(`${name}: the sides have other colours and other outlines, also at 24 pixels`, () => {
    /** @param {Figure} figure */
    const coloursOf = ({ layers }) =>
      layersFor(layers, 24).flatMap(({ fill }) => (fill ? [fill] : []));
    assert.ok(coloursOf(pair.W).every((colour) => colour.startsWith("light")));
    assert.ok(coloursOf(pair.B).every((colour) => colour.startsWith("dark")));
    assert.notEqual(pair.W.paths.body, pair.B.paths.body);
    assert.ok(layersFor(pair.B.layers, 24).some(({ stroke }) => stroke === "darkHalo"));
  });
}
