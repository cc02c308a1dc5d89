import assert from "node:assert/strict";
import test from "node:test";
import {
  maySeeTerritory,
  standingOf,
  standingSentence,
} from "../../../static/js/result/standing.js";
import { untold } from "../../../static/js/troops/reveal-gate.js";

const BOARD = ["W...x..B", ".xx.xxx.", "xxxxxxxx", ...Array(5).fill("........")].join("/");
const AMAZONS_VIEW = { board: BOARD, width: 8, height: 8, turns: 4 };
const amazons = (you, status) => ({ key: "amazons-8x8", you, status, view: AMAZONS_VIEW });
const blotto = {
  key: "blotto",
  you: "white",
  status: "live",
  seats: { white: { name: "ada" }, black: { name: "bob" } },
};
const BLOTTO_VIEW = {
  turns: 2,
  fields: 3,
  rounds: 5,
  round: 3,
  splits: [],
  scores: { white: [4, 1], black: [2, 5] },
  totals: { white: 5, black: 7 },
};

test("territory is for spectators, and for players once the game is over", () => {
  for (const [you, status, may] of [
    [null, "live", true],
    [null, "over", true],
    ["white", "over", true],
    ["black", "over", true],
    ["white", "live", false],
    ["black", "live", false],
  ]) {
    const snapshot = amazons(you, status);
    assert.equal(maySeeTerritory(snapshot), may, `${you} ${status}`);
    assert.equal(standingOf(snapshot, AMAZONS_VIEW) !== null, may, `${you} ${status}`);
  }
});

test("Amazons: the squares that each side reaches first, contested ones and the rest", () => {
  const standing = standingOf(amazons(null, "live"), AMAZONS_VIEW);
  assert.deepEqual([standing.white, standing.black, standing.middle], [5, 3, ""]);
  assert.equal(standing.total, 5 + 3 + 40);
  assert.equal(
    standingSentence(standing, amazons(null, "live"), "white"),
    "White reaches 5 squares first, Black 3. 0 are contested, 40 out of reach.",
  );
});

test("The last position of a counted game has the squares of its result, earlier ones their territory", () => {
  const snapshot = {
    ...{ key: "amazons", you: "white", status: "over", view: AMAZONS_VIEW },
    outcome: { winner: "white", reason: "counted_quiet" },
    count: {
      ...{ white: 3, black: 1 },
      regions: [
        { role: "white", squares: "b8 c8" },
        { role: "white", squares: "a7" },
        { role: "black", squares: "g8" },
        { role: null, squares: "a1 b1 c1" },
      ],
    },
  };
  const standing = standingOf(snapshot, AMAZONS_VIEW);
  assert.deepEqual([standing.white, standing.black, standing.middle], [3, 1, ""]);
  assert.equal(standing.total, 3 + 1 + 3);
  assert.deepEqual(standing.squares.white, ["b8", "c8", "a7"]);
  const seats = { white: { name: "ada" }, black: { name: "bob" } };
  assert.equal(standingSentence(standing, { ...snapshot, seats }, "white"), "ada 3, bob 1");
  const earlier = { ...AMAZONS_VIEW, turns: 3 };
  assert.equal(standingOf(snapshot, earlier).white, 5);
  const resigned = { ...snapshot, outcome: { winner: "white", reason: "resigned" } };
  assert.equal(standingOf(resigned, AMAZONS_VIEW).white, 5);
});

test("Pincer: the pieces of each side and the steps left, also for those who play", () => {
  const snapshot = { key: "pincer", you: "black", status: "live" };
  const view = { board: "W.W/.B./...", width: 3, height: 3, moves_made: 4, moves_limit: 50 };
  const standing = standingOf(snapshot, view);
  assert.deepEqual(standing.pieces, { white: 2, black: 1 });
  assert.equal(standing.total, 8);
  assert.equal(standing.middle, "46 steps left");
  assert.equal(standingOf(snapshot, { ...view, moves_made: 49 }).middle, "1 step left");
  assert.equal(standing.say, "Triangles: 2, circles: 1. 46 steps left.");
});

test("Blotto: the points, without those of the round whose fields are being opened", () => {
  const points = (view) => {
    const { white, black, total } = standingOf(blotto, view);
    return [white, black, total];
  };
  assert.deepEqual(points(BLOTTO_VIEW), [5, 7, 30]);
  assert.deepEqual(points(untold({ ...blotto, may: [], view: BLOTTO_VIEW }, 1).view), [4, 2, 30]);
});

test("Blotto's standing is said with the names, the near one first", () => {
  const standing = standingOf(blotto, BLOTTO_VIEW);
  assert.equal(standingSentence(standing, blotto, "black"), "bob 7, ada 5");
});
