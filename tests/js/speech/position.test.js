import assert from "node:assert/strict";
import test from "node:test";

import {
  clockSentences,
  lastMoveSentence,
  placedSentence,
  positionSentences,
  spokenTime,
} from "../../../static/js/speech/position.js";

const SEATS = { white: { name: "ada" }, black: { name: "Wren" } };

test("the position names all pieces, the reader's own first, and what is blocked", () => {
  const view = { board: "B.x./..../x.../W..W", width: 4, height: 4 };
  assert.equal(
    positionSentences("amazons-8x8", view, "white"),
    "Your amazons: a1, d1. Black amazons: a4. 2 squares burnt: a2, c4.",
  );
  assert.equal(
    positionSentences("amazons-8x8", { ...view, board: "B..W" }, null),
    "White amazons: d1. Black amazons: a1. No square is burnt.",
  );
  const pincer = { board: "BB/..", width: 2, height: 2, moves_made: 3, moves_limit: 50 };
  assert.equal(
    positionSentences("pincer", pincer, "black"),
    "Your circles: a2, b2. Triangles: none. 47 steps left.",
  );
});

test("the squares of ten rows stand in the order of the board", () => {
  const rows = ["W...", "....", "....", "....", "....", "....", "....", "....", "W...", "...."];
  assert.match(positionSentences("amazons", { board: rows.join("/") }, "white"), /a2, a10\./);
});

test("placed troops are said with the rest", () => {
  assert.equal(
    placedSentence({ counts: [5, 3, 0], total: 10 }),
    "Hill 5, Ford 3, Wood 0. 2 to place.",
  );
});

test("the last move is said as moves are", () => {
  const game = { key: "amazons-8x8", seats: SEATS, you: "white" };
  const effects = [
    { kind: "slide", role: "black", start: "a6", end: "c4" },
    { kind: "place", role: "black", start: "c4", at: "b4" },
  ];
  assert.equal(
    lastMoveSentence({ steps: [{ effects }] }, game),
    "Last move: Wren: a6 to c4, burned b4.",
  );
  assert.equal(lastMoveSentence(undefined, game), "No move yet.");
});

test("times are said in words, in their two greatest units", () => {
  const [s, min, h] = [1000, 60_000, 3_600_000];
  assert.equal(spokenTime(4 * min + 12 * s + 700), "4 minutes 12 seconds");
  assert.equal(spokenTime(min), "1 minute");
  assert.equal(spokenTime(51 * h + 40 * min), "2 days 3 hours");
  assert.equal(spokenTime(300), "0 seconds");
  assert.equal(spokenTime(-5), "0 seconds");
});

test("the clocks are told on request: the reader's first, and which runs", () => {
  const clock = {
    kind: "fischer",
    left: { white: 300_000, black: 252_000 },
    since: 1000,
    running: ["black"],
  };
  const game = { seats: SEATS, you: "white", clock };
  assert.equal(clockSentences(game, 13_000), "You: 5 minutes. Wren: 4 minutes, running.");
  assert.equal(clockSentences({ ...game, clock: { kind: "none" } }, 0), "There’s no clock.");
});
