import assert from "node:assert/strict";
import test from "node:test";

import { summaryOf } from "../../../static/js/speech/summary.js";

const SEATS = { white: { name: "ada" }, black: { name: "bob" } };
const BOARD = "......../......../......../......../......../W......W/......../..W..W..";

const snapshot = (more = {}) => ({
  key: "amazons-8x8",
  name: "Amazons 8×8",
  status: "live",
  you: "white",
  control: ["white"],
  sealed: [],
  seats: SEATS,
  view: { board: BOARD },
  ...more,
});

test("on arrival one hears the game, one's side, whose turn it is and one's own pieces", () => {
  assert.equal(
    summaryOf(snapshot(), "Your turn – move an amazon"),
    "Amazons 8 by 8. You are White, to move. Your amazons: a3, c1, f1, h3.",
  );
  const waiting = snapshot({ key: "pincer", you: "black", view: { board: "BB./.../..W" } });
  assert.equal(
    summaryOf(waiting, "Waiting for ada"),
    "Pincer. You are Circles. Waiting for ada. Your circles: a3, b3.",
  );
});

test("spectators hear who is to move, and after the end all hear the result", () => {
  assert.equal(
    summaryOf(snapshot({ you: null }), "ada to move"),
    "Amazons 8 by 8. You’re watching. Waiting for ada.",
  );
  assert.equal(
    summaryOf(snapshot({ status: "over" }), "You win. bob resigned."),
    "Amazons 8 by 8. You win. bob resigned.",
  );
});

test("while the last round is being opened nobody is waited for", () => {
  const last = snapshot({ key: "blotto", control: [], view: { turns: 4 } });
  assert.equal(summaryOf(last, "Round 5, 3–3"), "Colonel Blotto. Round 5, 3–3.");
});

test("of Blotto one hears the round, and what is sealed only as that it is", () => {
  const blotto = (more) =>
    snapshot({ key: "blotto", control: ["white", "black"], view: { turns: 0 }, ...more });
  assert.equal(
    summaryOf(blotto(), "Round 1 of 5"),
    "Colonel Blotto. Round 1 of 5. Place your troops.",
  );
  assert.equal(
    summaryOf(blotto({ sealed: ["white"], your_seal: ["put 3 3 4"] }), "Round 1 of 5"),
    "Colonel Blotto. Round 1 of 5. Locked in. Waiting for bob.",
  );
});
