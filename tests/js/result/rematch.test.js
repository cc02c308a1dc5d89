import assert from "node:assert/strict";
import test from "node:test";
import { Rematch, rematchOf } from "../../../static/js/result/rematch.js";

const again = {
  game: "/g/x/",
  may: true,
  mine: false,
  theirs: false,
  other: "bob",
  swaps: true,
  next: null,
};

test("whoever asks before the lobby's first frame is led to the rematch", async () => {
  globalThis.location = { pathname: "/g/x/" };
  const left = [];
  const page = Object.assign(Object.create(Rematch.prototype), {
    isAwaited: false,
    leave: (url) => left.push(url),
    here: null,
    mayLeave: () => true,
    post: async () => {},
    paint: () => {},
  });
  page.showLobbyState({ ...again, mine: true, theirs: true, next: "/g/y/" });
  assert.deepEqual(left, [], "a page that is opened later stays at its game");
  await page.ask({ preventDefault: () => {}, target: { action: "/" }, submitter: null });
  page.showLobbyState({ ...again, mine: true, theirs: true, next: "/g/y/" });
  assert.deepEqual(left, ["/g/y/"]);
});

test("the rematch button says where the rematch stands", () => {
  assert.deepEqual(rematchOf(again), { word: "Rematch", may: true, say: "", next: null });
  assert.equal(rematchOf({ ...again, theirs: true }).say, "bob wants a rematch, sides swapped.");
  const kept = { ...again, swaps: false }; // as after a game that does not count
  assert.equal(rematchOf({ ...kept, theirs: true }).say, "bob wants a rematch.");
  assert.equal(rematchOf({ ...kept, mine: true }).say, "You asked bob for a rematch.");
  assert.equal(rematchOf({ ...again, mine: true }).may, false);
  assert.match(rematchOf({ ...again, mine: true }, false).say, /away right now/);
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
