import assert from "node:assert/strict";
import test from "node:test";

import { commitmentOf } from "../../static/js/ledger/chain.js";
import { short } from "../../static/js/ledger/mark.js";
import { Memory } from "../../static/js/ledger/memory.js";
import { compared, proofsOf, verified, verifiedWords } from "../../static/js/ledger/proof.js";

const HASH = (digit) => digit.repeat(64);
const receipt = (rev, hash, id = `id${rev}`) => ({ t: "receipt", id, rev, hash, at: 1, lag: 0, clock: null });

/** Storage as a tab has it. */
function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
}

const ledger = {
  entries: [0, 1, 2].map((rev) => ({ text: JSON.stringify({ rev, id: `id${rev}` }), hash: HASH(String(rev)) })),
};

test("receipts outlive the page, in the tab's storage, each game by itself", () => {
  const tab = storage();
  new Memory("one", tab).keep(receipt(1, HASH("1")));
  assert.deepEqual(new Memory("one", tab).receipts.map(({ rev }) => rev), [1]);
  assert.deepEqual(new Memory("two", tab).receipts, []);
});

test("a receipt told again is kept once, and one without a hash proves nothing", () => {
  const memory = new Memory("one", storage());
  memory.keep(receipt(1, HASH("1")));
  memory.keep({ ...receipt(1, HASH("1")), again: true });
  memory.keep({ t: "receipt", id: "old", rev: 2 });
  assert.equal(memory.receipts.length, 1);
});

test("storage that is refused, or holds nonsense, leaves the memory of the page", () => {
  const refuses = () => {
    throw new DOMException("no");
  };
  for (const bad of [{ getItem: refuses, setItem: refuses }, { getItem: () => "{", setItem: () => {} }, null]) {
    const memory = new Memory("one", bad);
    memory.keep(receipt(1, HASH("1")));
    assert.equal(memory.receipts.length, 1);
  }
});

test("the first fingerprint seen for a side stays, whatever is told later", () => {
  const memory = new Memory("one", storage());
  memory.see(0, { black: HASH("a") });
  memory.see(0, { black: HASH("b"), white: HASH("c") });
  assert.equal(memory.seen(0, "black"), HASH("a"));
  assert.equal(memory.seen(0, "white"), HASH("c"));
  assert.equal(memory.seen(1, "white"), null);
});

test("receipts are found in the ledger, missed in it, or contradicted by it", () => {
  const { fits, lost, other } = compared(
    [receipt(1, HASH("1")), receipt(2, HASH("f")), receipt(7, HASH("7")), receipt(0, HASH("0"), "elsewhere")],
    ledger,
  );
  assert.deepEqual([...fits.keys()], [1]);
  assert.deepEqual(lost.map(({ rev }) => rev), [7]);
  assert.deepEqual(other.map(({ rev }) => rev), [2, 0]);
});

test("opened orders are compared with the fingerprint, and with the one seen before", () => {
  const order = { game: "g", turn: 1, role: "black", action: "troops 5 4 1", salt: "00".repeat(16) };
  const commitment = commitmentOf(order);
  const opened = { ...order, commitment };
  assert.deepEqual(verified(opened, commitment), { fits: true, seen: "same" });
  assert.deepEqual(verified(opened, null), { fits: true, seen: "unseen" });
  assert.deepEqual(verified(opened, HASH("a")), { fits: true, seen: "other" });
  assert.equal(verified({ ...opened, action: "troops 5 5 0" }, commitment).fits, false);
});

test("what was compared, and what was not, is said", () => {
  const who = { name: "bob", commitment: "3f9a12c0".padEnd(64, "0") };
  const said = (result) => verifiedWords(result, who);
  assert.match(said({ fits: true, seen: "same" }), /bob: fits 3f9a\u00a012c0, which this page saw before/);
  assert.match(said({ fits: true, seen: "unseen" }), /did not see before/);
  assert.match(said({ fits: true, seen: "other" }), /They were changed\.$/);
  assert.match(said({ fits: false, seen: "same" }), /do not make the fingerprint/);
  assert.equal(short(who.commitment), "3f9a\u00a012c0");
});

test("of a round, each side's orders are verified; the last seal was never seen closed", () => {
  const game = { game: "g", seats: { white: { name: "ada" }, black: { name: "bob" } } };
  const salt = "00".repeat(16);
  const text = { white: "5 4 1", black: "0 0 10" };
  const sealOf = (role) => ({ salt, commitment: commitmentOf({ game: "g", turn: 0, role, action: `troops ${text[role]}`, salt }) });
  const turn = { n: 0, text, seals: { white: sealOf("white"), black: sealOf("black") } };
  const memory = new Memory("g", null);
  const proofs = proofsOf((n) => (n === 0 ? turn : undefined), memory, () => game);
  assert.equal(proofs.verify(0).filter((said) => said.includes("did not see before")).length, 2);
  memory.see(0, { black: turn.seals.black.commitment });
  const [ada, bob] = proofs.verify(0);
  assert.match(ada, /^ada: fits .* the last seal/);
  assert.match(bob, /^bob: fits .*which this page saw before/);
});
