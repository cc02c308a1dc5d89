import assert from "node:assert/strict";
import test from "node:test";

import { describeSteps } from "../../../static/js/board/board-sentences.js";
import { resultReason, resultSentence, resultTitle } from "../../../static/js/lib/result-words.js";
import { clockSentences, lastMoveSentence } from "../../../static/js/speech/position.js";
import { roundHeadline } from "../../../static/js/troops/troops-sentences.js";

const ROLES = ["white", "black"];
const NAMES = { white: "tobiasz", black: "h.okafor" };
const SEATS = { white: { name: NAMES.white }, black: { name: NAMES.black } };

const WINS =
  "no_moves captured_all resigned time abandoned fifty_moves stuck rounds no_show aborted idle";
const DRAWS =
  "one_each no_pieces fifty_moves stuck rounds both_flagged agreed no_arrows too_long abandoned";

/** Checks that a text for a player has words and addresses the player without the player's name. */
function addresses(text, you) {
  assert.notEqual(text, "");
  assert.ok(!text.includes(NAMES[you]), text);
}

test("no result calls its reader by name", () => {
  const ends = [
    ...WINS.split(" ").flatMap((reason) => ROLES.map((winner) => [winner, reason])),
    ...DRAWS.split(" ").map((reason) => [null, reason]),
  ];
  for (const you of ROLES) {
    for (const [winner, reason] of ends) {
      const outcome = { winner, reason, goals: { white: 13, black: 17 } };
      for (const absent of [[], ["white"], ["black"], ROLES]) {
        const game = { seats: SEATS, outcome, absent, you, key: "blotto" };
        addresses(resultTitle(game), you);
        addresses(resultSentence(game), you);
        assert.ok(!resultReason(game).includes(NAMES[you]), reason);
      }
    }
  }
});

test("no move and no round that is read aloud calls its reader by name", () => {
  const field = { field: 0, troops: { white: 5, black: 4 }, points: { white: 2, black: 0 } };
  const round = { effects: [{ kind: "count", ...field }] };
  for (const you of ROLES) {
    const step = { effects: [{ kind: "slide", role: you, start: "a3", end: "a4" }] };
    addresses(describeSteps([step], { ...NAMES, you }, "pincer"), you);
    addresses(describeSteps([round], { ...NAMES, you }, "blotto"), you);
    addresses(lastMoveSentence({ steps: [step] }, { key: "pincer", seats: SEATS, you }), you);
    const view = {
      scores: you === "white" ? { white: [4], black: [2] } : { white: [2], black: [4] },
    };
    addresses(roundHeadline({ view, seats: SEATS, you }, 0), you);
  }
});

test("no clock that is read aloud calls its reader by name", () => {
  const clock = { kind: "fischer", left: { white: 60_000, black: 30_000 }, running: [], since: 0 };
  for (const you of ROLES) addresses(clockSentences({ clock, seats: SEATS, you }, 0), you);
});
