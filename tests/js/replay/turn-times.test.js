import assert from "node:assert/strict";
import test from "node:test";

import { rowsOf } from "../../../static/js/replay/move-list.js";
import { GameRecord } from "../../../static/js/replay/record.js";
import { clocksAfter, spentOn, spentText } from "../../../static/js/replay/turn-times.js";

const SECOND = 1000;
const step = (n, turn, role, spent) => ({
  n,
  turn,
  role,
  text: { [role]: `${role} ${n}` },
  effects: [],
  ...(spent === undefined ? {} : { spent: { [role]: spent * SECOND } }),
});
const TURNS = new GameRecord([
  step(0, 0, "white", 4),
  step(1, 0, "white", 3),
  step(2, 1, "black", 10),
  step(3, 1, "black", 1),
  step(4, 2, "white", 60),
]).turns();
const COMPUTERS = { white: { bot: true }, black: { bot: true } };
const PEOPLE = { white: { bot: false }, black: { bot: false } };
const clock = (white, black, more = {}) => ({
  status: "live",
  seats: COMPUTERS,
  clock: {
    kind: "fischer",
    initial: 300 * SECOND,
    increment: 2 * SECOND,
    left: { white: white * SECOND, black: black * SECOND },
    ...more,
  },
});

test("a turn takes the time of its steps", () => {
  assert.deepEqual(
    TURNS.map((turn) => spentOn(turn)),
    [7000, 11_000, 60_000],
  );
  assert.equal(spentOn({ turn: 0, role: "white", steps: [step(0, 0, "white")] }), null);
});

test("times read as seconds, minutes, hours and days", () => {
  const read = [0, 400, 7499, 59_499, 59_500, 65_000, 3_725_000, 2 * 86_400_000 + 3_600_000];
  assert.deepEqual(read.map(spentText), [
    "0 s",
    "0 s",
    "7 s",
    "59 s",
    "0:59",
    "1:05",
    "1:02:05",
    "2 d 1 h",
  ]);
});

test("the clocks after each turn: what was spent is gone, the increment of the turn is there", () => {
  const now = clock(300 - 7 + 2 - 60 + 2, 300 - 11 + 2);
  const at = (turn) => clocksAfter(TURNS, turn, now);
  assert.deepEqual(at(0), { white: 300_000, black: 300_000 });
  assert.deepEqual(at(1), { white: 295_000, black: 300_000 });
  assert.deepEqual(at(2), { white: 295_000, black: 291_000 });
  assert.deepEqual(at(3), { white: 237_000, black: 291_000 });
});

test("the first turn of a person costs nothing and earns nothing", () => {
  const now = { ...clock(300 - 60 + 2, 300), seats: PEOPLE };
  const at = (turn) => clocksAfter(TURNS, turn, now);
  assert.deepEqual(at(2), { white: 300_000, black: 300_000 });
  assert.deepEqual(at(3), { white: 242_000, black: 300_000 });
});

test("a bank holds no more than it began with", () => {
  const bank = { kind: "bank", increment: 20 * SECOND };
  const now = clock(300 - 60 + 20, 300, bank);
  assert.deepEqual(clocksAfter(TURNS, 1, now), { white: 300_000, black: 300_000 });
  assert.deepEqual(clocksAfter(TURNS, 3, now), { white: 260_000, black: 300_000 });
});

test("no clock is shown that does not lead to the clock of now", () => {
  assert.deepEqual(clocksAfter(TURNS, 1, clock(200, 291)), { white: null, black: 300_000 });
});

test("at the end, the clock of whoever was to move has run on", () => {
  const over = { ...clock(237, 250), status: "over" };
  assert.deepEqual(clocksAfter(TURNS, 2, over), { white: 295_000, black: 291_000 });
});

test("a limit for each turn has no clock of the past", () => {
  const limit = clock(30, 30, { kind: "limit" });
  assert.deepEqual(clocksAfter(TURNS, 1, limit), { white: null, black: null });
});

test("the list has the time of each turn once, at its last cell", () => {
  const cells = (key) => rowsOf(key, TURNS).flatMap((row) => row.cells.map(({ time }) => time));
  assert.deepEqual(cells("amazons-10x10"), ["7 s", "11 s", "1:00"]);
  assert.deepEqual(cells("pincer"), [undefined, "7 s", undefined, "11 s", "1:00"]);
});
