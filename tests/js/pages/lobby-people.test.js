import assert from "node:assert/strict";
import test from "node:test";

import { peopleOf } from "../../../static/js/pages/lobby-people.js";

const frame = {
  people: [
    { name: "ada", line: "host, seated" },
    { name: "bob", line: "seated" },
  ],
};

test("before anything is told, nobody is said to be away", () => {
  assert.deepEqual(peopleOf(frame, null, new Map(), 0), [
    { name: "ada", line: "host, seated", isHere: null },
    { name: "bob", line: "seated", isHere: null },
  ]);
});

test("who is away, for how long, and who looks on", () => {
  const crowd = { here: ["ada", "cy"], strangers: 2 };
  assert.deepEqual(peopleOf(frame, crowd, new Map([["bob", 1000]]), 121_000), [
    { name: "ada", line: "host, seated", isHere: true },
    { name: "bob", line: "seated, away 2 min", isHere: false },
    { name: "cy", line: "watching", isHere: true },
    { name: "2 visitors", line: "watching", isHere: true },
  ]);
});

test("who was never seen is away, for nobody knows how long", () => {
  const [, bob, visitor] = peopleOf(frame, { here: [], strangers: 1 }, new Map(), 9e9);
  assert.equal(bob.line, "seated, away");
  assert.equal(visitor.name, "1 visitor");
});
