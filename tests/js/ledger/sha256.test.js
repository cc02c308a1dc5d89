import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { sha256 } from "../../../static/js/ledger/sha256.js";

const expected = (text) => createHash("sha256").update(text, "utf8").digest("hex");

test("the examples of the standard", () => {
  assert.equal(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("texts of every length around the ends of blocks hash as in Node", () => {
  for (let length = 0; length <= 200; length += 1) {
    const text = "quiver ".repeat(40).slice(0, length);
    assert.equal(sha256(text), expected(text), `length ${length}`);
  }
});

test("texts beyond ASCII are hashed as UTF-8", () => {
  for (const text of ["ışık", "○△ – “…”", "🏹".repeat(50), "é".repeat(3000)]) {
    assert.equal(sha256(text), expected(text));
  }
});
