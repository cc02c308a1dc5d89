import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, fileName, placeText } from "../../../static/js/share/share-sheet.js";

const snapshot = { key: "pincer", game: "abc" };

test("the link leads to the turn that is looked at, and else to the game", () => {
  const page = "https://quiver.example/g/abc/?from=mail#4";
  assert.equal(addressOf(page, null), "https://quiver.example/g/abc/");
  assert.equal(addressOf(page, 0), "https://quiver.example/g/abc/#0");
  assert.equal(addressOf(page, 12), "https://quiver.example/g/abc/#12");
});

test("the sheet says where the link opens, in the word of the game", () => {
  assert.equal(placeText({ snapshot, turn: null }), "");
  assert.equal(placeText({ snapshot, turn: 0 }), "The link opens at the start.");
  assert.equal(placeText({ snapshot, turn: 3 }), "The link opens at move 3.");
  const blotto = { ...snapshot, key: "blotto" };
  assert.equal(placeText({ snapshot: blotto, turn: 3 }), "The link opens at round 3.");
});

test("a saved picture is named by game and turn", () => {
  assert.equal(fileName({ snapshot, turn: null }, "png"), "quiver-pincer-abc.png");
  assert.equal(fileName({ snapshot, turn: 0 }, "png"), "quiver-pincer-abc-0.png");
});
