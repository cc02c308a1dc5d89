import assert from "node:assert/strict";
import test from "node:test";
import {
  captureSentence,
  describeSteps,
  labelOf,
} from "../../../static/js/board/board-sentences.js";
import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import { marksOf } from "../../../static/js/drawing/geometry.js";

const NAMES = { white: "tobiasz", black: "h.okafor" };

const plain = (hint) => hint.map(([text]) => text).join("");

test("captures in words: theirs, against the wall, and one's own", () => {
  const view = { width: 4, height: 4 };
  const step = (tree) => ({ steps: [{ word: "from" }, { word: "to" }], actions: [], tree });
  const sentence = (board, tree) => {
    const held = ["c1", "c2"].reduce(choose, openDraft(step(tree)));
    return captureSentence({ ...view, board }, held, marksOf(board), "white");
  };
  const taken = sentence("..../..../BB../..W.", { c1: { c2: { x: "a2 b2" } } });
  assert.deepEqual(taken, [
    ["c1-c2", true],
    [" takes a2 and b2, against the wall.", false],
  ]);
  const lost = sentence("..../..../.B.B/..W.", { c1: { c2: { x: "c2" } } });
  assert.match(plain(lost), /^You lose c2/);
  assert.equal(sentence("..../..../..../..W.", { c1: "c2" }), null);
});

test("squares and steps are told to those who hear the game", () => {
  assert.equal(labelOf("d4", "W", ["can move"], "amazons-8x8"), "d4, white amazon, can move");
  assert.equal(labelOf("d4", undefined, [], "pincer"), "d4, empty");
  const step = { effects: [{ kind: "slide", role: "white", start: "a4", end: "b4" }] };
  assert.equal(describeSteps([step], NAMES, "amazons"), "tobiasz: a4 to b4, no arrow.");
  const count = {
    kind: "count",
    field: 1,
    troops: { white: 2, black: 5 },
    points: { white: 0, black: 2 },
  };
  assert.equal(
    describeSteps([{ effects: [count] }], NAMES, "blotto"),
    "Ford: tobiasz 2, h.okafor 5, 2 points to h.okafor.",
  );
  assert.equal(
    describeSteps([{ effects: [count] }], { ...NAMES, you: "black" }, "blotto"),
    "Ford: you 5, tobiasz 2, 2 points to you.",
  );
});

test("the reader is addressed, and each move is one sentence with what it took", () => {
  const slide = (role, start, end) => ({ kind: "slide", role, start, end });
  const own = [
    { effects: [slide("white", "a3", "c5")] },
    { effects: [{ kind: "place", role: "white", start: "c5", at: "d6" }] },
  ];
  const reply = { effects: [slide("black", "a6", "c4")] };
  const names = { ...NAMES, you: "white" };
  assert.equal(
    describeSteps([...own, reply], names, "amazons-8x8"),
    "You: a3 to c5, burned d6. h.okafor: a6 to c4.",
  );
  const taken = { kind: "remove", role: "black", squares: ["a1", "a2"], jaws: [], axis: "column" };
  const turn = [
    { effects: [slide("white", "a4", "a3"), taken] },
    { effects: [slide("white", "g4", "g5")] },
  ];
  assert.equal(
    describeSteps(turn, names, "pincer"),
    "You: a4 to a3, g4 to g5. a1 and a2 are taken.",
  );
});
