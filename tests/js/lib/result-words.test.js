import assert from "node:assert/strict";
import test from "node:test";
import {
  durationText,
  pointsOf,
  resultReason,
  resultSentence,
  resultTitle,
} from "../../../static/js/lib/result-words.js";

const SEATS = { white: { name: "tobiasz" }, black: { name: "h.okafor" } };

const over = (winner, reason, more = {}) => ({
  seats: SEATS,
  outcome: { winner, reason, goals: more.goals },
  ...more,
});

test("a player is told that he has won or lost, and why, without his own name", () => {
  const game = over("white", "no_moves");
  assert.equal(resultSentence({ ...game, you: "white" }), "You win. h.okafor has no move left.");
  assert.equal(
    resultSentence({ ...game, you: "black" }),
    "You lost. None of your amazons can move.",
  );
  assert.equal(resultSentence({ ...game, you: null }), "tobiasz wins. h.okafor has no move left.");
  for (const reason of ["no_moves", "captured_all", "resigned", "time", "abandoned"]) {
    assert.doesNotMatch(resultReason(over("white", reason, { you: "black" })), /okafor/, reason);
    assert.match(resultReason(over("white", reason)), /^h\.okafor /, reason);
  }
});

test("the winner's figures stand first", () => {
  const goals = { white: 13, black: 17 };
  assert.equal(resultReason(over("black", "rounds", { goals })), "17–13 points");
  const view = { board: "WB....BBB" };
  const pincer = over("black", "fifty_moves", {
    key: "pincer",
    view,
    goals: { white: 0, black: 100 },
  });
  assert.equal(resultReason(pincer), "4–1 after 50 steps");
  assert.equal(resultReason(over("black", "fifty_moves")), "More pieces after 50 steps");
});

test("a draw and a game that was aborted are named, with a reason", () => {
  const draws =
    "one_each no_pieces fifty_moves stuck both_flagged agreed no_arrows too_long abandoned";
  for (const reason of draws.split(" ")) {
    assert.match(resultSentence(over(null, reason)), /^Draw\. .+\.$/, reason);
  }
  const level = over(null, "rounds", { goals: { white: 15, black: 15 } });
  assert.equal(resultSentence(level), "Draw. 15–15 points.");
  assert.equal(resultSentence(over(null, "aborted")), "Game aborted. It doesn’t count.");
  assert.equal(resultTitle(over(null, "idle")), "Game aborted");
  assert.equal(resultSentence({ seats: SEATS, outcome: null }), "");
});

test("a count has the squares of both sides, or says who has more", () => {
  const count = { white: 12, black: 9 };
  assert.equal(resultReason(over("white", "counted", { count })), "12–9 squares");
  const quiet = resultReason(over("white", "counted_quiet", { count }));
  assert.equal(quiet, "12–9 squares after 10 moves without an arrow");
  assert.equal(resultReason(over("black", "counted_long")), "More squares");
  for (const reason of ["counted", "counted_quiet", "counted_long"]) {
    assert.match(
      resultSentence(over(null, reason, { count })),
      /^Draw\. Equally many squares.*\.$/,
    );
  }
  assert.equal(resultReason(over("white", "resigned", { count })), "h.okafor resigned");
});

test("a game without a first move says whose was missing", () => {
  const end = (absent, you = null) => resultSentence({ ...over(null, "no_show"), absent, you });
  assert.equal(end(["black"]), "Game aborted. h.okafor didn’t make a first move.");
  assert.equal(end(["black"], "black"), "Game aborted. You didn’t make your first move.");
  assert.equal(end(undefined), "Game aborted. A first move was not made.");
  assert.equal(end(["white", "black"], "white"), "Game aborted. Nobody made a first move.");
});

test("points stand at the names, and none after a game that was aborted", () => {
  const points = (game) => ["white", "black"].map((role) => pointsOf(game.outcome, role));
  assert.deepEqual(points(over("white", "time")), ["1", "0"]);
  assert.deepEqual(points(over(null, "agreed")), ["½", "½"]);
  assert.deepEqual(points(over(null, "aborted")), [null, null]);
  assert.deepEqual(points({ outcome: null }), [null, null]);
});

test("a length of time has at most two units", () => {
  const minute = 60_000;
  const texts = [40_400, 3 * minute, 125 * minute, 50 * 60 * minute].map(durationText);
  assert.deepEqual(texts, ["40 s", "3 min", "2 h 5 min", "2 d 2 h"]);
});
