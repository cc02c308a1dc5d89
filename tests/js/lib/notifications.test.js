import assert from "node:assert/strict";
import test from "node:test";

import {
  newsKey,
  titleWithCount,
  WaitingGames,
  waitingElsewhere,
} from "../../../static/js/lib/notifications.js";

const row = (id, waits, more = {}) => ({
  id,
  step: 3,
  url: `/g/${id}/`,
  waits,
  is_game: true,
  ...more,
});

test("the title counts once, however often it is written", () => {
  assert.equal(titleWithCount("Quiver", 2), "(2) Quiver");
  assert.equal(titleWithCount("(2) Quiver", 3), "(3) Quiver");
  assert.equal(titleWithCount("(12) Your turn · Pincer", 0), "Your turn · Pincer");
});

test("what the page itself shows and what is no game waits nowhere else", () => {
  const rows = [
    row("a", true),
    row("b", true),
    row("c", false),
    row("l", true, { is_game: false }),
  ];
  assert.deepEqual(
    waitingElsewhere(rows, "/g/a/").map(({ id }) => id),
    ["b"],
  );
});

test("what waited already is no news, what waits again is", () => {
  const news = new WaitingGames([row("a", true), row("b", false)]);
  assert.deepEqual(
    news.take([row("a", true), row("b", true)]).map(({ id }) => id),
    ["b"],
  );
  assert.deepEqual(news.take([row("a", true), row("b", true)]), []);
  assert.deepEqual(news.take([row("a", false), row("b", true)]), []);
  assert.deepEqual(
    news.take([row("a", true)]).map(({ id }) => id),
    ["a"],
  );
});

test("a step of a game has a name of its own", () => {
  assert.equal(newsKey(row("a", true)), "a:3");
});
