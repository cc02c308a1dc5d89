import assert from "node:assert/strict";
import test from "node:test";

import { awaitedLevel, computerTexts } from "../../../static/js/game/computer-notice.js";
import {
  chancesSentence,
  curveOf,
  expectedOf,
  factsOf,
  sideOf,
  signedText,
  thoughtOf,
} from "../../../static/js/game/thoughts.js";
import { curvePoint } from "../../../static/js/game/thoughts-panel.js";

const SEATS = { white: { name: "Wren", bot: true, level: 3 }, black: { name: "ada", bot: false } };
const turnOf = (turn, role, ...texts) => ({
  turn,
  role,
  steps: texts.map((text, index) => ({ n: turn * 2 + index, role, text: { [role]: text } })),
});
const TURNS = [
  turnOf(0, "white", "d1-d7", "/g7"),
  turnOf(1, "black", "d10-d8", "/d2"),
  turnOf(2, "white", "d7-d6", "/d7"),
];
const thought = (n, value, more = {}) => ({
  n,
  role: "white",
  value,
  line: [],
  nodes: 10,
  depth: 2,
  seed: n,
  why: "",
  ...more,
});
const THOUGHTS = [
  thought(0, 0.2, { line: ["d1-d7/g7", "d10-d8/d2"], nodes: 900, depth: 4 }),
  thought(1, 0.3, { nodes: 100, depth: 3 }),
  thought(4, -0.5),
  thought(5, -0.5),
];

test("the thought of a turn is that of its first action, with the work of all of them", () => {
  const { value, nodes, depth, seeds } = thoughtOf(THOUGHTS, TURNS[0]);
  assert.deepEqual([value, nodes, depth, seeds], [0.2, 1000, 4, ["0", "1"]]);
  assert.equal(thoughtOf(THOUGHTS, TURNS[1]), null);
  assert.equal(thoughtOf(THOUGHTS, undefined), null);
});

test("what was expected of a person is told in the spelling of that turn", () => {
  assert.equal(expectedOf(THOUGHTS, TURNS, 1, "amazons-10x10"), "d10-d8/d2");
  assert.equal(expectedOf(THOUGHTS, TURNS, 0, "amazons-10x10"), null);
  assert.equal(expectedOf([thought(0, 0)], TURNS, 1, "amazons-10x10"), null);
  const line = ["a5-a4", "g1-f1", "b1-b2", "c1-c2", "a4-a3"];
  assert.equal(expectedOf([thought(0, 0, { line })], TURNS, 1, "pincer"), "b1-b2 c1-c2");
});

test("a value is a sentence and a signed number", () => {
  assert.equal(chancesSentence(0.62, "Eagle"), "Eagle felt clearly better.");
  assert.equal(chancesSentence(0, "Eagle"), "Eagle felt the game was even.");
  assert.equal(chancesSentence(-0.09, "Eagle"), chancesSentence(0.09, "Eagle"));
  assert.equal(chancesSentence(1, "Eagle"), "Eagle was sure of winning.");
  assert.equal(chancesSentence(-1, "Eagle"), "Eagle knew it was lost.");
  assert.deepEqual([0.623, -0.31, 0.001, -0.001].map(signedText), [
    "+0.62",
    "−0.31",
    "0.00",
    "0.00",
  ]);
});

test("facts leave out what there is not, and a reason that has no words", () => {
  const names = (given) =>
    factsOf({ ...thoughtOf([given], TURNS[0]) }, "pincer").map(([name]) => name);
  assert.deepEqual(names(thought(0, 0, { depth: 0, why: "newfangled" })), []);
  assert.deepEqual(names(thought(0, 0, { line: ["a", "b"], why: "solved" })), [
    "It expected",
    "Why",
    "It looked at",
  ]);
  const opened = thought(0, 0, { nodes: 0, depth: 0, line: ["d1-d7/g7"], why: "book" });
  assert.deepEqual(factsOf(thoughtOf([opened], TURNS[0]), "amazons-8x8"), [
    ["Why", "from its opening book"],
  ]);
  const looked = (key) =>
    factsOf(thoughtOf(THOUGHTS, TURNS[0]), key).find(([name]) => name === "It looked at")[1];
  assert.equal(looked("pincer"), "1,000 positions, 2 moves ahead");
  assert.equal(looked("amazons-8x8"), "1,000 positions, 2 moves ahead");
  assert.equal(looked("amazons"), "1,000 positions, 4 moves ahead");
});

test("the curve tells the chances of one side, whoever thought", () => {
  assert.equal(sideOf(SEATS), "white");
  assert.equal(sideOf({ white: { bot: false }, black: { bot: true } }), "black");
  assert.deepEqual(curveOf(THOUGHTS, TURNS, "white"), [
    [1, 0.2],
    [3, -0.5],
  ]);
  assert.deepEqual(curveOf(THOUGHTS, TURNS, "black"), [
    [1, -0.2],
    [3, 0.5],
  ]);
  assert.deepEqual(curvePoint([1, 0], 3), [0, 20]);
  assert.deepEqual(curvePoint([3, 1], 3), [100, 2]);
  assert.deepEqual(curvePoint([1, -1], 1), [50, 38]);
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
  const said = (state, level = 3) =>
    computerTexts({ off: { pincer: [7, 8] }, ...state }, "pincer", level);
  assert.match(said({ workers: 0, warm: false })[0], /The computer isn’t available/);
  assert.match(said({ workers: 1, warm: false })[1], /30 seconds/);
  assert.equal(said({ workers: 2, warm: true }), null);
  assert.match(said({ workers: 2, warm: true }, 7)[0], /This computer level isn’t available/);
});
