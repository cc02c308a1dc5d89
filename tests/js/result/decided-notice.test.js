import assert from "node:assert/strict";
import { test } from "node:test";

import { decidedNotice, litSquares, stepsUntil } from "../../../static/js/result/decided-notice.js";

const seats = { white: { name: "ada" }, black: { name: "bob" } };
const PROOF = { own: ["a1 b1", "a9"], open: ["j9 j10"], line: ["move 1 1 1 2"], least: 3, most: 2 };

test("the notice has who wins and the two bounds that prove it", () => {
  const decided = { ...PROOF, winner: "black" };
  assert.deepEqual(decidedNotice(decided, { key: "amazons-8x8", seats }), [
    "Decided: bob wins.",
    "bob has 3 sure moves, ada gets 2 at most.",
  ]);
  const counted = { ...decided, line: [] };
  assert.match(decidedNotice(counted, { key: "amazons", seats })[1], /3 sure squares/);
  assert.match(
    decidedNotice(decided, { key: "blotto", seats })[1],
    /^3 points ahead, .* 2 at most/,
  );
});

test("own regions are lit for the winner, all others of the proof for the loser", () => {
  const black = litSquares({ ...PROOF, winner: "black" });
  assert.deepEqual(
    [black.white, black.black],
    [
      ["j9", "j10"],
      ["a1", "b1", "a9"],
    ],
  );
  assert.deepEqual(litSquares({ ...PROOF, winner: "white" }).white, ["a1", "b1", "a9"]);
});

test("a position is known by the steps that led to it", () => {
  const turns = [{ steps: [{ n: 0 }, { n: 1 }] }, { steps: [{ n: 2 }, { n: 3 }] }];
  assert.deepEqual(
    [0, 1, 2].map((shown) => stepsUntil(turns, shown)),
    [0, 2, 4],
  );
});
