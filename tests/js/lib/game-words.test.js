import assert from "node:assert/strict";
import test from "node:test";
import { clockLabel, gameName, joinWords } from "../../../static/js/lib/game-words.js";

test("lists read like English", () => {
  assert.deepEqual(
    [joinWords(["a"]), joinWords(["a", "b"]), joinWords(["a", "b", "c"])],
    ["a", "a and b", "a, b and c"],
  );
});

test("names of games and clocks are in the reader's language", () => {
  assert.equal(gameName({ key: "pincer", name: "Pincer" }), "Pincer");
  const label = (key, clock) => clockLabel({ key, clock });
  assert.equal(label("pincer", { kind: "days", initial: 86_400_000 }), "1 day a turn");
  assert.equal(label("blotto", { kind: "days", initial: 172_800_000 }), "2 days a round");
  const bank = (days, hours) => ({
    kind: "bank",
    initial: days * 86_400_000,
    increment: hours * 3_600_000,
  });
  assert.equal(label("pincer", bank(4, 24)), "4 days + 24 h");
  assert.equal(label("blotto", bank(1, 6)), "1 day + 6 h");
  assert.equal(label("blotto", { kind: "limit", initial: 30_000 }), "30 s a round");
  assert.equal(label("pincer", { kind: "limit", initial: 120_000 }), "2 min a turn");
  assert.equal(label("pincer", { kind: "fischer", label: "5 + 3" }), "5 + 3");
  assert.equal(label("pincer", { kind: "none", label: "no clock" }), "no clock");
});
