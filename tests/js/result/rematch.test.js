import assert from "node:assert/strict";
import test from "node:test";
import { rematchOf } from "../../../static/js/result/rematch.js";

test("the rematch button says where the rematch stands", () => {
  const again = {
    game: "/g/x/",
    may: true,
    mine: false,
    theirs: false,
    other: "bob",
    other_here: true,
    next: null,
  };
  assert.deepEqual(rematchOf(again), { word: "Rematch", may: true, say: "", next: null });
  assert.equal(rematchOf({ ...again, theirs: true }).say, "bob wants a rematch, sides swapped.");
  assert.equal(rematchOf({ ...again, mine: true }).may, false);
  assert.match(rematchOf({ ...again, mine: true, other_here: false }).say, /away right now/);
  assert.equal(rematchOf({ ...again, next: "/g/y/" }).next, "/g/y/");
  assert.equal(rematchOf({ ...again, may: false }).word, null);
  const watched = rematchOf({ ...again, may: false, follow: true, next: "/g/y/" });
  assert.deepEqual(watched, {
    word: null,
    may: false,
    say: "The rematch has started.",
    next: "/g/y/",
  });
  assert.match(rematchOf({ ...again, may: false, changed: true }).say, /different game/);
});
