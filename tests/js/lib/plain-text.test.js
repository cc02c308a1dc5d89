/** Texts that people write: the same vectors as those of the server. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lengthOf, plainLine, plainText } from "../../../static/js/lib/plain-text.js";

const file = new URL("../../support/plain_texts.json", import.meta.url);

for (const { law, typed, text, line } of JSON.parse(readFileSync(file, "utf8")))
  test(law, () => {
    assert.equal(plainText(typed), text);
    assert.equal(plainLine(typed), line);
    assert.equal(plainText(text), text);
    assert.equal(plainLine(line), line);
  });

test("characters are counted, not their halves", () => {
  assert.equal(lengthOf("a\u{1fae9}"), 2);
});
