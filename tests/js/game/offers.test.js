import assert from "node:assert/strict";
import test from "node:test";
import * as ends from "../../../static/js/game/end-offers.js";
import { offerAgeText, offerOutcome, openOffers } from "../../../static/js/game/offers.js";

const GAME = {
  key: "amazons-10x10",
  status: "live",
  you: "white",
  rev: 6,
  step: 4,
  takebacks: 0,
  seats: { white: { name: "ada" }, black: { name: "bob" } },
  offers: { draw: null, takeback: null },
  may: ["resign", "draw", "takeback"],
};

const TURNS = [
  {
    role: "white",
    steps: [
      { n: 0, role: "white", text: { white: "d1-d7" } },
      { n: 1, role: "white", text: { white: "/g7" } },
    ],
  },
  {
    role: "black",
    steps: [
      { n: 2, role: "black", text: { black: "d10-d8" } },
      { n: 3, role: "black", text: { black: "/d2" } },
    ],
  },
];

const things = (more = {}, state = {}) =>
  openOffers({ ...GAME, ...more }, { now: 50_000, turns: TURNS, ends, ...state });

const offering = (kind, offer) => ({ offers: { ...GAME.offers, [kind]: offer } });

test("an offer has an age and two answers; one's own can be withdrawn", () => {
  const [theirs] = things(offering("draw", { by: "black", rev: 3, at: 10_000 }));
  assert.equal(theirs.what, "bob offers a draw.");
  assert.equal(theirs.then, "Asked 40 s ago.");
  assert.deepEqual(
    theirs.answers.map(({ command }) => command),
    ["accept", "decline"],
  );
  const [mine] = things(offering("draw", { by: "white", rev: 3, at: 10_000 }));
  assert.deepEqual([mine.mine, mine.answers.map(({ command }) => command)], [true, ["withdraw"]]);
});

test("ages are told in steps", () => {
  assert.deepEqual([0, 44_000, 125_000, 7_200_000].map(offerAgeText), [
    "Asked just now.",
    "Asked 40 s ago.",
    "Asked 2 min ago.",
    "Asked 2 h ago.",
  ]);
});

test("a takeback names the turns that would be undone", () => {
  const [asked] = things(offering("takeback", { by: "black", rev: 3, at: 50_000, to: 2 }));
  assert.equal(asked.what, "bob asks to take back d10-d8/d2.");
  const [own] = things(offering("takeback", { by: "white", rev: 3, at: 50_000, to: 0 }));
  assert.equal(own.what, "You asked to take back d1-d7/g7, d10-d8/d2.");
});

test("only who may claim is told of it: first the wait, then two buttons", () => {
  const claim = { by: "white", from: 84_000 };
  const [wait] = things({}, { claim });
  assert.deepEqual([wait.then, wait.answers], ["You can claim the win in 34 s.", []]);
  const [ready] = things({}, { claim: { by: "white", from: 49_000 } });
  assert.deepEqual(
    ready.answers.map(({ command }) => command),
    ["claimWin", "claimDraw"],
  );
  assert.deepEqual(things({ you: "black" }, { claim }), []);
  assert.deepEqual(things({ you: null }, { claim }), []);
});

test("a question to oneself goes when it is no longer allowed", () => {
  assert.equal(things({}, { asked: "resign" })[0].answers[0].word, "Yes, resign");
  assert.equal(things({ may: ["abort"] }, { asked: "abort" })[0].answers[0].word, "Yes, abort");
  assert.deepEqual(things({ may: [] }, { asked: "resign" }), []);
});

test("after the end nothing stands", () => {
  assert.deepEqual(
    things(
      { status: "over", ...offering("draw", { by: "black", rev: 1, at: 0 }) },
      { asked: "resign" },
    ),
    [],
  );
});

test("what became of an offer is said by whose act it was", () => {
  /** @param {"draw" | "takeback"} kind @param {string} by @param {string} actor */
  const outcome = (kind, by, actor, more = {}) =>
    offerOutcome({ ...GAME, ...offering(kind, { by }) }, { ...GAME, rev: 7, actor, ...more });
  assert.equal(outcome("draw", "white", "black"), "bob declined the draw.");
  assert.equal(outcome("takeback", "black", "black"), "bob withdrew the takeback request.");
  assert.equal(outcome("draw", "black", "white"), "You declined.");
  assert.equal(outcome("takeback", "white", "white"), "You withdrew.");
  assert.equal(outcome("draw", "white", "black", { step: 5 }), null);
  assert.equal(outcome("draw", "white", "black", { rev: 8 }), null, "a later change hides it");
  assert.equal(outcome("draw", "white", null), null, "the server has dropped it");
  assert.equal(outcome("draw", "white", "white", { takebacks: 1, step: 2 }), "Move taken back.");
});

const COUNT = { white: 12, black: 9, parted: true, quiet: 0, limit: 10, regions: [] };
const FREE = { key: "amazons", may: ["resign", "draw", "takeback", "count"], count: COUNT };

test("once the sides are apart a player is told what a count would give", () => {
  const [parted] = things(FREE);
  assert.deepEqual([parted.what, parted.then], ["The sides are apart.", "You win, 12–9 squares."]);
  assert.deepEqual(parted.answers, [{ command: "count", word: "Count now" }]);
  assert.equal(things({ ...FREE, you: "black" })[0].then, "You lose, 9–12 squares.");
  const level = { ...COUNT, black: 12 };
  assert.equal(things({ ...FREE, count: level })[0].then, "It’s a draw, 12–12 squares.");
  assert.deepEqual(things({ ...FREE, you: null }), []);
});

test("the button asks before it counts, and the other sheet makes way", () => {
  const [asked, ...others] = things(FREE, { asked: "count" });
  assert.deepEqual([asked.key, asked.then, others], ["ask-count", "You win, 12–9 squares.", []]);
  assert.deepEqual(
    asked.answers.map(({ command }) => command),
    ["count", "keepPlaying"],
  );
  assert.deepEqual(things({ ...FREE, may: ["resign"] }, { asked: "count" }), []);
});

test("a count by itself is told four moves before", () => {
  const shared = { ...COUNT, parted: false, quiet: 6 };
  const at = (quiet) => things({ ...FREE, may: [], count: { ...shared, quiet } });
  assert.deepEqual(at(5), []);
  const [warning] = at(6);
  assert.equal(warning.what, "4 more moves without an arrow, and squares are counted.");
  assert.equal(warning.then, "As it stands, 12–9 squares for you.");
  assert.deepEqual(warning.answers, []);
  assert.equal(at(9)[0].what, "1 more move without an arrow, and squares are counted.");
});
