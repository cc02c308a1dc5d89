import assert from "node:assert/strict";
import { test } from "node:test";

import { endConfirmation, endOffer } from "../../../static/js/game/end-offers.js";
import { claimRefusal } from "../../../static/js/lib/refusals.js";

const MINE = { you: "white", claims: {}, may: ["resign", "claim_decided"] };

test("a claim is offered while the server says that it may be proved", () => {
  assert.deepEqual(endOffer(MINE, null)?.answers, [{ command: "askClaim", word: "Claim the win" }]);
});

test("without that there is no offer", () => {
  assert.equal(endOffer({ ...MINE, may: ["resign"] }, null), null);
});

test("it is asked whether a claim is meant, and which it is", () => {
  assert.equal(endOffer(MINE, "claim_decided"), null);
  assert.match(endConfirmation(MINE, "claim_decided").then, /one of your 3 claims/);
  const last = endConfirmation({ ...MINE, claims: { white: 2 } }, "claim_decided");
  assert.match(last.then, /your last claim/);
});

test("who could not prove it is told how many claims are left", () => {
  assert.match(claimRefusal(1), /2 claims left/);
  assert.match(claimRefusal(2), /1 claim left/);
  assert.match(claimRefusal(3), /last claim/);
});
