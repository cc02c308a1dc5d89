import assert from "node:assert/strict";
import test from "node:test";
import { refusalSentence, refusedTurnNotice } from "../../../static/js/lib/refusals.js";

test("refusals are told by their words on the wire, the server's sentence is the last resort", () => {
  assert.equal(
    refusalSentence({ reason: "illegal", code: "path_blocked", squares: ["c2"], say: "x" }),
    "c2 is in the way.",
  );
  assert.equal(
    refusalSentence({ reason: "illegal", code: "not_one_step", squares: ["a1", "c2"] }),
    "c2 isn’t one step up, down, left or right of a1.",
  );
  assert.equal(
    refusalSentence({
      reason: "illegal",
      code: "path_blocked",
      squares: [],
      say: "That way is blocked.",
    }),
    "That way is blocked.",
  );
  assert.equal(refusalSentence({ reason: "stale_step" }), "The game has moved on.");
  assert.equal(refusalSentence({ reason: "of_tomorrow", say: "Something new." }), "Something new.");
  assert.equal(
    refusedTurnNotice({ reason: "illegal" }, true)[1],
    "Nothing was played. It’s still your turn.",
  );
});

test("where it is known what stands on a square, the sentence names it", () => {
  const on = (mark) => () => mark;
  const say = (code, mark) => refusalSentence({ code, squares: ["f8", "g8"] }, on(mark));
  assert.equal(say("path_blocked", "x"), "Blocked by the arrow on f8.");
  assert.equal(say("path_blocked", "W"), "Blocked by the amazon on f8.");
  assert.equal(say("path_blocked"), "f8 is in the way.");
  assert.equal(say("occupied", "x"), "An arrow blocks f8.");
  assert.equal(say("occupied", "B"), "f8 is not empty.");
  assert.equal(say("not_yours", "x"), "An arrow blocks f8.");
  assert.equal(say("not_yours", "B"), "That piece is not yours.");
  assert.equal(say("not_yours"), "You have no piece on f8.");
  assert.equal(say("same_piece_twice", "W"), "Choose another triangle for the second step.");
  assert.equal(say("same_piece_twice", "B"), "Choose another circle for the second step.");
  assert.equal(say("no_way_out", "W"), "The piece on f8 can’t move: it’s blocked on every side.");
});
