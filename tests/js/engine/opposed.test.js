import assert from "node:assert/strict";
import test from "node:test";

import { opposed } from "../../../static/js/engine/opposed.js";
import { loadEngines } from "./modules.js";

const engineOf = await loadEngines();

/** The lines of a position, by the committed modules. */
function linesOf(key, position, nodes = 400) {
  const search = engineOf(key).search(key, position, nodes, 1);
  while (!search.isDone) search.grow(100);
  return search.lines(1);
}

test("the other side is to move, and all else stays", () => {
  assert.equal(opposed("W./.B white - 4"), "W./.B black - 4");
  assert.equal(opposed("W./.B black - 5 3"), "W./.B white - 5 3");
});

test("in the middle of a turn, and in what is no position, nobody else can move", () => {
  assert.equal(opposed("W./.B white d1-d4 4"), null);
  assert.equal(opposed("W./.B white d4 5 3"), null);
  assert.equal(opposed("W./.B white x 5 3"), null); // the piece that moved has died
  for (const text of ["", "W./.B", "W./.B nobody - 4"]) assert.equal(opposed(text), null, text);
});

const empty = (count, size) => Array.from({ length: count }, () => ".".repeat(size));

test("the engine's turn for the other side is one of its own pieces", () => {
  const amazons = ["B.......", ...empty(6, 8), ".......W"].join("/");
  const [shot] = linesOf("amazons-8x8", opposed(`${amazons} white - 4`));
  assert.match(shot.turns[0][0], /^move 1 8 /);
  const pincer = ["B.....B", ...empty(5, 7), "W.....W"].join("/");
  const [step] = linesOf("pincer", opposed(`${pincer} white - 4 2`));
  for (const action of step.turns[0]) assert.match(action, /^move [17] [67] /);
});

test("a side that is shut in, or has no piece, has no turn", () => {
  const shut = ["Bx......", "xx......", ...empty(5, 8), ".......W"].join("/");
  assert.deepEqual(linesOf("amazons-8x8", opposed(`${shut} white - 4`)), []);
  const none = [...empty(7, 8), ".......W"].join("/");
  assert.deepEqual(linesOf("amazons-8x8", opposed(`${none} white - 4`)), []);
  const alone = ["B......", ...empty(6, 7)].join("/");
  assert.deepEqual(linesOf("pincer", opposed(`${alone} black - 4 2`)), []);
});
