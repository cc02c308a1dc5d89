import assert from "node:assert/strict";
import test from "node:test";
import { commandWord } from "../../../static/js/game/commands.js";
import { setCatalogue } from "../../../static/js/lib/text.js";

test("a typed word is known in English and in the reader's language", () => {
  setCatalogue({});
  assert.equal(commandWord(" Resign "), "resign");
  assert.equal(commandWord("d1-d7/g7"), null);
});
