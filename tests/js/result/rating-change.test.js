import assert from "node:assert/strict";
import test from "node:test";

import {
  ASK_AFTER_MS,
  RatingChange,
  ratingText,
  signed,
} from "../../../static/js/result/rating-change.js";

const seats = { white: { name: "ada" }, black: { name: "bob" } };
const rating = {
  sides: {
    white: { before: 1512, after: 1498, change: -14, url: null },
    black: { before: 1490, after: 1498, change: 8, url: null },
  },
  sentence: null,
};

test("a change has its sign, and none has both", () => {
  assert.deepEqual([8, -14, 0].map(signed), ["+8", "−14", "±0"]);
});

test("a player reads the own rating before and after", () => {
  assert.equal(ratingText(rating, { you: "white", seats }), "Your rating: 1512 → 1498 (−14)");
});

test("a spectator reads both ratings", () => {
  assert.equal(ratingText(rating, { you: null, seats }), "ada 1498 (−14) · bob 1498 (+8)");
});

test("a game that did not count says why", () => {
  const sentence = "Not rated: the game was aborted.";
  assert.equal(ratingText({ sides: null, sentence }, { you: "black", seats }), sentence);
});

/** A line that asks as often as `answers` has answers, with the waits between them. */
async function shown(answers, ended) {
  const line = { textContent: "", hidden: true };
  const waits = [];
  let number = 0;
  const calls = [];
  const part = new RatingChange(
    line,
    async () => answers[number++] ?? null,
    (call, wait) => {
      waits.push(wait);
      calls.push(call);
    },
  );
  part.show({ you: null, seats }, { ended });
  part.show({ you: null, seats }, { ended }); // a further snapshot of the same game
  while (calls.length) await calls.shift()();
  return { line, waits };
}

test("it asks again until the game is rated", async () => {
  const pending = { sides: null, sentence: null };
  const { line, waits } = await shown([pending, null, rating], true);
  assert.deepEqual(waits, ASK_AFTER_MS.slice(0, 3));
  assert.equal(line.hidden, false);
  assert.equal(line.textContent, "ada 1498 (−14) · bob 1498 (+8)");
});

test("it gives up in the end and says nothing", async () => {
  const { line, waits } = await shown([], true);
  assert.deepEqual(waits, ASK_AFTER_MS);
  assert.equal(line.hidden, true);
});

test("a game that was over before is asked about at once", async () => {
  const { waits } = await shown([rating], false);
  assert.deepEqual(waits, [0]);
});

test("the page of a casual game asks for nothing", () => {
  const never = () => assert.fail("asked");
  new RatingChange(null, never, never).show({ you: null, seats }, { ended: true });
});
