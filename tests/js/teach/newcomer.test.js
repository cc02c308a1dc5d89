import assert from "node:assert/strict";
import test from "node:test";

import { isFirstGame } from "../../../static/js/teach/newcomer.js";

const storageOf = (text) => {
  const kept = new Map(text === undefined ? [] : [["quiver-first-games", text]]);
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
  return () => storage;
};

test("the first three games of a device are a newcomer's, also when they are opened again", () => {
  const storage = storageOf();
  assert.deepEqual(
    ["a", "b", "a", "c", "d", "c", "e"].map((game) => isFirstGame(game, storage)),
    [true, true, true, true, false, true, false],
  );
});

test("what is stored and cannot be read counts as nothing", () => {
  for (const text of ["{", "7", "null"]) {
    const storage = storageOf(text);
    assert.equal(isFirstGame("a", storage), true);
    assert.equal(isFirstGame("a", storage), true);
  }
});

test("where nothing can be stored nobody is a newcomer", () => {
  const refuse = () => {
    throw new DOMException("no storage", "SecurityError");
  };
  assert.equal(isFirstGame("a", refuse), false);
});
