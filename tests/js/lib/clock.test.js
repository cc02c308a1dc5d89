import assert from "node:assert/strict";
import test from "node:test";
import {
  absenceText,
  clockText,
  firstTurnLeft,
  firstTurnText,
  holidayText,
  holidayUntil,
  isPlayedNow,
  nextChange,
  ServerTime,
  timeLeft,
} from "../../../static/js/lib/clock.js";

const CLOCK = {
  kind: "fischer",
  initial: 300000,
  increment: 3000,
  left: { white: 60000, black: 90000 },
  since: 1000,
  running: ["white"],
};

test("only a running clock runs", () => {
  assert.equal(timeLeft(CLOCK, "white", 11000), 50000);
  assert.equal(timeLeft(CLOCK, "black", 11000), 90000);
});

test("a game is played now by those who sit at it while a clock of minutes runs", () => {
  const seat = { you: "black", status: "live", clock: CLOCK };
  assert.equal(isPlayedNow(seat), true);
  assert.equal(isPlayedNow({ ...seat, you: null }), false);
  assert.equal(isPlayedNow({ ...seat, status: "over" }), false);
  assert.equal(isPlayedNow({ ...seat, clock: { ...CLOCK, running: [] } }), false);
  for (const kind of ["none", "days", "bank"])
    assert.equal(isPlayedNow({ ...seat, clock: { ...CLOCK, kind } }), false);
});

test("a server time before the start takes nothing and gives nothing", () => {
  assert.equal(timeLeft(CLOCK, "white", 400), 60000);
});

test("during a first turn the clock stands, and its own limit runs", () => {
  const clock = {
    kind: "fischer",
    left: { white: 300000, black: 300000 },
    since: 1000,
    running: ["white"],
    first_turn: { white: 30000, black: 30000 },
  };
  assert.equal(timeLeft(clock, "white", 11000), 300000);
  assert.equal(firstTurnLeft(clock, "white", 11000), 20000);
  assert.equal(firstTurnLeft(clock, "white", 0), 30000);
  assert.equal(firstTurnLeft(clock, "black", 11000), null);
  assert.equal(firstTurnLeft({ ...clock, first_turn: { black: 30000 } }, "white", 11000), null);
  assert.equal(firstTurnText(26400), "first move: 0:27");
  assert.equal(firstTurnText(-1), "first move: 0:00");
  assert.equal(firstTurnText(2 * 86400000 + 3 * 3600000), "first move: 2 d 3 h");
});

test("on a holiday the clock stands, and then runs on", () => {
  const clock = { ...CLOCK, kind: "days", holidays: { white: { start: 5000, until: 45000 } } };
  assert.equal(timeLeft(clock, "white", 5000), 56000);
  assert.equal(timeLeft(clock, "white", 30000), 56000);
  assert.equal(timeLeft(clock, "white", 46000), 55000);
  assert.equal(timeLeft(clock, "black", 46000), 90000);
  const late = { ...clock, since: 20000 };
  assert.equal(timeLeft(late, "white", 46000), 59000);
  assert.deepEqual(
    [4999, 5000, 44999, 45000].map((at) => holidayUntil(clock, "white", at)),
    [null, 45000, 45000, null],
  );
  assert.equal(holidayUntil(clock, "black", 5000), null);
  assert.equal(holidayUntil(CLOCK, "white", 5000), null);
  assert.match(holidayText(Date.UTC(2026, 4, 3, 14)), /^on holiday until .*May/);
});

test("without a clock nothing is left or lost", () => {
  assert.equal(timeLeft({ ...CLOCK, kind: "none", left: null }, "white", 5000), null);
});

test("clocks read m:ss, with tenths under 20 s, hours and days above", () => {
  assert.equal(clockText(300000), "5:00");
  assert.equal(clockText(252000), "4:12");
  assert.equal(clockText(20000), "0:20");
  assert.equal(clockText(19999), "0:19.9");
  assert.equal(clockText(9340), "0:09.3");
  assert.equal(clockText(3727000), "1:02:07");
  assert.equal(clockText(2 * 86400000 + 3 * 3600000 + 5), "2 d 3 h");
});

test("a live clock never shows that nothing is left; an ended one may", () => {
  assert.equal(clockText(0), "0:00.1");
  assert.equal(clockText(-4000), "0:00.1");
  assert.equal(clockText(-4000, { live: false }), "0:00.0");
});

test("the text is the same until the next change, and another right after it", () => {
  for (const left of [299999, 61234, 20050, 19999, 12345, 350]) {
    const wait = nextChange(left);
    assert.equal(clockText(left), clockText(left - wait + 2), `before, at ${left}`);
    assert.notEqual(clockText(left), clockText(left - wait), `after, at ${left}`);
  }
});

test("server time is taken from the fastest answers", () => {
  let now = 1000;
  const time = new ServerTime(() => now);
  time.observe(5000);
  assert.equal(time.read(), 5000);
  time.observe(5050, 100);
  assert.equal(time.read(), 5100);
  time.observe(7000, 4000);
  assert.equal(time.read(), 5100);
  now = 2000;
  assert.equal(time.read(), 6100);
});

test("a jump of our own clock is noticed at the next answer, even at a slower one", () => {
  for (const jump of [-3600000, -400, 400, 86400000]) {
    let now = 1000;
    const time = new ServerTime(() => now);
    time.observe(5000, 20);
    now += jump;
    time.observe(5000, 100);
    assert.equal(time.read(), 5050, `jump ${jump}`);
    time.observe(5020, 400);
    assert.equal(time.read(), 5050, `the answer after the jump was the faster one, jump ${jump}`);
  }
});

test("on a new line the next answer counts, however slow", () => {
  const time = new ServerTime(() => 1000);
  time.observe(5000, 20);
  time.observe(5100, 300);
  assert.equal(time.read(), 5010);
  time.forget();
  time.observe(5100, 300);
  assert.equal(time.read(), 5250);
});

test("how long somebody is away is told in minutes", () => {
  assert.deepEqual(
    [
      absenceText(null, 5),
      absenceText(0, 59_000),
      absenceText(0, 125_000),
      absenceText(0, 7_300_000),
    ],
    ["away", "away", "away 2 min", "away 2 h"],
  );
});
