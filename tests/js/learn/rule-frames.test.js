import assert from "node:assert/strict";
import test from "node:test";

import { framesOf } from "../../../static/js/learn/rule-frames.js";

const NAMES = {
  amazons: ["move", "shoot", "end"],
  "amazons-8x8": ["move", "shoot", "end"],
  pincer: ["steps", "between", "wall"],
  blotto: ["place", "reveal", "again"],
};

test("every moving picture has three frames on boards of five rows or three fields", () => {
  for (const [key, names] of Object.entries(NAMES)) {
    for (const name of names) {
      const frames = framesOf(key, name);
      assert.equal(frames.length, 3);
      for (const { view } of frames) {
        if (view.board === undefined) assert.equal(view.fields, 3);
        else
          assert.deepEqual(
            view.board.split("/").map((row) => row.length),
            [5, 5, 5, 5, 5],
          );
      }
    }
  }
});

test("a slide ends on a piece, and begins on a square that is empty", () => {
  const at = (board, square) => board.split("/")[5 - Number(square[1])][square.charCodeAt(0) - 97];
  for (const key of ["amazons", "pincer"]) {
    for (const name of NAMES[key]) {
      for (const { view, last = [] } of framesOf(key, name)) {
        for (const { effects } of last) {
          for (const { kind, start, end, at: target } of effects) {
            if (kind === "slide") assert.equal(at(view.board, end), "W", `${key} ${name}`);
            if (kind === "slide") assert.equal(at(view.board, start), ".", `${key} ${name}`);
            if (kind === "place") assert.equal(at(view.board, target), "x", `${key} ${name}`);
          }
        }
      }
    }
  }
});

test("troops that are placed are ten in the end", () => {
  const [, , { view }] = framesOf("blotto", "place");
  assert.deepEqual(view.splits[0].white, [5, 3, 2]);
});

test("a picture that is not there is an error", () => {
  assert.throws(() => framesOf("pincer", "castle"), TypeError);
});
