import assert from "node:assert/strict";
import test from "node:test";

import { revealDuration } from "../../../static/js/troops/layout.js";
import { isOpening, untold } from "../../../static/js/troops/reveal-gate.js";

const SNAPSHOT = {
  status: "over",
  outcome: { winner: "white", reason: "rounds" },
  last: [{ n: 1, effects: [] }],
  commitments: { white: "ab" },
  may: ["resign", "claim_decided"],
  you: "white",
  view: {
    fields: 3,
    rounds: 2,
    round: 2,
    turns: 2,
    splits: [
      { white: [4, 3, 3], black: [3, 4, 3] },
      { white: [9, 1, 0], black: [0, 5, 5] },
    ],
    scores: { white: [3, 2], black: [3, 4] },
    totals: { white: 5, black: 7 },
  },
};

test("before the last field has opened, nothing of the round is told", () => {
  const told = untold(SNAPSHOT, 1);
  assert.deepEqual(told.view.scores, { white: [3], black: [3] });
  assert.deepEqual(told.view.totals, { white: 3, black: 3 });
  assert.equal(told.view.splits.length, 1);
  assert.deepEqual([told.view.turns, told.view.round], [1, 2]);
  assert.deepEqual([told.status, told.outcome, told.last], ["live", null, []]);
  assert.deepEqual(told.control, [], "nobody places troops meanwhile");
  assert.deepEqual(told.commitments, {});
  assert.deepEqual(told.may, ["resign"], "a claim would tell that the round decides the game");
  assert.equal(SNAPSHOT.view.totals.black, 7);
});

test("a round is opening from its first moment to the end of the reveal", () => {
  const at = (time) => isOpening({ index: 0, start: 0, time }, 3);
  assert.deepEqual([0, revealDuration(3) - 1, revealDuration(3), Infinity].map(at), [
    true,
    true,
    false,
    false,
  ]);
  assert.equal(isOpening(null, 3), false);
});
