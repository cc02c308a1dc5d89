import assert from "node:assert/strict";
import { test } from "node:test";

import { nextTitle } from "../../../static/js/lib/title-blink.js";

const TITLES = { own: "Invite a friend · Quiver", text: "Your friend is here" };

test("a title blinks between its own and the other", () => {
  assert.equal(nextTitle(TITLES.own, TITLES), TITLES.text);
  assert.equal(nextTitle(TITLES.text, TITLES), TITLES.own);
});

test("a number before the other title does not keep it from going back", () => {
  assert.equal(nextTitle("(1) Your friend is here", TITLES), TITLES.own);
});
