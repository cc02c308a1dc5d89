import assert from "node:assert/strict";
import test from "node:test";

import { Hold, LONG } from "../../static/js/panel/hold.js";
import { rematchOf } from "../../static/js/panel/after.js";
import { clockLabel, gameName } from "../../static/js/panel/labels.js";
import { ageWords, answerOf, thingsOf } from "../../static/js/panel/offers.js";
import { refusalOf, refusedGo } from "../../static/js/panel/refusals.js";
import { wordOf } from "../../static/js/panel/typed.js";
import { awayWords } from "../../static/js/panel/words.js";
import { speak } from "../../static/js/text.js";

const GAME = {
  key: "amazons-10x10", status: "live", you: "white", turn: 4, takebacks: 0,
  seats: { white: { name: "ada" }, black: { name: "bob" } },
  offers: { draw: null, takeback: null }, may: ["resign", "draw", "takeback"],
};
const GOES = [
  { role: "white", turns: [{ n: 0, role: "white", text: { white: "d1-d7" } }, { n: 1, role: "white", text: { white: "/g7" } }] },
  { role: "black", turns: [{ n: 2, role: "black", text: { black: "d10-d8" } }, { n: 3, role: "black", text: { black: "/d2" } }] },
];
const things = (more = {}, state = {}) => thingsOf({ ...GAME, ...more }, { now: 50_000, goes: GOES, ...state });
const offering = (kind, offer) => ({ offers: { ...GAME.offers, [kind]: offer } });

test("an offer has an age and two answers; one's own can be withdrawn", () => {
  const [theirs] = things(offering("draw", { by: "black", rev: 3, at: 10_000 }));
  assert.equal(theirs.what, "bob offers a draw.");
  assert.equal(theirs.then, "Offered 40 s ago.");
  assert.deepEqual(theirs.answers.map(({ deed }) => deed), ["accept", "decline"]);
  const [mine] = things(offering("draw", { by: "white", rev: 3, at: 10_000 }));
  assert.deepEqual([mine.mine, mine.answers.map(({ deed }) => deed)], [true, ["withdraw"]]);
});

test("ages are told in steps", () => {
  assert.deepEqual([0, 44_000, 125_000, 7_200_000].map(ageWords), [
    "Offered just now.", "Offered 40 s ago.", "Offered 2 min ago.", "Offered 2 h ago.",
  ]);
});

test("a takeback names the goes that would be undone", () => {
  const [asked] = things(offering("takeback", { by: "black", rev: 3, at: 50_000, to: 2 }));
  assert.equal(asked.what, "bob asks to take back d10-d8/d2.");
  const [own] = things(offering("takeback", { by: "white", rev: 3, at: 50_000, to: 0 }));
  assert.equal(own.what, "You have asked to take back d1-d7/g7, d10-d8/d2.");
});

test("only who may claim is told of it: first the wait, then two buttons", () => {
  const claim = { by: "white", from: 84_000 };
  const [wait] = things({}, { claim });
  assert.deepEqual([wait.then, wait.answers], ["In 34 s you may claim the win.", []]);
  const [ready] = things({}, { claim: { by: "white", from: 49_000 } });
  assert.deepEqual(ready.answers.map(({ deed }) => deed), ["claimWin", "claimDraw"]);
  assert.deepEqual(things({ you: "black" }, { claim }), []);
  assert.deepEqual(things({ you: null }, { claim }), []);
});

test("a question to oneself goes when it is no longer allowed", () => {
  assert.equal(things({}, { asked: "resign" })[0].answers[0].word, "Confirm resign");
  assert.equal(things({ may: ["abort"] }, { asked: "abort" })[0].answers[0].word, "Confirm abort");
  assert.deepEqual(things({ may: [] }, { asked: "resign" }), []);
});

test("after the end nothing stands", () => {
  assert.deepEqual(things({ status: "over", ...offering("draw", { by: "black", rev: 1, at: 0 }) }, { asked: "resign" }), []);
});

test("what became of an offer is said", () => {
  const before = { ...GAME, ...offering("draw", { by: "white", rev: 3, at: 0 }) };
  assert.equal(answerOf(before, GAME), "bob declined the draw.");
  assert.equal(answerOf({ ...GAME, ...offering("takeback", { by: "black" }) }, GAME), "bob no longer asks for a takeback.");
  assert.equal(answerOf(before, { ...GAME, turn: 5 }), null);
  assert.equal(answerOf(before, { ...GAME, takebacks: 1, turn: 2 }), "A go was taken back.");
});

function held() {
  const clock = { time: 0, tick: null, now: () => clock.time };
  clock.every = (call) => ((clock.tick = call), 1);
  clock.cancel = () => (clock.tick = null);
  const seen = { shares: [], done: 0 };
  const hold = new Hold({ onShare: (share) => seen.shares.push(share), onDone: () => (seen.done += 1) }, clock);
  const pass = (ms) => {
    for (const end = clock.time + ms; clock.time < end; ) {
      clock.time += 50;
      clock.tick?.();
    }
  };
  return { hold, seen, pass };
}

test("a button held for a second acts once; its share grows and goes", () => {
  const { hold, seen, pass } = held();
  hold.press();
  pass(LONG - 50);
  assert.equal(seen.done, 0);
  assert.ok(seen.shares.at(-1) > 0.9);
  pass(500);
  assert.deepEqual([seen.done, seen.shares.at(-1), hold.wasLong], [1, 0, true]);
});

test("leaving the button ends the hold, and a long press that was given up is no click", () => {
  const { hold, seen, pass } = held();
  hold.press();
  pass(600);
  hold.cancel();
  pass(2000);
  assert.deepEqual([seen.done, seen.shares.at(-1), hold.wasLong], [0, 0, true]);
  hold.press();
  pass(100);
  hold.cancel();
  assert.equal(hold.wasLong, false);
});

test("refusals are told by their words on the wire, the server's sentence is the last resort", () => {
  assert.equal(refusalOf({ reason: "illegal", code: "path_blocked", squares: ["c2"], say: "x" }), "c2 is in the way.");
  assert.equal(refusalOf({ reason: "illegal", code: "not_one_step", squares: ["a1", "c2"] }), "c2 is not one step up, down, left or right from a1.");
  assert.equal(refusalOf({ reason: "illegal", code: "path_blocked", squares: [], say: "That way is blocked." }), "That way is blocked.");
  assert.equal(refusalOf({ reason: "stale_turn" }), "The game has moved on since that was made.");
  assert.equal(refusalOf({ reason: "of_tomorrow", say: "Something new." }), "Something new.");
  assert.equal(refusedGo({ reason: "illegal" }, true)[1], "Nothing was played. It is still your go.");
});

test("names of games and clocks are in the reader's language", () => {
  assert.equal(gameName({ key: "pincer", name: "Pincer" }), "Pincer");
  const label = (key, clock) => clockLabel({ key, clock });
  assert.equal(label("pincer", { kind: "days", initial: 86_400_000 }), "1 day a go");
  assert.equal(label("blotto", { kind: "days", initial: 172_800_000 }), "2 days a round");
  assert.equal(label("blotto", { kind: "limit", initial: 30_000 }), "30 s a round");
  assert.equal(label("pincer", { kind: "limit", initial: 120_000 }), "2 min a go");
  assert.equal(label("pincer", { kind: "fischer", label: "5 + 3" }), "5 + 3");
  assert.equal(label("pincer", { kind: "none", label: "no clock" }), "no clock");
});

test("a typed word is known in English and in the reader's language", () => {
  speak({});
  assert.equal(wordOf(" Resign "), "resign");
  assert.equal(wordOf("d1-d7/g7"), null);
});

test("how long somebody is away is told in minutes", () => {
  assert.deepEqual([awayWords(null, 5), awayWords(0, 59_000), awayWords(0, 125_000), awayWords(0, 7_300_000)], [
    "away", "away", "away 2 min", "away 2 h",
  ]);
});

test("the rematch button says where the rematch stands", () => {
  const again = { game: "/g/x/", may: true, mine: false, theirs: false, other: "bob", other_here: true, next: null };
  assert.deepEqual(rematchOf(again), { word: "Rematch", may: true, say: "", next: null });
  assert.equal(rematchOf({ ...again, theirs: true }).say, "bob wants a rematch, sides swapped.");
  assert.equal(rematchOf({ ...again, mine: true }).may, false);
  assert.match(rematchOf({ ...again, mine: true, other_here: false }).say, /not here just now/);
  assert.equal(rematchOf({ ...again, next: "/g/y/" }).next, "/g/y/");
  assert.equal(rematchOf({ ...again, may: false }).word, null);
  assert.match(rematchOf({ ...again, may: false, changed: true }).say, /another game/);
});
