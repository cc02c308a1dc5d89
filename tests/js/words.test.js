import assert from "node:assert/strict";
import test from "node:test";

import { choose, openHand } from "../../static/js/board/path.js";
import { marksOf } from "../../static/js/board/geometry.js";
import { captureSentence, labelOf, listed, told } from "../../static/js/board/speech.js";
import { rowsOf } from "../../static/js/panel/rows.js";
import { openEntry, pathStatus } from "../../static/js/panel/path.js";
import { goSentence, resultOf, roundHeadline, roundSentence } from "../../static/js/panel/words.js";
import { Record } from "../../static/js/record.js";
import { envelopeWords, sealWords, troopsStatus, verdictOf } from "../../static/js/troops/words.js";

const SEATS = { white: { name: "tobiasz" }, black: { name: "h.okafor" } };
const NAMES = { white: "tobiasz", black: "h.okafor" };
const GAME = {
  key: "amazons-10x10", status: "live", seats: SEATS, you: "white", control: ["white"], sealed: [],
  view: { step: "move", moved: null }, last: [], offers: { draw: null },
  clock: { kind: "fischer" },
};
const PROMPT = {
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [["move", 0, 1], ["fire", 2]],
  tree: { e5: { e3: "b3 e5" } },
};
const hand = (...squares) => squares.reduce(choose, openHand(PROMPT));
const statusWith = (held, more = {}) =>
  pathStatus({ ...GAME, ...more }, { hand: held, sent: null, captures: null, tap: "Tap" });
const plain = (hint) => hint.map(([text]) => text).join("");

test("every end has its reason in words", () => {
  const over = (winner, reason, goals) => resultOf({ seats: SEATS, outcome: { winner, reason, goals } });
  assert.equal(over("white", "no_moves"), "tobiasz wins: h.okafor cannot move.");
  assert.equal(over("black", "resigned"), "h.okafor wins: tobiasz resigned.");
  assert.equal(over("white", "rounds", { white: 17, black: 13 }), "tobiasz wins, 17 to 13.");
  assert.equal(over(null, "rounds", { white: 15, black: 15 }), "A draw, 15 all.");
  assert.equal(over(null, "agreed"), "A draw, agreed.");
  for (const reason of ["one_each", "no_pieces", "fifty_moves", "stuck", "both_flagged", "no_arrows", "too_long"]) {
    assert.match(over(null, reason), /^A draw: .+\.$/, reason);
  }
});

test("whose go and which step", () => {
  assert.equal(statusWith(hand("e5")).sentence, "Your go: move");
  assert.equal(statusWith(hand("e5", "e3")).sentence, "Your go: shoot");
  assert.equal(statusWith(hand("e5", "e3")).index, 1);
  assert.equal(goSentence({ ...GAME, you: "black" }, 0), "tobiasz to move");
  assert.equal(goSentence({ ...GAME, you: null }, 0), "tobiasz to move");
});

test("the hint says what the next step is", () => {
  assert.equal(plain(statusWith(hand()).hint), "Choose one of your archers.");
  assert.equal(plain(statusWith(hand("e5")).hint), "e5 is chosen. She may go to any dotted square.");
  assert.equal(plain(statusWith(hand("e5", "e3")).hint), "Tap a diamond. That square burns for good.");
});

test("the free arrow is explained, and offered as a button", () => {
  const prompt = { ...PROMPT, actions: [["play", 0, 1, 2]], steps: [...PROMPT.steps.slice(0, 2), { word: "arrow", keep: 0 }] };
  const held = ["e5", "e3"].reduce(choose, openHand(prompt));
  const status = statusWith(held, { key: "amazons" });
  assert.equal(status.keep, true);
  assert.match(plain(status.hint), /keep the arrow: the ring on e5/);
  assert.equal(statusWith(hand("e5", "e3")).keep, false);
});

test("a go that waits says that it is not sent, and how it is", () => {
  const held = hand("e5", "e3", "b3");
  const status = (more) => pathStatus(GAME, { hand: held, sent: null, captures: null, tap: "Tap", ready: true, ...more });
  assert.deepEqual(status({ way: "tap" }).chip, { kind: "unsent", go: "e5-e3/b3", text: "Not sent: e5-e3/b3" });
  assert.equal(plain(status({ way: "tap" }).hint), "Tap the square again to send.");
  assert.equal(plain(status({ way: "tap", tap: "Click" }).hint), "Click the square again to send.");
  assert.equal(plain(status({ way: "button" }).hint), "");
});

test("a go on its way, and a planned one, are named by their notation", () => {
  const sent = pathStatus(GAME, { hand: null, sent: hand("e5", "e3", "b3"), captures: null, tap: "Tap" });
  assert.equal(sent.chip.text, "Sending e5-e3/b3");
  const plan = { text: "e5-e3/b3" };
  const planned = pathStatus({ ...GAME, control: ["black"] }, { hand: null, sent: null, captures: null, tap: "Tap", plan });
  assert.equal(planned.chip.text, "Planned: e5-e3/b3");
  assert.equal(planned.sentence, "h.okafor to move");
});

test("Pincer's done steps are named by what was done", () => {
  const prompt = {
    steps: ["from", "to", "from2", "to2"].map((word) => ({ word })), actions: [],
    tree: { f2: { f3: { c5: "c4" } } },
  };
  const held = ["f2", "f3"].reduce(choose, openHand(prompt));
  const status = statusWith(held, { key: "pincer", view: { step: 1, of: 2 } });
  assert.deepEqual([status.sentence, status.labels, status.index], ["Your go: step two", ["f2-f3", "Second"], 1]);
});

test("a second step that the server waits for is the second step", () => {
  const prompt = { steps: [{ word: "from2" }, { word: "to2" }], actions: [], tree: { c5: "c4" } };
  const last = [{ go: 4, role: "white", text: { white: "f2-f3" }, effects: [] }];
  const status = statusWith(openHand(prompt), { key: "pincer", view: { step: 2, of: 2 }, last });
  assert.deepEqual([status.index, status.labels], [1, ["f2-f3", "Second"]]);
});

test("captures in words: theirs, against the wall, and one's own", () => {
  const view = { width: 4, height: 4 };
  const step = (tree) => ({ steps: [{ word: "from" }, { word: "to" }], actions: [], tree });
  const sentence = (board, tree) => {
    const held = ["c1", "c2"].reduce(choose, openHand(step(tree)));
    return captureSentence({ ...view, board }, held, marksOf(board), "white");
  };
  const taken = sentence("..../..../BB../..W.", { c1: { c2: { x: "a2 b2" } } });
  assert.deepEqual(taken, [["c1-c2", true], [" takes a2 and b2, against the wall.", false]]);
  const lost = sentence("..../..../.B.B/..W.", { c1: { c2: { x: "c2" } } });
  assert.match(plain(lost), /^You lose c2/);
  assert.equal(sentence("..../..../..../..W.", { c1: "c2" }), null);
});

test("lists read like English", () => {
  assert.deepEqual([listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
});

test("squares and turns are told to those who hear the game", () => {
  assert.equal(labelOf("d4", "W", ["can move"], "amazons-8x8"), "d4, white amazon, can move");
  assert.equal(labelOf("d4", undefined, [], "pincer"), "d4, empty");
  const turn = { effects: [{ kind: "slide", role: "white", start: "a4", end: "b4" }] };
  assert.equal(told([turn], NAMES, "amazons"), "tobiasz moves a4 to b4. The arrow is kept.");
  const count = { kind: "count", field: 1, troops: { white: 2, black: 5 }, points: { white: 0, black: 2 } };
  assert.equal(told([{ effects: [count] }], NAMES, "blotto"), "Ford: tobiasz 2, h.okafor 5, 2 points to h.okafor.");
});

const turnsOf = (...texts) =>
  new Record(texts.map(([go, role, text], n) => ({ n, go, role, text: { [role]: text }, effects: [] }))).goes();

test("the two turns of a go are one entry, the newest is framed, the hand is open", () => {
  const goes = turnsOf([0, "white", "d1-d7"], [0, "white", "/g7"], [1, "black", "d10-d8"], [1, "black", "/d2"]);
  assert.deepEqual(rowsOf("amazons-10x10", goes, { role: "white", text: "e5-", joins: false }), [
    { number: 1, cells: [{ text: "d1-d7/g7", go: 1, last: false }, { text: "d10-d8/d2", go: 2, last: true }] },
    { number: 2, cells: [{ text: "e5-", open: true }] },
  ]);
});

test("the go that is looked back at is framed", () => {
  const goes = turnsOf([0, "white", "d1-d7"], [0, "white", "/g7"], [1, "black", "d10-d8"], [1, "black", "/d2"]);
  assert.deepEqual(rowsOf("amazons-10x10", goes, null, 1)[0].cells.map(({ last }) => last), [true, false]);
  assert.deepEqual(rowsOf("amazons-10x10", goes, null, 0)[0].cells.map(({ last }) => last), [false, false]);
});

test("a shot that goes on with a move of the record joins its entry", () => {
  const goes = turnsOf([0, "white", "d1-d7"]);
  assert.deepEqual(rowsOf("amazons-8x8", goes, { role: "white", text: "/g7", joins: true }), [
    { number: 1, cells: [{ text: "d1-d7/g7", open: true }] },
  ]);
});

test("Pincer has a row for each go, numbered in pairs", () => {
  const goes = turnsOf([0, "white", "a5-b5"], [0, "white", "g3-g2"], [1, "black", "a1-b1"], [1, "black", "g7-f7"]);
  const rows = rowsOf("pincer", goes, { role: "white", text: "f2-f3 c5-", joins: false });
  assert.deepEqual(rows.map(({ number, role }) => [number, role]), [[1, "white"], ["", "black"], [2, "white"]]);
  assert.deepEqual(rows[1].cells.map(({ last }) => last), [false, true]);
  assert.deepEqual(rows[2].cells.map(({ text }) => text), ["f2-f3", "c5-"]);
});

test("the open entry spells the hand", () => {
  assert.deepEqual(openEntry(GAME, hand("e5", "e3")), { role: "white", text: "e5-e3/", joins: false });
  assert.equal(openEntry(GAME, hand()), null);
});

test("a record keeps each turn once and knows what it lacks", () => {
  const record = new Record([{ n: 0, effects: [] }]);
  assert.deepEqual(record.add([{ n: 3, effects: [] }, { n: 0, effects: [] }]).map(({ n }) => n), [3]);
  assert.equal(record.gap(4), 1);
  record.add([{ n: 1, effects: [] }, { n: 2, effects: [] }]);
  assert.equal(record.gap(4), null);
});

const BLOTTO = {
  ...GAME, key: "blotto", control: ["white", "black"],
  view: {
    round: 3, rounds: 5, total: 10, fields: 3, goes: 2,
    scores: { white: [4, 2], black: [2, 4] }, totals: { white: 6, black: 6 }, splits: [],
  },
};

test("Blotto's rounds in words", () => {
  assert.equal(roundSentence(BLOTTO), "Round 3, six all");
  assert.equal(roundHeadline(BLOTTO, 0), "Round 1: 4 to 2 for you");
  assert.equal(roundHeadline(BLOTTO, 1), "Round 2: 4 to 2 for h.okafor");
  const ahead = { ...BLOTTO.view, totals: { white: 8, black: 4 } };
  assert.equal(roundSentence({ ...BLOTTO, view: ahead }), "Round 3, you lead 8 to 4");
});

test("the envelope tells that the other side has sealed, and nothing else", () => {
  const open = envelopeWords(BLOTTO, false);
  assert.deepEqual([open.closed, open.what], [false, "h.okafor is still deciding"]);
  const shut = envelopeWords({ ...BLOTTO, sealed: ["black"] }, false);
  assert.deepEqual([shut.closed, shut.what], [true, "h.okafor has sealed"]);
  const mine = envelopeWords({ ...BLOTTO, sealed: ["white"] }, true);
  assert.equal(mine.what, "Your orders are sealed");
  const watched = envelopeWords({ ...BLOTTO, you: null, sealed: ["white"] }, false);
  assert.equal(watched.what, "tobiasz has sealed, h.okafor is still deciding");
});

test("after the end no orders are waited for", () => {
  const { closed, what } = envelopeWords({ ...BLOTTO, status: "over", control: [] }, false);
  assert.deepEqual([closed, what], [false, "No more orders"]);
  assert.doesNotMatch(envelopeWords({ ...BLOTTO, status: "over", sealed: ["white"] }, true).what, /sealed/);
});

test("the button says what is missing", () => {
  assert.equal(sealWords(2), "Place 2 more to seal");
  assert.equal(sealWords(0), "Seal");
});

test("a revealed field's sign and verdict", () => {
  const names = { nearName: "you", farName: "pavel", isYou: true };
  assert.deepEqual(verdictOf(5, 4, names), { sign: ">", words: "2 points to you", bold: true });
  assert.deepEqual(verdictOf(2, 2, names), { sign: "=", words: "1 point each", bold: false });
  assert.deepEqual(verdictOf(3, 4, names), { sign: "<", words: "2 points to pavel", bold: false });
});

test("while a round is shown, the page says that the next one runs", () => {
  const state = { revealing: true, sealed: false, sent: false, placed: false, wait: 8 };
  const { sentence, hint, index } = troopsStatus(BLOTTO, state, "h.okafor");
  assert.deepEqual([sentence, index], ["Six all, three rounds to go", 2]);
  assert.match(plain(hint), /Round 3 is open; your clock runs/);
});
