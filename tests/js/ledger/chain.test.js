import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { checkLedger, commitmentOf, entryHash, GENESIS } from "../../../static/js/ledger/chain.js";

const hashOf = (text) => createHash("sha256").update(text, "utf8").digest("hex");
const GAME = "abcd";
const SALTS = { white: "00".repeat(16), black: "1f".repeat(16) };
const seal = (step, role, action) =>
  hashOf(`quiver seal 1\n${GAME}\n${step}\n${role}\n${action}\n${SALTS[role]}`);

function entry(rev, kind, role, body, more = {}) {
  const clock = { white: 60_000, black: 60_000 };
  return {
    game: GAME,
    rev,
    kind,
    role,
    id: role && `id${rev}`,
    at: 1000 + rev,
    lag: 0,
    clock,
    body,
    ...more,
  };
}

function ledgerOf(entries) {
  let head = "0".repeat(64);
  const rows = entries.map((each) => {
    const text = JSON.stringify(each);
    head = hashOf(`${head}\n${text}`);
    return { text, hash: head };
  });
  return { game: GAME, key: "blotto", rev: entries.at(-1).rev, head, entries: rows };
}

const [ours, theirs] = ["troops 5 4 1", "troops 3 3 4"];

const ROUND = [
  entry(0, "open", null, { rules: "blotto" }),
  entry(1, "act", "black", { step: 0, commitment: seal(0, "black", theirs) }),
  entry(2, "act", "white", {
    step: 0,
    commitment: seal(0, "white", ours),
    reveal: {
      white: { action: ours, salt: SALTS.white },
      black: { action: theirs, salt: SALTS.black },
    },
  }),
  entry(3, "credit", null, { ms: 12_000 }),
];

const kindsOf = (ledger) => checkLedger(ledger).faults.map(({ index, kind }) => `${index} ${kind}`);

test("hashes and commitments are those of the server's own form", () => {
  assert.equal(entryHash(GENESIS, "{}"), hashOf(`${"0".repeat(64)}\n{}`));
  const sealed = { game: GAME, step: 2, role: "white", action: ours, salt: SALTS.white };
  assert.equal(commitmentOf(sealed), seal(2, "white", ours));
});

test("a whole ledger has no fault, and its seals are counted", () => {
  assert.deepEqual(checkLedger(ledgerOf(ROUND)), { entries: 4, seals: 2, faults: [] });
});

test("a changed letter of a text is found at its entry", () => {
  const ledger = ledgerOf(ROUND);
  ledger.entries[3] = {
    ...ledger.entries[3],
    text: ledger.entries[3].text.replace("12000", "22000"),
  };
  assert.deepEqual(kindsOf(ledger), ["3 hash"]);
});

test("a changed hash is found there and at the next entry", () => {
  const ledger = ledgerOf(ROUND);
  ledger.entries[1] = { ...ledger.entries[1], hash: GENESIS };
  assert.deepEqual(kindsOf(ledger), ["1 hash", "2 hash"]);
});

test("a missing entry, a missing end and a foreign game are found", () => {
  const whole = ledgerOf(ROUND);
  const holed = { ...whole, entries: whole.entries.filter((_, index) => index !== 1) };
  assert.deepEqual(kindsOf(holed), ["1 hash", "1 gap", "1 seal"]);
  assert.deepEqual(kindsOf({ ...whole, entries: whole.entries.slice(0, -1) }), ["2 head"]);
  assert.deepEqual(kindsOf({ ...whole, rev: 9 }), ["3 head"]);
  assert.deepEqual(kindsOf({ ...whole, entries: [] }), ["-1 head"]);
  assert.deepEqual(kindsOf({ ...ledgerOf(ROUND.slice(0, 1)), game: "efgh" }), ["0 game"]);
});

test("a text that is no JSON is a fault and no error", () => {
  const ledger = ledgerOf(ROUND);
  ledger.entries[3] = { text: "{", hash: hashOf(`${ledger.entries[2].hash}\n{`) };
  assert.deepEqual(kindsOf({ ...ledger, head: ledger.entries[3].hash }), ["3 unreadable"]);
});

test("orders that were changed after the seal are found, even in a chain that was made anew", () => {
  const [open, first, second] = ROUND;
  const black = { action: "troops 0 0 10", salt: SALTS.black };
  const changed = { ...second, body: { ...second.body, reveal: { ...second.body.reveal, black } } };
  assert.deepEqual(kindsOf(ledgerOf([open, first, changed])), ["2 seal"]);
  const resealed = { ...first, body: { step: 0, commitment: seal(0, "black", "troops 0 0 10") } };
  assert.deepEqual(kindsOf(ledgerOf([open, resealed, second])), ["2 seal"]);
});

test("a round that both have sealed has to be opened", () => {
  const [open, first] = ROUND;
  const second = entry(2, "act", "white", { step: 0, commitment: seal(0, "white", ours) });
  assert.deepEqual(kindsOf(ledgerOf([open, first, second])), ["2 unopened"]);
});
