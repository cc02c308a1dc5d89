import assert from "node:assert/strict";
import test from "node:test";
import { hasAnimation, waitForAnimation } from "../../../static/js/share/animation.js";

/**
 * Waits for an animation with these answers; returns the outcome and how often was asked and waited.
 *
 * @param {(number | Error)[]} answers the last one is repeated
 * @param {number} [wantedFor] answers after which nobody wants it any more
 */
async function outcomeOf(answers, wantedFor = Infinity) {
  const seen = { asked: 0, waits: 0 };
  const ask = async () => {
    const answer = answers[Math.min(seen.asked, answers.length - 1)];
    seen.asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const wait = async () => {
    seen.waits += 1;
  };
  const outcome = await waitForAnimation({ ask, wait, isWanted: () => seen.asked < wantedFor });
  return { outcome, ...seen };
}

test("one asks until it is made, with a wait before each repetition", async () => {
  assert.deepEqual(await outcomeOf([200]), { outcome: "made", asked: 1, waits: 0 });
  assert.deepEqual(await outcomeOf([202, 202, 200]), { outcome: "made", asked: 3, waits: 2 });
});

test("a closed sheet asks no more", async () => {
  assert.deepEqual(await outcomeOf([202], 2), { outcome: "stopped", asked: 2, waits: 2 });
});

test("why there is none is said", async () => {
  const failed = "The animation couldn’t be made. Try again later.";
  for (const status of [404, 500, 503]) assert.equal((await outcomeOf([status])).outcome, failed);
  const often = "Too many requests. Try again in a few minutes.";
  assert.equal((await outcomeOf([202, 429])).outcome, often);
  const offline = "Not connected. Try again in a moment.";
  assert.equal((await outcomeOf([new TypeError("network")])).outcome, offline);
  const slow = await outcomeOf([202]);
  assert.equal(slow.outcome, "This is taking longer than usual. Try again later.");
  assert.equal(slow.asked, 60);
});

test("another error is not taken for a missing network", async () => {
  await assert.rejects(outcomeOf([new RangeError("a fault")]), RangeError);
});

test("only an ended game of two turns or more has an animation", () => {
  assert.equal(hasAnimation({ status: "over", turns: 2 }), true);
  assert.equal(hasAnimation({ status: "over", turns: 1 }), false);
  assert.equal(hasAnimation({ status: "live", turns: 9 }), false);
});
