import assert from "node:assert/strict";
import test from "node:test";
import { pauseAfterReveal } from "../../../static/js/troops/reveal-clock.js";
import {
  envelopeTexts,
  fieldVerdict,
  roundHeadline,
  roundSentence,
  sealButtonText,
  sideWord,
  troopsStatus,
} from "../../../static/js/troops/troops-sentences.js";

const SEATS = { white: { name: "tobiasz" }, black: { name: "h.okafor" } };

const GAME = {
  key: "amazons-10x10",
  status: "live",
  seats: SEATS,
  you: "white",
  control: ["white"],
  sealed: [],
  view: { step: "move", moved: null },
  last: [],
  offers: { draw: null },
  clock: { kind: "fischer" },
};

const plain = (hint) => hint.map(([text]) => text).join("");

const BLOTTO = {
  ...GAME,
  key: "blotto",
  control: ["white", "black"],
  view: {
    round: 3,
    rounds: 5,
    total: 10,
    fields: 3,
    turns: 2,
    scores: { white: [4, 2], black: [2, 4] },
    totals: { white: 6, black: 6 },
    splits: [],
  },
};

test("Blotto's rounds in words", () => {
  assert.equal(roundSentence(BLOTTO), "Round 3, 6–6");
  assert.equal(roundHeadline(BLOTTO, 0), "Round 1: 4–2 for you");
  assert.equal(roundHeadline(BLOTTO, 1), "Round 2: 4–2 for h.okafor");
  const ahead = { ...BLOTTO.view, totals: { white: 8, black: 4 } };
  assert.equal(roundSentence({ ...BLOTTO, view: ahead }), "Round 3, you lead 8–4");
});

test("the envelope tells that the other side has locked in, and nothing else", () => {
  const open = envelopeTexts(BLOTTO, false);
  assert.deepEqual([open.closed, open.what], [false, "h.okafor is still deciding"]);
  const shut = envelopeTexts({ ...BLOTTO, sealed: ["black"] }, false);
  assert.deepEqual([shut.closed, shut.what], [true, "h.okafor has locked in"]);
  const mine = envelopeTexts({ ...BLOTTO, sealed: ["white"] }, true);
  assert.equal(mine.what, "Locked in");
  const watched = envelopeTexts({ ...BLOTTO, you: null, sealed: ["white"] }, false);
  assert.equal(watched.what, "tobiasz has locked in, h.okafor is still deciding");
});

test("after the end no orders are waited for", () => {
  const { closed, what } = envelopeTexts({ ...BLOTTO, status: "over", control: [] }, false);
  assert.deepEqual([closed, what], [false, "No round was played"]);
  assert.doesNotMatch(
    envelopeTexts({ ...BLOTTO, status: "over", sealed: ["white"] }, true).what,
    /locked in/i,
  );
});

test("the button says what is missing", () => {
  assert.equal(sealButtonText(2), "Place 2 more to lock in");
  assert.equal(sealButtonText(0), "Lock in");
});

test("a player's sides are you and them, a spectator's have their names", () => {
  const words = { yours: "You", theirs: "Them" };
  const sides = (/** @type {Role | null} */ you) =>
    ["white", "black"].map((role) =>
      sideWord({ ...BLOTTO, you }, /** @type {Role} */ (role), words),
    );
  assert.deepEqual(sides("black"), ["Them", "You"]);
  assert.deepEqual(sides(null), ["tobiasz", "h.okafor"]);
});

test("a revealed field's sign and verdict", () => {
  const names = { nearName: "you", farName: "pavel", isYou: true };
  assert.deepEqual(fieldVerdict(5, 4, names), { sign: ">", words: "2 points to you", bold: true });
  assert.deepEqual(fieldVerdict(2, 2, names), { sign: "=", words: "1 point each", bold: false });
  assert.deepEqual(fieldVerdict(3, 4, names), {
    sign: "<",
    words: "2 points to pavel",
    bold: false,
  });
});

test("before the begin the page says what it waits for", () => {
  const clock = { kind: "limit", begin: { by: 1, shown: ["white"] } };
  const hintOf = (you) => {
    const state = { revealing: false, sealed: false, sent: false, placed: false, wait: 8 };
    return plain(troopsStatus({ ...BLOTTO, clock, you }, state, "h.okafor").hint);
  };
  assert.equal(hintOf("white"), "The round starts when you’re both here. You can place now.");
  assert.equal(hintOf(null), "The round starts when both players are here.");
});

test("the next round is shown when its clocks start, and after a while without them", () => {
  assert.equal(pauseAfterReveal({ clock: { since: 15_000 }, now: 10_010 }), 5);
  assert.equal(pauseAfterReveal({ clock: { since: 10_000 }, now: 10_010 }), 8);
});

test("while a round is shown, the page says when the next one starts", () => {
  const state = { revealing: true, sealed: false, sent: false, placed: false, wait: 8 };
  const { sentence, hint, index } = troopsStatus(BLOTTO, state, "h.okafor");
  assert.deepEqual([sentence, index], ["6–6, 3 rounds left", 2]);
  assert.equal(plain(hint), "Round 3 starts in 8 s.");
  assert.equal(troopsStatus(BLOTTO, state, "h.okafor").mine, false);
});
