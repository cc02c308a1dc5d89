import assert from "node:assert/strict";
import test from "node:test";

import { newsOf } from "../../static/js/page/news.js";
import { Fate } from "../../static/js/panel/fate.js";
import { sealedWords } from "../../static/js/panel/words.js";

const snapshot = (more = {}) => ({
  key: "pincer", status: "live", turn: 4, takebacks: 0, prompt: null, offers: {}, control: ["white"],
  seats: { white: { name: "ada" }, black: { name: "bob" } },
  clock: { since: 1000, running: ["white"] },
  ...more,
});

const since = (moment, more = {}) => snapshot({ clock: { since: moment, running: ["white"] }, ...more });

test("time that the server was away is told once, in whole seconds", () => {
  const { away, said } = newsOf(snapshot(), since(13_000), [], false);
  assert.deepEqual(away, ["The server was away for 12 s.", "No clock paid for it."]);
  assert.deepEqual(said, ["The server was away for 12 s. No clock paid for it."]);
  assert.equal(newsOf(since(13_000), since(13_000), [], false).away, null);
});

test("a clock that starts with another turn, after a takeback or not at all was given nothing", () => {
  for (const next of [since(13_000, { turn: 5 }), since(13_000, { takebacks: 1 }), since(13_000, { status: "over" })]) {
    assert.equal(newsOf(snapshot(), { outcome: null, ...next }, [], false).away, null);
  }
});

test("a seal shows the first eight digits of its fingerprint, where there is one", () => {
  const commitments = { black: "3f9a12c0".padEnd(64, "0") };
  assert.equal(sealedWords({ commitments }, "black"), "sealed · 3f9a\u00a012c0");
  assert.equal(sealedWords({ commitments: {} }, "black"), "sealed");
  assert.equal(sealedWords({}, "black"), "sealed");
});

test("a go that got time back for its way says how much", () => {
  const fate = new Fate(() => {});
  fate.tell("accepted", "d1-d7/g7", 120);
  assert.equal(fate.chip.text, "Accepted: d1-d7/g7 · +120 ms for the line");
  fate.tell("accepted", "d1-d7/g7");
  assert.equal(fate.chip.text, "Accepted: d1-d7/g7");
  fate.forget();
});
