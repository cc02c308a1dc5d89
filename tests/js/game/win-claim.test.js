import assert from "node:assert/strict";
import { test } from "node:test";

import { claimsLeft, claimText } from "../../../static/js/game/win-claim.js";
import { claimRefusal } from "../../../static/js/lib/refusals.js";

const MINE = { you: "white", claims: {}, may: ["resign", "claim_decided"] };

test("each player has three claims that may be refused", () => {
  assert.equal(claimsLeft(MINE), 3);
  assert.equal(claimsLeft({ ...MINE, claims: { white: 2, black: 1 } }), 1);
  assert.equal(claimsLeft({ ...MINE, you: null }), 0);
  assert.equal(claimsLeft({ ...MINE, claims: null }), 0);
});

test("the sheet says what a claim is, and asks whether it is meant", () => {
  assert.match(claimText(MINE, false), /end the game now/);
  assert.match(claimText(MINE, true), /one of your 3 claims/);
  assert.match(claimText({ ...MINE, claims: { white: 2 } }, true), /your last claim/);
});

test("out of turn the sheet says when one can claim", () => {
  const waits = { ...MINE, may: ["resign"] };
  assert.match(claimText(waits, false), /at the start of your turn/);
  assert.match(claimText(waits, true), /^You can claim at the start of your turn/);
  assert.match(claimText({ ...waits, claims: { white: 3 } }, false), /used your three claims/);
});

test("who could not prove it is told how many claims are left", () => {
  assert.match(claimRefusal(1), /2 claims left/);
  assert.match(claimRefusal(2), /1 claim left/);
  assert.match(claimRefusal(3), /last claim/);
});
