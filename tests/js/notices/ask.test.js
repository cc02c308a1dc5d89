import assert from "node:assert/strict";
import test from "node:test";

import { isOwnTurnMade } from "../../../static/js/notices/ask.js";

test("only a turn of one's own brings the question, no arrival and no move of the opponent", () => {
  assert.equal(isOwnTurnMade("yours", "waits"), true);
  assert.equal(isOwnTurnMade(undefined, "waits"), false);
  assert.equal(isOwnTurnMade("waits", "waits"), false);
  assert.equal(isOwnTurnMade("waits", "yours"), false);
  assert.equal(isOwnTurnMade("yours", "none"), false);
});
