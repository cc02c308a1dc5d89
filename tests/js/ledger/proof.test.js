import assert from "node:assert/strict";
import test from "node:test";

import { commitmentOf } from "../../../static/js/ledger/chain.js";
import {
  compareReceipts,
  proofsOf,
  verificationSentence,
  verifyOrders,
} from "../../../static/js/ledger/proof.js";
import { GameReceipts } from "../../../static/js/ledger/receipts.js";
import { shortHash } from "../../../static/js/lib/game-words.js";

const HASH = (digit) => digit.repeat(64);
const receipt = (rev, hash, id = `id${rev}`) => ({
  t: "receipt",
  id,
  rev,
  hash,
  at: 1,
  lag: 0,
  clock: null,
});

/** Storage as a tab has it. */
function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
}

const ledger = {
  entries: [0, 1, 2].map((rev) => ({
    text: JSON.stringify({ rev, id: `id${rev}` }),
    hash: HASH(String(rev)),
  })),
};

test("receipts outlive the page, in the tab's storage, each game by itself", () => {
  const tab = storage();
  new GameReceipts("one", tab).keep(receipt(1, HASH("1")));
  assert.deepEqual(
    new GameReceipts("one", tab).receipts.map(({ rev }) => rev),
    [1],
  );
  assert.deepEqual(new GameReceipts("two", tab).receipts, []);
});

test("a receipt told again is kept once, and one without a hash proves nothing", () => {
  const receipts = new GameReceipts("one", storage());
  receipts.keep(receipt(1, HASH("1")));
  receipts.keep({ ...receipt(1, HASH("1")), again: true });
  receipts.keep({ t: "receipt", id: "old", rev: 2 });
  assert.equal(receipts.receipts.length, 1);
});

test("storage that is refused, or holds nonsense, leaves the memory of the page", () => {
  const refuses = () => {
    throw new DOMException("no");
  };
  for (const bad of [
    { getItem: refuses, setItem: refuses },
    { getItem: () => "{", setItem: () => {} },
    null,
  ]) {
    const receipts = new GameReceipts("one", bad);
    receipts.keep(receipt(1, HASH("1")));
    assert.equal(receipts.receipts.length, 1);
  }
});

test("the first fingerprint seen for a side stays, whatever is told later", () => {
  const receipts = new GameReceipts("one", storage());
  receipts.rememberCommitments(0, { black: HASH("a") });
  receipts.rememberCommitments(0, { black: HASH("b"), white: HASH("c") });
  assert.equal(receipts.commitmentSeen(0, "black"), HASH("a"));
  assert.equal(receipts.commitmentSeen(0, "white"), HASH("c"));
  assert.equal(receipts.commitmentSeen(1, "white"), null);
});

test("receipts are found in the ledger, missed in it, or contradicted by it", () => {
  const { fits, lost, other } = compareReceipts(
    [
      receipt(1, HASH("1")),
      receipt(2, HASH("f")),
      receipt(7, HASH("7")),
      receipt(0, HASH("0"), "elsewhere"),
    ],
    ledger,
  );
  assert.deepEqual([...fits.keys()], [1]);
  assert.deepEqual(
    lost.map(({ rev }) => rev),
    [7],
  );
  assert.deepEqual(
    other.map(({ rev }) => rev),
    [2, 0],
  );
});

test("opened orders are compared with the fingerprint, and with the one seen before", () => {
  const order = {
    game: "g",
    step: 1,
    role: "black",
    action: "troops 5 4 1",
    salt: "00".repeat(16),
  };
  const commitment = commitmentOf(order);
  const opened = { ...order, commitment };
  assert.deepEqual(verifyOrders(opened, commitment), { fits: true, seen: "same" });
  assert.deepEqual(verifyOrders(opened, null), { fits: true, seen: "unseen" });
  assert.deepEqual(verifyOrders(opened, HASH("a")), { fits: true, seen: "other" });
  assert.equal(verifyOrders({ ...opened, action: "troops 5 5 0" }, commitment).fits, false);
});

test("what was compared, and what was not, is said", () => {
  const who = { name: "bob", commitment: "3f9a12c0".padEnd(64, "0") };
  const said = (result) => verificationSentence(result, who);
  assert.match(
    said({ fits: true, seen: "same" }),
    /bob: matches 3f9a\u00a012c0, which this page got before/,
  );
  assert.match(said({ fits: true, seen: "unseen" }), /didn’t get before/);
  assert.match(said({ fits: true, seen: "other" }), /The orders were changed\.$/);
  assert.match(said({ fits: false, seen: "same" }), /don’t match the fingerprint/);
  assert.equal(shortHash(who.commitment), "3f9a\u00a012c0");
});

test("of a round, each side's orders are verified; the last seal was never seen closed", () => {
  const game = { game: "g", seats: { white: { name: "ada" }, black: { name: "bob" } } };
  const salt = "00".repeat(16);
  const text = { white: "5 4 1", black: "0 0 10" };
  const sealOf = (role) => ({
    salt,
    commitment: commitmentOf({ game: "g", step: 0, role, action: `troops ${text[role]}`, salt }),
  });
  const step = { n: 0, text, seals: { white: sealOf("white"), black: sealOf("black") } };
  const receipts = new GameReceipts("g", null);
  const proofs = proofsOf(
    (n) => (n === 0 ? step : undefined),
    receipts,
    () => game,
  );
  assert.equal(proofs.verify(0).filter((said) => said.includes("didn’t get before")).length, 2);
  receipts.rememberCommitments(0, { black: step.seals.black.commitment });
  const [ada, bob] = proofs.verify(0);
  assert.match(ada, /^ada: matches .* came last/);
  assert.match(bob, /^bob: matches .*which this page got before/);
});
