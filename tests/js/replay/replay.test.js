import assert from "node:assert/strict";
import test from "node:test";

import { GameRecord, pastPosition, turnText } from "../../../static/js/replay/record.js";
import {
  followNewest,
  isBack,
  lookAt,
  newSince,
  Replay,
  shownOf,
  turnInHash,
  VIEW_STEPS,
  withCount,
} from "../../../static/js/replay/replay.js";

const step = (n, turn, role, text, more = {}) => ({
  n,
  turn,
  role,
  text: { [role]: text },
  effects: [],
  ...more,
});
const burns = (at) => ({ effects: [{ kind: "place", at }] });
const STEPS = [
  step(0, 0, "white", "d1-d7", { view: "v0" }),
  step(1, 0, "white", "/g7", { view: "v1", ...burns("g7") }),
  step(2, 1, "black", "d10-d8", { view: "v2" }),
  step(3, 1, "black", "/d2", { view: "v3", ...burns("d2") }),
];

test("one looks back step by step, never past the ends, and the last step follows the game again", () => {
  let view = followNewest(3);
  assert.deepEqual([isBack(view), shownOf(view)], [false, 3]);
  view = VIEW_STEPS.back(view);
  assert.deepEqual([isBack(view), shownOf(view)], [true, 2]);
  view = VIEW_STEPS.first(view);
  assert.equal(shownOf(VIEW_STEPS.back(view)), 0);
  view = VIEW_STEPS.forward(view);
  assert.equal(shownOf(view), 1);
  assert.equal(isBack(VIEW_STEPS.last(view)), false);
  assert.equal(isBack(lookAt(view, 99)), false);
  assert.equal(shownOf(lookAt(view, -5)), 0);
});

test("who looks back stays there while the game goes on, and is told how much is new", () => {
  const back = lookAt(followNewest(6), 4);
  const later = withCount(withCount(back, 7), 8);
  assert.deepEqual([shownOf(later), newSince(later)], [4, 2]);
  assert.equal(newSince(lookAt(later, 2)), 2);
  assert.equal(newSince(VIEW_STEPS.last(later)), 0);
  assert.equal(shownOf(withCount(followNewest(6), 7)), 7);
});

test("a turn that is taken back is not looked at any more", () => {
  assert.equal(isBack(withCount(lookAt(followNewest(6), 5), 4)), false);
  assert.equal(newSince(withCount(lookAt(followNewest(6), 2), 4)), 0);
});

test("an address names a turn", () => {
  assert.equal(turnInHash("#12"), 12);
  for (const other of ["", "#", "#board", "#-1", "#12a", "#123456"])
    assert.equal(turnInHash(other), null);
});

test("a past position is the one after the last step of its turn, with its burns in order", () => {
  const turns = new GameRecord(STEPS).turns();
  assert.deepEqual(pastPosition(turns, "start", 0), { view: "start", last: [], burns: [] });
  assert.equal(pastPosition(turns, "start", 1).view, "v1");
  assert.deepEqual(pastPosition(turns, "start", 2).burns, ["g7", "d2"]);
  assert.deepEqual(
    pastPosition(turns, "start", 2).last.map(({ n }) => n),
    [2, 3],
  );
  assert.equal(pastPosition(turns, undefined, 0), null);
});

test("turns are spelled as people write them", () => {
  const [white] = new GameRecord(STEPS).turns();
  assert.equal(turnText(white, "amazons-10x10"), "d1-d7/g7");
  assert.equal(
    turnText({ steps: [step(0, 0, "white", "a5-b5"), step(1, 0, "white", "g3-g2")] }, "pincer"),
    "a5-b5 g3-g2",
  );
  const round = { steps: [{ text: { white: "4 3 3", black: "6 4 0" } }] };
  assert.equal(turnText(round, "blotto"), "4 3 3 – 6 4 0");
});

test("a record forgets what was taken back, and learns positions of steps that it knew", () => {
  const record = new GameRecord(STEPS.map(({ view, ...known }) => known));
  assert.equal(record.firstWithoutView(4), 0);
  assert.deepEqual(record.add(STEPS), []);
  assert.equal(record.firstWithoutView(4), null);
  record.cut(2);
  assert.deepEqual([record.firstGap(4), record.turns().length], [2, 1]);
});

function surface() {
  const seen = [];
  return {
    seen,
    still: (view, last, burnt, { steps }) => seen.push([view, steps !== null]),
    live: ({ steps } = {}) => seen.push(["live", Boolean(steps)]),
  };
}

test("positions are fetched once, one turn forward moves, and the newest wish wins", async () => {
  const record = new GameRecord(STEPS.map(({ view, ...known }) => known));
  const board = surface();
  const replay = new Replay(record, board, "amazons-10x10");
  let fetches = 0;
  const fetch = async () => {
    fetches += 1;
    await null;
    record.start = "start";
    record.add(STEPS);
    return true;
  };
  const first = replay.go(VIEW_STEPS.back(replay.look), fetch);
  const second = replay.go(VIEW_STEPS.first(replay.look), fetch);
  await Promise.all([first, second]);
  assert.deepEqual(board.seen, [["start", false]]);
  await replay.go(VIEW_STEPS.forward(replay.look), fetch);
  await replay.go(VIEW_STEPS.forward(replay.look), fetch);
  assert.deepEqual(board.seen.slice(1), [
    ["v1", true],
    ["live", true],
  ]);
  assert.equal(fetches, 2);
});

test("positions that cannot be fetched are not shown", async () => {
  const board = surface();
  const replay = new Replay(new GameRecord(STEPS.slice(0, 2)), board, "amazons-10x10");
  assert.equal(await replay.go(lookAt(replay.look, 0), async () => false), false);
  assert.deepEqual([board.seen, replay.isBack], [[], false]);
});

test("a position is shown although a turn was played while it was fetched", async () => {
  const board = surface();
  const record = new GameRecord(STEPS.slice(0, 2).map(({ view, ...known }) => known));
  const replay = new Replay(record, board, "amazons-10x10");
  const fetch = async () => {
    record.start = "start";
    record.add(STEPS.slice(0, 2));
    record.add(STEPS.slice(2).map(({ view, ...known }) => known));
    return false; // the newest positions are missing still
  };
  assert.equal(await replay.go(lookAt(replay.look, 0), fetch), true);
  assert.deepEqual(board.seen, [["start", false]]);
});
