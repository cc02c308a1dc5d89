import assert from "node:assert/strict";
import test from "node:test";

import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import { draftSentence } from "../../../static/js/speech/draft-speech.js";

const AMAZONS = {
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [],
  tree: { a3: { c5: "a3 d6 e7", a4: "a3" }, c1: { c2: "c1" } },
};
const FREE = { ...AMAZONS, steps: [...AMAZONS.steps.slice(0, 2), { word: "arrow", keep: 0 }] };
const PINCER = {
  steps: ["from", "to", "from2", "to2"].map((word) => ({ word })),
  actions: [],
  tree: { c1: { c2: { a4: "a3", b4: "b3", x: "a2 b2" } } },
};
const draft = (prompt, ...squares) => squares.reduce(choose, openDraft(prompt));

const say = (before, after, more = {}) =>
  draftSentence(before, after, {
    view: { board: "W......./........", width: 8, height: 2 },
    you: "white",
    way: "once",
    planning: false,
    ...more,
  });

test("each half-step of a turn is said with the number of what can be chosen next", () => {
  const [empty, held, moved] = [draft(AMAZONS), draft(AMAZONS, "a3"), draft(AMAZONS, "a3", "c5")];
  assert.equal(say(null, empty), null);
  assert.equal(say(empty, held), "a3 chosen, 2 targets.");
  assert.equal(say(held, draft(AMAZONS, "c1")), "c1 chosen, 1 target.");
  assert.equal(say(held, moved), "Moved to c5. Now shoot: 3 targets.");
});

test("what is taken back is said as what is left", () => {
  const [empty, held, moved] = [draft(AMAZONS), draft(AMAZONS, "a3"), draft(AMAZONS, "a3", "c5")];
  assert.equal(say(moved, held), "a3 chosen, 2 targets.");
  assert.equal(say(held, empty), "Nothing chosen.");
  assert.equal(say(held, held), null);
  assert.equal(say(held, null), null);
});

test("the square that means no arrow is named and not counted", () => {
  assert.equal(
    say(draft(FREE, "a3"), draft(FREE, "a3", "c5")),
    "Moved to c5. Now shoot: 2 targets. a3: no arrow.",
  );
});

test("a step of Pincer is said with what it takes", () => {
  const view = { board: "..../..../BB../..W.", width: 4, height: 4 };
  assert.equal(
    say(draft(PINCER, "c1"), draft(PINCER, "c1", "c2"), { view }),
    "Moved to c2. c1-c2 takes a2 and b2, against the wall. Second step: 2 pieces can move.",
  );
});

test("a complete turn says how it is sent, and nothing where it is sent by itself", () => {
  const [moved, whole] = [draft(AMAZONS, "a3", "c5"), draft(AMAZONS, "a3", "c5", "d6")];
  assert.equal(say(moved, whole), null);
  assert.equal(say(moved, whole, { way: "tap" }), "a3-c5/d6 is ready. Pick d6 again to send it.");
  assert.equal(say(moved, whole, { way: "button" }), "a3-c5/d6 is ready. Press Send to send it.");
  assert.equal(say(moved, whole, { way: "tap", planning: true }), null);
});
