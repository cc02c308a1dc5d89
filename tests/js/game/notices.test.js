import assert from "node:assert/strict";
import test from "node:test";

import { connectionTexts } from "../../../static/js/game/notices.js";

const say = (state, { clockRuns = false, waiting = false } = {}) =>
  connectionTexts({ open: false, silent: false, retryAt: 3000, why: null, ...state }, 0, {
    clockRuns,
    waiting,
  }).join(" ");

test("a lost line says when it tries again, and that the clock runs on", () => {
  assert.match(
    say({}, { clockRuns: true }),
    /^Connection lost\. .*Your clock is still running\. Retrying in 3 s\.$/,
  );
  assert.match(
    say({ open: true, silent: true, retryAt: null }),
    /^Connection lost\..*Waiting for the server\.$/,
  );
});

test("a restart, a flood and a closed session are told as such", () => {
  assert.match(say({ why: "restart" }), /^The server is restarting\. .*Retrying in 3 s\.$/);
  assert.match(say({ why: "flood" }), /^This page sent too many/);
  assert.match(say({ why: "signed out" }), /^You were signed out/);
  assert.match(say({ why: "behind" }), /^Connection lost/);
});

test("a turn that waits for its answer is said to be kept", () => {
  assert.match(
    say({ why: "restart" }, { waiting: true }),
    /Your move is saved and will be sent again\./,
  );
});

test("where nothing is left, no further try is promised", () => {
  assert.match(say({ why: "gone", retryAt: null }), /no longer exists\. Reload the page/);
  assert.match(say({ why: "turned away" }), /can’t view this game right now\. Retrying in 3 s\.$/);
});
