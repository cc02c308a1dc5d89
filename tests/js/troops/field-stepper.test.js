import assert from "node:assert/strict";
import test from "node:test";

import { numberAfterKey } from "../../../static/js/troops/field-stepper.js";
import {
  asOneChange,
  openSplit,
  undoChange,
  withCounts,
} from "../../../static/js/troops/split-draft.js";

const after = (keys, start) =>
  keys.reduce((state, key) => Object.assign(state, numberAfterKey(key, state)), {
    most: 10,
    digits: "",
    ...start,
  });

test("a digit is the number, and a second one goes on with it", () => {
  assert.equal(after(["7"], { value: 2 }).value, 7);
  assert.equal(after(["1", "0"], { value: 2 }).value, 10);
  assert.equal(after(["1", "5"], { value: 2 }).value, 5);
  assert.equal(after(["0", "4"], { value: 2 }).value, 4);
});

test("no number is greater than what there is", () => {
  assert.equal(after(["7"], { value: 2, most: 5 }).value, 5);
  assert.equal(after(["End"], { value: 2, most: 5 }).value, 5);
  assert.equal(after(["PageUp"], { value: 4, most: 5 }).value, 5);
});

test("arrows count, Home takes all away, and nothing is less than none", () => {
  assert.equal(after(["ArrowUp"], { value: 2 }).value, 3);
  assert.equal(after(["ArrowDown"], { value: 0 }).value, 0);
  assert.equal(after(["Home"], { value: 4 }).value, 0);
  assert.equal(after(["1", "ArrowUp", "0"], { value: 0 }).value, 0);
});

test("other keys are left to the page", () => {
  for (const key of ["Tab", "Enter", "Escape", "a"])
    assert.equal(numberAfterKey(key, { value: 2, most: 10 }), null);
});

test("typed orders are one change, which can be taken back", () => {
  const empty = openSplit({ total: 10, fields: 3 });
  const typed = asOneChange(empty, withCounts(empty, [5, 1, 4]));
  assert.deepEqual(typed.counts, [5, 1, 4]);
  assert.equal(undoChange(typed), empty);
  assert.equal(asOneChange(typed, withCounts(typed, [5, 1, 4])), typed);
});
