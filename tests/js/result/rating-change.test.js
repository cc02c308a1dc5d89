import assert from "node:assert/strict";
import test from "node:test";

import { RatingChange, ratingText, signed } from "../../../static/js/result/rating-change.js";

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

/** The line of a page, the topics that it follows, and a function that stands for the server. */
function page(answer) {
  const line = { textContent: "", hidden: true };
  const topics = [];
  let onMessage = () => {};
  const part = new RatingChange(
    line,
    async () => answer,
    (topic, options) => {
      topics.push(topic);
      onMessage = options.onMessage;
      return { connect() {} };
    },
  );
  const snapshot = { game: "abc", you: null, seats };
  part.show(snapshot);
  part.show(snapshot); // a further snapshot of the same game
  return { line, topics, part, say: (message) => onMessage(message) };
}

/** Lets the answers arrive. */
const settle = () => new Promise((done) => setImmediate(done));

test("the change is shown when the game is rated", async () => {
  const { line, topics, say, part } = page(rating);
  assert.deepEqual([topics, line.hidden], [["rating:abc"], true]);
  say({ t: "rating", rev: 7 });
  await settle();
  assert.deepEqual([line.hidden, part.rev], [false, 7]);
  assert.equal(line.textContent, "ada 1498 (−14) · bob 1498 (+8)");
});

test("nothing is asked before the game is rated, and for other messages", async () => {
  const { line, say } = page(rating);
  say({ t: "rating", rev: 0 });
  say({ t: "pong" });
  await settle();
  assert.equal(line.hidden, true);
});

test("without an answer the line stays away", async () => {
  const { line, say } = page(null);
  say({ t: "rating", rev: 7 });
  await settle();
  assert.equal(line.hidden, true);
});

test("the page of a casual game follows nothing", () => {
  const never = () => assert.fail("asked");
  new RatingChange(null, never, never).show({ game: "abc", you: null, seats });
});
