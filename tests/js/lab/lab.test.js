import assert from "node:assert/strict";
import test from "node:test";

import { decimalText, fraction, fractionText } from "../../../static/js/lab/fractions.js";
import { habitSentences } from "../../../static/js/lab/habit-sentences.js";
import { fieldMeans, repeatsAfter, strongestFields } from "../../../static/js/lab/habits.js";
import { bestReplies, exploitability, replyTotals } from "../../../static/js/lab/replies.js";
import {
  decodeTable,
  expectedPoints,
  indexOf,
  pointsOf,
  repeatChance,
} from "../../../static/js/lab/split-table.js";
import { afterRound, drawSplit, NEW_TRAINING } from "../../../static/js/lab/trainer.js";
import { tableJson } from "./table.js";

const table = decodeTable(tableJson());

const split = (...troops) => indexOf(table, troops);
const rounds = (count, of) => Array.from({ length: count }, (_, index) => of(index));

test("fractions are reduced and written as mixed numbers", () => {
  assert.deepEqual(fraction(28, 12), { num: 7, den: 3 });
  assert.equal(fractionText(fraction(28, 12)), "2 1/3");
  assert.equal(fractionText(fraction(-4, 3)), "−1 1/3");
  assert.equal(fractionText(fraction(0, 5)), "0");
  assert.equal(fractionText(fraction(1, 3)), "1/3");
  assert.equal(fractionText(fraction(301, 200)), "1.51");
  assert.equal(decimalText(2.5, "tr"), "2,50");
  assert.throws(() => fraction(1, 0), RangeError);
  assert.throws(() => fraction(0.5, 1), RangeError);
});

test("48 of 66 splits are worth 3 against the equilibrium, and none more", () => {
  const worth = table.splits.map((_, own) => expectedPoints(table, own));
  assert.equal(worth.filter(({ num, den }) => num === 3 && den === 1).length, 48);
  assert.ok(worth.every(({ num, den }) => num <= 3 * den));
  // A lead of −4/3 in a round, as ten troops on one field have, is 2/3 of a point below even.
  assert.deepEqual(worth[split(10, 0, 0)], { num: 7, den: 3 });
});

test("the best reply to all splits alike is 4-3-3 in its three orders", () => {
  const totals = replyTotals(
    table,
    table.splits.map((_, index) => index),
  );
  const best = bestReplies(totals);
  assert.deepEqual(
    best,
    [split(3, 3, 4), split(3, 4, 3), split(4, 3, 3)].sort((a, b) => a - b),
  );
  // 7/11 of a lead in a round is 7/22 of a point above even.
  assert.deepEqual(fraction(totals[best[0]], 66), fraction(73, 22));
});

test("totals are the sums of points, pair by pair", () => {
  const played = [split(6, 4, 0), split(6, 4, 0), split(1, 1, 8)];
  replyTotals(table, played).forEach((total, reply) => {
    const sum = played.reduce((all, other) => all + pointsOf(table, reply, other), 0);
    assert.equal(total, sum);
  });
});

test("one split again and again is fully exploited, without a margin", () => {
  const found = exploitability(
    table,
    rounds(20, () => split(6, 4, 0)),
  );
  assert.deepEqual(found, { mean: 4, margin: 0 });
});

test("below 20 rounds nothing is said of predictability", () => {
  assert.equal(
    exploitability(
      table,
      rounds(19, () => split(6, 4, 0)),
    ),
    null,
  );
});

/** Splits drawn from the mix; numbers by Tommy Ettinger's mulberry32. */
function playedByTheMix(count) {
  let state = 1;
  return rounds(count, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return drawSplit(table, ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32);
  });
}

test("perfect play is not called predictable: the interval reaches 3", () => {
  const { mean, margin } = exploitability(table, playedByTheMix(1000));
  assert.ok(mean - margin <= 3, `${mean} ± ${margin}`);
});

test("drawn splits have the shares of the mix", () => {
  const steps = rounds(table.mixTotal, (index) => drawSplit(table, index / table.mixTotal));
  const times = table.splits.map((_, index) => steps.filter((each) => each === index).length);
  assert.deepEqual(times, table.mix);
});

test("repeats are counted by the result before, within each game", () => {
  const [strong, weak] = [split(6, 4, 0), split(5, 3, 2)];
  const games = [
    [
      "",
      [
        [strong, weak],
        [strong, weak],
        [weak, strong],
        [strong, strong],
      ],
    ],
    ["", [[strong, weak]]],
  ];
  const found = repeatsAfter(table, games);
  const [won, drawn, lost] = [found.won, found.drawn, found.lost];
  assert.deepEqual({ won, drawn, lost }, { won: [2, 1], drawn: [0, 0], lost: [1, 0] });
});

test("means and strongest fields", () => {
  const played = [split(6, 4, 0), split(5, 5, 0), split(1, 1, 8)];
  assert.deepEqual(fieldMeans(table, played), [fraction(4, 1), fraction(10, 3), fraction(8, 3)]);
  assert.deepEqual(strongestFields(table, played), [1, 0, 1]);
});

test("a thousand rounds make sentences without a gap", () => {
  const own = playedByTheMix(1000);
  const games = rounds(200, (game) => [
    "",
    rounds(5, (round) => [own[5 * game + round], own[(5 * game + round + 1) % 1000]]),
  ]);
  const sentences = habitSentences(table, games, "en");
  assert.equal(sentences.length, 7);
  assert.ok(
    sentences.every((text) => !/[{}]|NaN|undefined/.test(text)),
    sentences.join("\n"),
  );
});

test("the equilibrium repeats a split as often as its shares say", () => {
  const { num, den } = repeatChance(table);
  const expected = table.mix.reduce((sum, each) => sum + (each / table.mixTotal) ** 2, 0);
  assert.ok(Math.abs(num / den - expected) < 1e-12);
});

test("the trainer adds points and what the own splits were worth", () => {
  const once = afterRound(table, NEW_TRAINING, [split(10, 0, 0), split(6, 4, 0)]);
  const twice = afterRound(table, once, [split(4, 3, 3), split(10, 0, 0)]);
  assert.equal(twice.rounds.length, 2);
  assert.equal(twice.own, pointsOf(table, split(10, 0, 0), split(6, 4, 0)) + 4);
  assert.ok(Math.abs(twice.expected - (7 / 3 + 3)) < 1e-12);
  assert.deepEqual(NEW_TRAINING, { rounds: [], own: 0, expected: 0 });
});
