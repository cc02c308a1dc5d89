import assert from "node:assert/strict";
import test from "node:test";

import { awaitedLevel, noticeOf } from "../../static/js/page/computer.js";
import { placed } from "../../static/js/replay/curve.js";
import { chances, curveOf, expectedOf, factsOf, sideOf, signed, thoughtOf } from "../../static/js/replay/thinking.js";

const SEATS = { white: { name: "Wren", bot: true }, black: { name: "ada", bot: false } };
const goOf = (go, role, ...texts) => ({
  go,
  role,
  turns: texts.map((text, index) => ({ n: go * 2 + index, role, text: { [role]: text } })),
});
const GOES = [goOf(0, "white", "d1-d7", "/g7"), goOf(1, "black", "d10-d8", "/d2"), goOf(2, "white", "d7-d6", "/d7")];
const thought = (n, value, more = {}) => ({
  n, role: "white", value, line: [], nodes: 10, depth: 2, seed: n, why: "", ...more,
});
const THOUGHTS = [
  thought(0, 0.2, { line: ["d1-d7/g7", "d10-d8/d2"], nodes: 900, depth: 4 }),
  thought(1, 0.3, { nodes: 100, depth: 3 }),
  thought(4, -0.5),
  thought(5, -0.5),
];

test("the thought of a go is that of its first action, with the work of all of them", () => {
  const { value, nodes, depth, seeds } = thoughtOf(THOUGHTS, GOES[0]);
  assert.deepEqual([value, nodes, depth, seeds], [0.2, 1000, 4, ["0", "1"]]);
  assert.equal(thoughtOf(THOUGHTS, GOES[1]), null);
  assert.equal(thoughtOf(THOUGHTS, undefined), null);
});

test("what was expected of a person is told in the spelling of that go", () => {
  assert.equal(expectedOf(THOUGHTS, GOES, 1, "amazons-10x10"), "d10-d8/d2");
  assert.equal(expectedOf(THOUGHTS, GOES, 0, "amazons-10x10"), null);
  assert.equal(expectedOf([thought(0, 0)], GOES, 1, "amazons-10x10"), null);
  const line = ["a5-a4", "g1-f1", "b1-b2", "c1-c2", "a4-a3"];
  assert.equal(expectedOf([thought(0, 0, { line })], GOES, 1, "pincer"), "b1-b2 c1-c2");
});

test("a value is a sentence and a signed number", () => {
  assert.equal(chances(0.62, "Eagle"), "Eagle thought that it was clearly better.");
  assert.equal(chances(0, "Eagle"), "Eagle thought that the game was level.");
  assert.equal(chances(-0.09, "Eagle"), chances(0.09, "Eagle"));
  assert.equal(chances(1, "Eagle"), "Eagle was sure of winning.");
  assert.equal(chances(-1, "Eagle"), "Eagle knew that it was lost.");
  assert.deepEqual([0.623, -0.31, 0.001, -0.001].map(signed), ["+0.62", "−0.31", "0.00", "0.00"]);
});

test("facts leave out what there is not, and a reason that has no words", () => {
  const names = (given) => factsOf({ ...thoughtOf([given], GOES[0]) }).map(([name]) => name);
  assert.deepEqual(names(thought(0, 0, { depth: 0, why: "newfangled" })), ["Seed"]);
  assert.deepEqual(names(thought(0, 0, { line: ["a", "b"], why: "solved" })), [
    "It expected", "Why", "It looked at", "Seed",
  ]);
  const [, told] = factsOf(thoughtOf(THOUGHTS, GOES[0])).find(([name]) => name === "It looked at");
  assert.equal(told, "1,000 positions, 4 steps ahead");
});

test("the curve tells the chances of one side, whoever thought", () => {
  assert.equal(sideOf(SEATS), "white");
  assert.equal(sideOf({ white: { bot: false }, black: { bot: true } }), "black");
  assert.deepEqual(curveOf(THOUGHTS, GOES, "white"), [[1, 0.2], [3, -0.5]]);
  assert.deepEqual(curveOf(THOUGHTS, GOES, "black"), [[1, -0.2], [3, 0.5]]);
  assert.deepEqual(placed([1, 0], 3), [0, 20]);
  assert.deepEqual(placed([3, 1], 3), [100, 2]);
  assert.deepEqual(placed([1, -1], 1), [50, 38]);
});

test("a computer player is awaited only by who sits, and only until it has acted", () => {
  const snapshot = { status: "live", you: "black", control: ["white"], sealed: [], seats: SEATS };
  assert.equal(awaitedLevel(snapshot), SEATS.white.level);
  assert.equal(awaitedLevel({ ...snapshot, you: null }), null);
  assert.equal(awaitedLevel({ ...snapshot, status: "over", control: [] }), null);
  assert.equal(awaitedLevel({ ...snapshot, control: ["black"] }), null);
  const both = { ...snapshot, control: ["white", "black"] };
  assert.equal(awaitedLevel(both), SEATS.white.level);
  assert.equal(awaitedLevel({ ...both, sealed: ["white"] }), null);
});

test("the notice says whether nobody is there, or is getting ready, or nothing", () => {
  const said = (state, level = 3) => noticeOf({ off: { pincer: [7, 8] }, ...state }, "pincer", level);
  assert.match(said({ workers: 0, warm: false })[0], /No computer player is running/);
  assert.match(said({ workers: 1, warm: false })[1], /half a minute/);
  assert.equal(said({ workers: 2, warm: true }), null);
  assert.match(said({ workers: 2, warm: true }, 7)[0], /No computer player of this level/);
});
