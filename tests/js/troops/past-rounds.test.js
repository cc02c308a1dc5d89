import assert from "node:assert/strict";
import test from "node:test";

import { envelopesOf, roundsByField } from "../../../static/js/troops/past-rounds.js";

const SEATS = { white: { name: "ada" }, black: { name: "bob" } };

test("an envelope is open until its owner has sealed", () => {
  const states = (sealed, near) =>
    envelopesOf({ seats: SEATS, sealed }, near).map(({ name, state, word }) => [name, state, word]);
  assert.deepEqual(states([], "white"), [
    ["ada", "open", "Placing"],
    ["bob", "open", "Placing"],
  ]);
  assert.deepEqual(states(["black"], "black"), [
    ["bob", "sealed", "Locked in"],
    ["ada", "open", "Placing"],
  ]);
});

test("the past rounds stand by field, the near side's troops first", () => {
  const view = {
    fields: 3,
    splits: [
      { white: [5, 1, 4], black: [2, 3, 5] },
      { white: [0, 6, 4], black: [10, 0, 0] },
    ],
  };
  assert.deepEqual(roundsByField(view, "black")[0], {
    field: 0,
    rounds: [
      { round: 1, near: 2, far: 5 },
      { round: 2, near: 10, far: 0 },
    ],
  });
  assert.deepEqual(roundsByField({ fields: 3, splits: [] }, "white")[2], { field: 2, rounds: [] });
});
