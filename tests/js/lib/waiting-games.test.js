import assert from "node:assert/strict";
import test from "node:test";

import {
  showBadge,
  titleWithCount,
  waitingElsewhere,
} from "../../../static/js/lib/waiting-games.js";

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

test("the icon of the app has the number, and none when nothing waits", async () => {
  const shown = [];
  const app = {
    setAppBadge: async (count) => shown.push(count),
    clearAppBadge: async () => shown.push("none"),
  };
  await showBadge(2, app);
  await showBadge(0, app);
  await showBadge(3, {});
  assert.deepEqual(shown, [2, "none"]);
});

test("a browser that refuses the number breaks nothing, a mistake of ours does", async () => {
  const refuse = (error) => ({ setAppBadge: () => Promise.reject(error) });
  await showBadge(1, refuse(new DOMException("no", "SecurityError")));
  await assert.rejects(showBadge(1, refuse(new RangeError("ours"))), RangeError);
});
