/** Keys of shortcuts on layouts of other scripts. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { pressedKey } from "../../../static/js/lib/pressed-key.js";

const SCRIPTS = fileURLToPath(new URL("../../../static/js", import.meta.url));

/** Comparisons that a Cyrillic layout would miss. */
const RAW_COMPARISONS = [
  /\.key\.toLowerCase\(\)/,
  /\.key\s*[!=]==?\s*(["'`])[^\s"'`]\1/,
  /includes\(\s*event\.key\b/,
  /\{[^{}]*\bkey\b[^{}]*\}\s*=\s*event\b/,
  /case\s+(["'])[^\s"']\1:/,
];

const LAYOUTS = {
  Russian: { KeyZ: "я", KeyO: "щ", KeyN: "т", KeyT: "е", KeyL: "д", KeyY: "н" },
  Greek: { KeyZ: "ζ", KeyO: "ο", KeyN: "ν", KeyT: "τ", KeyL: "λ", KeyY: "υ" },
  Hebrew: { KeyZ: "ז", KeyO: "ם", KeyN: "מ", KeyT: "א", KeyL: "ך", KeyY: "ט" },
  Thai: { KeyZ: "ผ", KeyO: "น", KeyN: "ื", KeyT: "ะ", KeyL: "ส", KeyY: "ั" },
};

for (const [layout, keys] of Object.entries(LAYOUTS))
  test(`a shortcut works on a ${layout} layout`, () => {
    for (const [code, key] of Object.entries(keys)) {
      assert.equal(pressedKey({ key, code }), code.at(-1)?.toLowerCase());
      assert.equal(pressedKey({ key: key.toUpperCase(), code }), code.at(-1)?.toLowerCase());
    }
  });

test("a layout with Latin letters keeps what it types", () => {
  assert.equal(pressedKey({ key: "w", code: "KeyZ" }), "w"); // AZERTY
  assert.equal(pressedKey({ key: "Z", code: "KeyW" }), "z");
  assert.equal(pressedKey({ key: ";", code: "KeyZ" }), ";"); // Dvorak
  assert.equal(pressedKey({ key: "z", code: "Slash" }), "z");
  assert.equal(pressedKey({ key: "ı", code: "KeyI" }), "ı"); // Turkish
  assert.equal(pressedKey({ key: "é", code: "Digit2" }), "é");
  assert.equal(pressedKey({ key: "/", code: "KeyQ" }), "/"); // Hebrew
});

test("digits of another script count, and keys with names keep them", () => {
  assert.equal(pressedKey({ key: "٥", code: "Digit5" }), "5");
  assert.equal(pressedKey({ key: "5", code: "Numpad5" }), "5");
  assert.equal(pressedKey({ key: "Escape", code: "Escape" }), "Escape");
  assert.equal(pressedKey({ key: "ArrowLeft", code: "ArrowLeft" }), "ArrowLeft");
});

test("no script compares a letter or a sign with the key itself", () => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".js") && !name.includes("node_modules"),
  );
  assert.ok(files.length > 150);
  for (const name of files) {
    const text = readFileSync(`${SCRIPTS}/${name}`, "utf8");
    for (const raw of RAW_COMPARISONS)
      assert.doesNotMatch(text, raw, `${name}: use pressedKey(event) of lib/pressed-key.js`);
  }
});
