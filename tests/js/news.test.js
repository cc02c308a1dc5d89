import assert from "node:assert/strict";
import test from "node:test";

import { News, newsKey, titled, waitingElsewhere } from "../../static/js/news.js";

const row = (id, waits, more = {}) => ({ id, turn: 3, url: `/g/${id}/`, waits, is_game: true, ...more });

test("the title counts once, however often it is written", () => {
  assert.equal(titled("Quiver", 2), "(2) Quiver");
  assert.equal(titled("(2) Quiver", 3), "(3) Quiver");
  assert.equal(titled("(12) Your go · Pincer", 0), "Your go · Pincer");
});

test("what the page itself shows and what is no game waits nowhere else", () => {
  const rows = [row("a", true), row("b", true), row("c", false), row("l", true, { is_game: false })];
  assert.deepEqual(waitingElsewhere(rows, "/g/a/").map(({ id }) => id), ["b"]);
});

test("what waited already is no news, what waits again is", () => {
  const news = new News([row("a", true), row("b", false)]);
  assert.deepEqual(news.take([row("a", true), row("b", true)]).map(({ id }) => id), ["b"]);
  assert.deepEqual(news.take([row("a", true), row("b", true)]), []);
  assert.deepEqual(news.take([row("a", false), row("b", true)]), []);
  assert.deepEqual(news.take([row("a", true)]).map(({ id }) => id), ["a"]);
});

test("a turn of a game has a name of its own", () => {
  assert.equal(newsKey(row("a", true)), "a:3");
});
