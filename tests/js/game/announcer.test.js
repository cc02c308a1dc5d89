import assert from "node:assert/strict";
import test from "node:test";

import { describeChange } from "../../../static/js/game/announcer.js";
import { SendStatus } from "../../../static/js/game/notices.js";

const snapshot = (more = {}) => ({
  key: "pincer",
  status: "live",
  step: 4,
  takebacks: 0,
  prompt: null,
  offers: {},
  control: ["white"],
  sealed: [],
  seats: { white: { name: "ada" }, black: { name: "bob" } },
  clock: { since: 1000, running: ["white"] },
  ...more,
});

const since = (moment, more = {}) =>
  snapshot({ clock: { since: moment, running: ["white"] }, ...more });

test("time that the server was away is told once, in whole seconds", () => {
  const { away, said } = describeChange(snapshot(), since(13_000), []);
  assert.deepEqual(away, ["The server was down for 12 s.", "No clock lost time."]);
  assert.deepEqual(said, ["The server was down for 12 s. No clock lost time."]);
  assert.equal(describeChange(since(13_000), since(13_000), []).away, null);
});

test("a clock that starts with another step, after a takeback or not at all was given nothing", () => {
  for (const next of [
    since(13_000, { step: 5 }),
    since(13_000, { takebacks: 1 }),
    since(13_000, { status: "over" }),
  ]) {
    assert.equal(describeChange(snapshot(), { outcome: null, ...next }, []).away, null);
  }
});

test("the begin of a game is no time given back", () => {
  const clock = { since: 1000, running: [], begin: { by: 16_000, shown: [] } };
  assert.equal(describeChange(snapshot({ clock }), since(13_000), []).away, null);
});

test("a turn that was refused is told until the next one is accepted", () => {
  const sendStatus = new SendStatus(() => {});
  sendStatus.tell("refused", "d1-d7/g7");
  assert.equal(sendStatus.chip.text, "Refused: d1-d7/g7");
  sendStatus.forget();
  assert.equal(sendStatus.chip, null);
});

test("who locks in is told, and nothing of what was locked in", () => {
  const blotto = (more) => snapshot({ key: "blotto", you: "white", ...more });
  const said = (before, next) => describeChange(blotto(before), blotto(next), []).said;
  assert.deepEqual(said({}, { sealed: ["white"] }), ["Locked in."]);
  assert.deepEqual(said({}, { sealed: ["black"] }), ["bob has locked in."]);
  assert.deepEqual(said({ sealed: ["black"] }, { sealed: ["black"] }), []);
  assert.deepEqual(said({ sealed: ["black"] }, { step: 5, sealed: [] }), []);
});
