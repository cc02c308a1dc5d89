import assert from "node:assert/strict";
import test from "node:test";
import { elapsedText, reactionTo } from "../../../static/js/search/search-state.js";

const ASKED = { state: "asked", asks: false, answered: false, tab: "" };
const PAIRED = { state: "paired", asks: false, answered: true, tab: "mine" };

test("a page that searches answers by itself, once", () => {
  assert.equal(reactionTo(ASKED, "mine", true), "answer");
  assert.equal(reactionTo({ ...ASKED, answered: true, tab: "mine" }, "mine", true), "show");
});

test("who plays the computer meanwhile is asked", () => {
  assert.equal(reactionTo({ ...ASKED, asks: true }, "mine", true), "ask");
});

test("the game opens in the tab that answered first, and the other tab says so", () => {
  assert.equal(reactionTo(PAIRED, "mine", true), "enter");
  assert.equal(reactionTo(PAIRED, "other", true), "another");
});

test("a page leads nobody into the game of an earlier search", () => {
  assert.equal(reactionTo(PAIRED, "mine", false), "show");
});

test("times are minutes and seconds, never negative", () => {
  assert.equal(elapsedText(-200), "0:00");
  assert.equal(elapsedText(12_900), "0:12");
  assert.equal(elapsedText(3_605_000), "60:05");
});
