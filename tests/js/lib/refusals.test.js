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
    "c2 is not one step up, down, left or right from a1.",
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
  assert.equal(
    refusalSentence({ reason: "stale_step" }),
    "The game has moved on since that was made.",
  );
  assert.equal(refusalSentence({ reason: "of_tomorrow", say: "Something new." }), "Something new.");
  assert.equal(
    refusedTurnNotice({ reason: "illegal" }, true)[1],
    "Nothing was played. It is still your turn.",
  );
});
