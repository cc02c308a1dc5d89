import assert from "node:assert/strict";
import test from "node:test";
import { offerAgeText, offerOutcome, openOffers } from "../../../static/js/game/offers.js";

const GAME = {
  key: "amazons-10x10",
  status: "live",
  you: "white",
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
  openOffers({ ...GAME, ...more }, { now: 50_000, turns: TURNS, ...state });

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

test("what became of an offer is said", () => {
  const before = { ...GAME, ...offering("draw", { by: "white", rev: 3, at: 0 }) };
  assert.equal(offerOutcome(before, GAME), "bob declined the draw.");
  assert.equal(
    offerOutcome({ ...GAME, ...offering("takeback", { by: "black" }) }, GAME),
    "bob withdrew the takeback request.",
  );
  assert.equal(offerOutcome(before, { ...GAME, step: 5 }), null);
  assert.equal(offerOutcome(before, { ...GAME, takebacks: 1, step: 2 }), "Move taken back.");
});
