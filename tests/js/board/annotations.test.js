import assert from "node:assert/strict";
import test from "node:test";

import { annotationOf, isCircle, toggled } from "../../../static/js/board/annotations.js";

const ARROW = annotationOf("d1", "d7");
const CIRCLE = annotationOf("e5", "e5");

test("an annotation from a square to itself is a circle", () => {
  assert.ok(isCircle(CIRCLE));
  assert.ok(!isCircle(ARROW));
});

test("drawn once it is there, drawn again it is gone", () => {
  const both = toggled(toggled([], ARROW), CIRCLE);
  assert.deepEqual(both, [ARROW, CIRCLE]);
  assert.deepEqual(toggled(both, annotationOf("d1", "d7")), [CIRCLE]);
});

test("an arrow the other way round is another one", () => {
  assert.deepEqual(toggled([ARROW], annotationOf("d7", "d1")).length, 2);
});

test("a list that somebody holds is not changed", () => {
  const before = Object.freeze([ARROW]);
  toggled(before, CIRCLE);
  toggled(before, ARROW);
  assert.deepEqual(before, [ARROW]);
});
