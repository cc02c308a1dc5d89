import assert from "node:assert/strict";
import test from "node:test";
import {
  actionsOfLine,
  isWhole,
  lineSentence,
  lineText,
  nextSentence,
} from "../../../static/js/slow/reply-line.js";

const turn = (...text) => ({ text, actions: text.map((each) => `move ${each}`) });
const AMAZONS = [turn("d1-d7", "/g7"), turn("d10-d8", "/d2")];
const PINCER = [turn("a5-b5", "a7-a6"), turn("g7-f7"), turn("b5-c5"), turn("f7-e7")];

test("a line pairs each turn of the opponent with its reply", () => {
  assert.equal(lineText("amazons-10x10", AMAZONS), "d1-d7/g7 → d10-d8/d2");
  assert.equal(lineText("pincer", PINCER), "a5-b5 a7-a6 → g7-f7, b5-c5 → f7-e7");
  assert.equal(lineText("pincer", PINCER.slice(0, 3)), "a5-b5 a7-a6 → g7-f7, b5-c5");
  assert.equal(lineText("pincer", []), "");
});

test("screen readers hear conditions and replies", () => {
  assert.equal(lineSentence("pincer", PINCER), "If a5-b5 a7-a6, then g7-f7. If b5-c5, then f7-e7.");
});

test("a line is whole when it ends with a reply", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((count) => isWhole(PINCER.slice(0, count))),
    [false, false, true, false, true],
  );
});

test("the sentence says what comes next", () => {
  assert.match(nextSentence([], "bob", false), /move for bob/);
  assert.match(nextSentence(PINCER.slice(0, 1), "bob", false), /your reply/);
  assert.match(nextSentence(PINCER.slice(0, 1), "bob", true), /end the game/);
  assert.match(nextSentence(PINCER, "bob", false), /or choose the next/);
  assert.equal(nextSentence([...PINCER, ...AMAZONS], "bob", false), "Add this line.");
  assert.equal(nextSentence(PINCER, "bob", true), "Add this line.");
});

test("actions are sent turn by turn", () => {
  assert.deepEqual(actionsOfLine(AMAZONS), [
    ["move d1-d7", "move /g7"],
    ["move d10-d8", "move /d2"],
  ]);
});
