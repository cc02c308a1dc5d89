/** The words of the scripts in the page's language. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { setCatalogue, t, tn } from "../../../static/js/lib/text.js";

const TURKISH = {
  "{name} to move": "Sıra: {name}",
  "{number} all, one round to go": "{number}–{number} berabere, son bir tur kaldı",
  "{count} troop": ["{count} birlik", "{count} birlik"],
  "Your report": ["Şikâyetin", "{count} şikâyetin"],
  "{count} min": ["{count} dk", "{count} dk"],
};

afterEach(() => setCatalogue({}));

test("without a catalogue the scripts speak English", () => {
  assert.equal(t("Draw"), "Draw");
  assert.equal(t("{name} to move", { name: "ada" }), "ada to move");
  assert.equal(tn("{count} troop", "{count} troops", 1), "1 troop");
  assert.equal(tn("{count} troop", "{count} troops", 0), "0 troops");
  assert.equal(tn("{count} troop", "{count} troops", 4), "4 troops");
});

test("a catalogue gives the words, and what it does not have stays English", () => {
  setCatalogue(TURKISH);
  assert.equal(t("{name} to move", { name: "ada" }), "Sıra: ada");
  assert.equal(t("Draw"), "Draw");
  assert.equal(tn("{count} new", "{count} new", 3), "3 new");
});

test("the number chooses the form", () => {
  setCatalogue(TURKISH);
  assert.equal(tn("Your report", "Your {count} reports", 1), "Şikâyetin");
  assert.equal(tn("Your report", "Your {count} reports", 3), "3 şikâyetin");
  assert.equal(tn("{count} troop", "{count} troops", 1), "1 birlik");
});

test("a text that is elsewhere counted gives its first form where it is not", () => {
  setCatalogue(TURKISH);
  assert.equal(t("{count} min", { count: 5 }), "5 dk");
});

test("a slot may stand twice, and one without a value stays", () => {
  setCatalogue(TURKISH);
  assert.equal(
    t("{number} all, one round to go", { number: 7 }),
    "7–7 berabere, son bir tur kaldı",
  );
  assert.equal(t("{number} all, one round to go"), "{number}–{number} berabere, son bir tur kaldı");
});

test("a value is put in as it is, whatever it looks like", () => {
  assert.equal(t("{name} to move", { name: "$& {name} <b>" }), "$& {name} <b> to move");
  assert.equal(t("{at} of {count}", { at: 0, count: 0 }), "0 of 0");
});

test("other values than the count fill a counted text", () => {
  assert.equal(
    tn("{squares} is taken.", "{squares} are taken.", 2, { squares: "a4 and b4" }),
    "a4 and b4 are taken.",
  );
});

test("what the page has loaded before is the catalogue", async () => {
  globalThis.quiverTexts = { Draw: "Berabere" };
  try {
    const fresh = await import("../../../static/js/lib/text.js?loaded");
    assert.equal(fresh.t("Draw"), "Berabere");
  } finally {
    delete globalThis.quiverTexts;
  }
});

test("a typed word is known in the page's language, whatever its case", async () => {
  const words = { back: "geri", flip: "çevir", resign: "pes" };
  globalThis.document = { documentElement: { lang: "tr" } };
  try {
    setCatalogue(words);
    const { commandWord } = await import("../../../static/js/game/commands.js?turkish");
    for (const [text, word] of [
      ["GERİ", "back"],
      ["Çevir", "flip"],
      ["pes", "resign"],
      ["FLIP", "flip"],
    ]) {
      assert.equal(commandWord(text), word, text);
    }
    assert.equal(commandWord("geriye"), null);
  } finally {
    delete globalThis.document;
  }
});
