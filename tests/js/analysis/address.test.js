import assert from "node:assert/strict";
import test from "node:test";

import { hashOf, MAX_CHARS, parseHash } from "../../../static/js/analysis/address.js";
import { cleanComment, MAX_COMMENT_CHARS, NODE_MARKS } from "../../../static/js/analysis/notes.js";

const C = ["move 7 1 7 2", "fire 7 3"];
const turn = (parent, actions = C, comment = "", mark = "") => ({ parent, actions, comment, mark });

test("an address holds a place and variations", () => {
  const variations = [turn(-1), turn(2, ["play 4 1 4 7 7 7"])];
  const hash = hashOf(3, variations);
  assert.equal(hash, "#3;-1:move.7.1.7.2,fire.7.3;2:play.4.1.4.7.7.7");
  assert.deepEqual(parseHash(hash), { at: 3, variations, notes: [] });
  assert.deepEqual(parseHash("#-1"), { at: -1, variations: [], notes: [] });
});

test("an address holds comments and marks, of the game's turns too", () => {
  const odd = "Şöyle: <b>a;b</b> 100 %, n_1~(x)'!* 😀\nends.";
  const variations = [turn(-1, C, odd, "?!"), turn(0, C, "", "!!"), turn(1, C, "good", "")];
  const notes = [
    { index: 0, comment: odd, mark: "" },
    { index: 12, comment: "", mark: "??" },
  ];
  const hash = hashOf(2, variations, notes);
  assert.deepEqual(parseHash(hash), { at: 2, variations, notes });
  assert.match(hash, /^#[\w:;.,%-]+$/); // nothing that a link would lose
});

test("every mark and every printable character comes back from an address", () => {
  const codes = Array.from({ length: 0x250 }, (_, code) => code + 32);
  const all = cleanComment(String.fromCodePoint(...codes));
  for (let at = 0; at < all.length; at += 40) {
    const part = all.slice(at, at + 40);
    for (const mark of NODE_MARKS) {
      const variations = [turn(-1, C, part, mark)];
      assert.deepEqual(parseHash(hashOf(-1, variations)).variations, variations);
    }
  }
});

test("an address that is cut off, foreign or too long holds nothing", () => {
  const hash = hashOf(3, [turn(-1, C, "köy", "!")], [{ index: 0, comment: "ş", mark: "?" }]);
  for (let end = 3; end < hash.length - 1; end += 1) {
    const found = parseHash(hash.slice(0, end));
    assert.ok(found === null || found.variations.every(({ actions }) => actions.length), hash);
  }
  for (const text of [
    "",
    "#",
    "#main",
    "#1;x",
    "#1;0:<b>",
    "#1;0:move.1",
    "#10000",
    "#1;0:__proto__",
    "#1;0:move.7.1.7.2:7:",
    "#1;0:move.7.1.7.2:0:%E4", // half a character
    "#1;n1:9:x",
    "#1;n:0:x",
    "#1;n1:0",
  ])
    assert.equal(parseHash(text), null, text);
  assert.equal(parseHash(`#1;${"0:move.1.1.2.2;".repeat(100_000)}`), null);
  const many = Array.from({ length: 100 }, (_, parent) => turn(parent));
  assert.equal(hashOf(0, many), null);
  assert.ok(hashOf(0, many.slice(0, 50)).length <= MAX_CHARS);
  assert.equal(hashOf(0, [turn(-1, C, "ş".repeat(400), "")]), null);
});

test("a comment is kept without what cannot be seen, and is not too long", () => {
  assert.equal(cleanComment("a\u0000b\u202ec\r\nd\ud800"), "abc\nd");
  assert.equal(cleanComment("👩‍👧"), "👩‍👧"); // with its joiner
  const long = `${"x".repeat(MAX_COMMENT_CHARS - 1)}😀`;
  assert.equal(cleanComment(`${long}y`), long); // an emoji counts once
});

test("no character of a comment makes an address invalid", () => {
  const { variations } = parseHash("#1;0:move.7.1.7.2:0:a%00b%E2%80%AE%F0%9F%A9%B7");
  assert.equal(variations[0].comment, "ab\u{1fa77}");
});
