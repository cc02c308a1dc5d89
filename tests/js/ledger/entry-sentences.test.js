import assert from "node:assert/strict";
import test from "node:test";

import {
  actionText,
  checkSentences,
  clocksText,
  entrySentence,
  faultSentence,
  receiptSentences,
} from "../../../static/js/ledger/entry-sentences.js";

const seats = { white: { name: "ada" }, black: { name: "bob" } };
const say = (key, entry) => entrySentence({ role: "white", ...entry }, { key, seats });
const act = (key, body) => say(key, { kind: "act", body });

test("canonical actions are spelled as people write them", () => {
  const spellings = {
    "move 4 1 4 7": "d1-d7",
    "fire 10 10": "/j10",
    "play 4 1 4 7 7 7": "d1-d7/g7",
    "play 4 1 4 7 4 1": "d1-d7",
    "troops 5 4 1": "5 4 1",
  };
  for (const [action, text] of Object.entries(spellings)) assert.equal(actionText(action), text);
});

test("an opening tells how many moves were given", () => {
  assert.equal(say("pincer", { kind: "open", body: {} }), "The game begins.");
  assert.equal(
    say("pincer", { kind: "open", body: { given: 7 } }),
    "The game begins after 7 given moves.",
  );
});

test("a turn is told by its side's name and in its notation", () => {
  assert.equal(
    act("amazons-8x8", { step: 0, actions: ["move 4 1 4 7", "fire 7 7"] }),
    "ada plays d1-d7/g7.",
  );
  assert.equal(
    act("pincer", { step: 0, actions: ["move 1 5 2 5", "move 1 7 1 6"] }),
    "ada plays a5-b5 a7-a6.",
  );
  assert.equal(act("pincer", { step: 0, actions: 2 }), "ada plays.");
});

test("a seal tells its fingerprint only, and both orders when they are opened", () => {
  const commitment = "3f9a12c0".padEnd(64, "0");
  assert.equal(act("blotto", { step: 0, commitment }), "ada seals: 3f9a\u00a012c0.");
  const reveal = { white: { action: "troops 5 4 1" }, black: { action: "troops 0 0 10" } };
  assert.match(
    act("blotto", { step: 0, commitment, reveal }),
    /both are revealed: ada 5 4 1, bob 0 0 10\.$/,
  );
});

test("what ends a game brings the result along, and what the server did has no name", () => {
  const result = { winner: "black", goals: { white: 0, black: 100 }, reason: "resigned" };
  assert.equal(
    say("pincer", { kind: "resign", body: { result } }),
    "ada resigns. bob wins. ada resigned.",
  );
  const credit = { kind: "credit", role: null, body: { ms: 11_800 } };
  assert.equal(say("pincer", credit), "The server was down for 12 s. No clock lost time.");
  const holiday = {
    kind: "holiday",
    role: null,
    body: { role: "black", until: 1_790_000_000_000 },
  };
  assert.match(say("pincer", holiday), /^bob takes a holiday\. The clock stands until .*\d\.$/);
  assert.equal(say("pincer", { kind: "newer-kind", body: {} }), "newer-kind");
  assert.equal(say("pincer", { kind: "open", role: null }), "The game begins.");
});

test("a claim of a decided game tells its bounds, and a refused one its number", () => {
  const witness = { own: "a1", open: "b1", line: ["move 1 1 1 2"], least: 7, most: 6 };
  /** @param {string} key @param {object} body */
  const claim = (key, body) => say(key, { kind: "claim-decided", body });
  assert.equal(
    claim("amazons-10x10", { witness }),
    "ada claims the win: 7 sure moves against at most 6.",
  );
  assert.match(claim("amazons", { witness: { ...witness, line: [] } }), /7 sure squares against/);
  assert.match(claim("blotto", { witness }), /7 points ahead, and at most 6 can change\.$/);
  const result = { winner: "white", goals: { white: 100, black: 0 }, reason: "decided" };
  assert.equal(
    claim("amazons-8x8", { result }),
    "ada claims the win. ada wins. The game was decided.",
  );
  assert.equal(
    say("blotto", { kind: "claim-refused", body: { number: 2 } }),
    "ada claims the win, but can’t prove it (claim 2 of 3).",
  );
});

test("clocks are told where they were kept", () => {
  assert.equal(
    clocksText({ clock: { white: 298_000, black: 300_000 } }, seats),
    "ada 4:58, bob 5:00",
  );
  assert.equal(clocksText({ clock: null }, seats), "");
  assert.equal(clocksText({ clock: { white: null, black: null } }, seats), "");
});

test("a check says first whether all is well, then each fault with its entry", () => {
  assert.match(
    checkSentences({ entries: 4, seals: 2, faults: [] }).join(" "),
    /^The chain of 4 entries is intact.*2 revealed seals match/,
  );
  const faults = [{ index: 3, rev: 3, kind: "hash" }];
  assert.match(
    checkSentences({ entries: 4, seals: 2, faults }).join(" "),
    /^The game log is damaged\. Entry 3: /,
  );
  for (const kind of ["unreadable", "game", "gap", "seal", "unopened", "head"]) {
    assert.ok(faultSentence({ index: 1, rev: null, kind }).endsWith("."));
  }
});

test("receipts that fit are counted, others are said loudly, none are not spoken of", () => {
  const fits = new Map([
    [1, {}],
    [2, {}],
  ]);
  assert.equal(receiptSentences({ fits: new Map(), lost: [], other: [] }), null);
  assert.equal(receiptSentences({ fits, lost: [], other: [] }).ok, true);
  const bad = receiptSentences({
    fits,
    lost: [{ rev: 5, hash: "ab".repeat(32) }],
    other: [{ rev: 3, hash: "cd".repeat(32) }],
  });
  assert.equal(bad.ok, false);
  assert.match(
    bad.say.join(" "),
    /Entry 5 is missing: your receipt says abab\u00a0abab\. Entry 3 is different/,
  );
});
