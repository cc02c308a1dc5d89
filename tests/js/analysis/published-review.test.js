import assert from "node:assert/strict";
import test from "node:test";

import { lossesOf } from "../../../static/js/analysis/marks.js";
import {
  publishedSentence,
  publishedVerdicts,
  submissionOf,
} from "../../../static/js/analysis/published-review.js";
import { Review, RUNGS, SEED } from "../../../static/js/analysis/review.js";

const A = ["move 4 1 4 7", "fire 7 7"];
const B = ["move 4 10 4 9", "fire 4 10"];
const position = (name, toMove, ending = null) => ({
  view: { to_move: toMove },
  position: name,
  ending,
});
const START = position("start", "white");
const AFTER = position("after A", "black");
const END = position("after B", "white", { winner: "black", reason: "stuck" });
const TURNS = [
  { role: "white", actions: A },
  { role: "black", actions: B },
];
/** Lines of the engine by position, with values that are no short decimals. */
const LINES = {
  start: { value: 0.1 + 0.2, turns: [B, A], isProved: false, visits: 150, depth: 3 },
  "after A": { value: -1 / 3, turns: [B], isProved: true, visits: 150, depth: 2 },
};
const ENGINE = {
  analyse: async (name) => ({ lines: [LINES[name]], nodes: 1, isDone: true }),
  stop() {},
};

async function reviewed(positions, engine = ENGINE) {
  const review = new Review(positions, [engine], () => {});
  await review.run();
  return review.verdicts;
}

test("a published review shows the same losses as the one that was made", async () => {
  for (const positions of [
    [START, AFTER, END],
    [START, AFTER],
  ]) {
    const verdicts = await reviewed(positions);
    const sent = submissionOf(positions, verdicts, RUNGS[2], "digest");
    const stored = JSON.parse(JSON.stringify(sent));
    assert.deepEqual(
      { ...stored, values: [] },
      { digest: "digest", nodes: 10_000, seed: SEED, values: [] },
    );
    const shown = publishedVerdicts(positions, stored.values);
    const turns = TURNS.slice(0, positions.length - 1);
    const firstTurns = lossesOf(turns, verdicts).map((loss) => ({
      ...loss,
      better: loss.better?.slice(0, 1) ?? null,
    }));
    assert.deepEqual(lossesOf(turns, shown), firstTurns);
  }
});

test("it has one value for each position that was searched, to the bit", async () => {
  const sent = submissionOf([START, AFTER, END], await reviewed([START, AFTER, END]), 200, "d");
  assert.deepEqual(sent.values, [
    [0.1 + 0.2, B, false],
    [-1 / 3, B, true],
  ]);
});

test("a position in which the engine found nothing has no best turn", async () => {
  const silent = { analyse: async () => ({ lines: [], nodes: 0, isDone: true }), stop() {} };
  const verdicts = await reviewed([START], silent);
  const { values } = submissionOf([START], verdicts, 200, "d");
  assert.deepEqual(values, [[0, [], false]]);
  assert.deepEqual(publishedVerdicts([START], values), verdicts);
});

test("the sentence never calls unchecked values checked", () => {
  const review = { by: "ada", nodes: 10_000, isPresent: true, checked: 0, values: Array(75) };
  assert.equal(
    publishedSentence(review),
    "Review by ada, 10,000 positions a move. Not spot-checked yet.",
  );
  assert.equal(
    publishedSentence({ ...review, checked: 2 }),
    "Review by ada, 10,000 positions a move. Spot-checked 2 of 75.",
  );
  assert.equal(
    publishedSentence({ ...review, by: null, isPresent: false, checked: 2 }),
    "Review by a deleted user, 10,000 positions a move. Spot-checked 2 of 75. It was made with an earlier engine.",
  );
});
