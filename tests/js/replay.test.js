import assert from "node:assert/strict";
import test from "node:test";

import { Record } from "../../static/js/record.js";
import { pastOf, spellingOf } from "../../static/js/replay/past.js";
import { Replay } from "../../static/js/replay/replay.js";
import { STEPS, follow, goOf, grown, isBack, lookAt, newsOf, shownOf } from "../../static/js/replay/view.js";

const turn = (n, go, role, text, more = {}) => ({ n, go, role, text: { [role]: text }, effects: [], ...more });
const burns = (at) => ({ effects: [{ kind: "place", at }] });
const TURNS = [
  turn(0, 0, "white", "d1-d7", { view: "v0" }),
  turn(1, 0, "white", "/g7", { view: "v1", ...burns("g7") }),
  turn(2, 1, "black", "d10-d8", { view: "v2" }),
  turn(3, 1, "black", "/d2", { view: "v3", ...burns("d2") }),
];

test("one looks back step by step, never past the ends, and the last step follows the game again", () => {
  let view = follow(3);
  assert.deepEqual([isBack(view), shownOf(view)], [false, 3]);
  view = STEPS.back(view);
  assert.deepEqual([isBack(view), shownOf(view)], [true, 2]);
  view = STEPS.first(view);
  assert.equal(shownOf(STEPS.back(view)), 0);
  view = STEPS.forward(view);
  assert.equal(shownOf(view), 1);
  assert.equal(isBack(STEPS.last(view)), false);
  assert.equal(isBack(lookAt(view, 99)), false);
  assert.equal(shownOf(lookAt(view, -5)), 0);
});

test("who looks back stays there while the game goes on, and is told how much is new", () => {
  const back = lookAt(follow(6), 4);
  const later = grown(grown(back, 7), 8);
  assert.deepEqual([shownOf(later), newsOf(later)], [4, 2]);
  assert.equal(newsOf(lookAt(later, 2)), 2);
  assert.equal(newsOf(STEPS.last(later)), 0);
  assert.equal(shownOf(grown(follow(6), 7)), 7);
});

test("a go that is taken back is not looked at any more", () => {
  assert.equal(isBack(grown(lookAt(follow(6), 5), 4)), false);
  assert.equal(newsOf(grown(lookAt(follow(6), 2), 4)), 0);
});

test("an address names a go", () => {
  assert.equal(goOf("#12"), 12);
  for (const other of ["", "#", "#board", "#-1", "#12a", "#123456"]) assert.equal(goOf(other), null);
});

test("a past position is the one after the last turn of its go, with its burns in order", () => {
  const goes = new Record(TURNS).goes();
  assert.deepEqual(pastOf(goes, "start", 0), { view: "start", last: [], burns: [] });
  assert.equal(pastOf(goes, "start", 1).view, "v1");
  assert.deepEqual(pastOf(goes, "start", 2).burns, ["g7", "d2"]);
  assert.deepEqual(pastOf(goes, "start", 2).last.map(({ n }) => n), [2, 3]);
  assert.equal(pastOf(goes, undefined, 0), null);
});

test("goes are spelled as people write them", () => {
  const [white] = new Record(TURNS).goes();
  assert.equal(spellingOf(white, "amazons-10x10"), "d1-d7/g7");
  assert.equal(spellingOf({ turns: [turn(0, 0, "white", "a5-b5"), turn(1, 0, "white", "g3-g2")] }, "pincer"), "a5-b5 g3-g2");
  const round = { turns: [{ text: { white: "4 3 3", black: "6 4 0" } }] };
  assert.equal(spellingOf(round, "blotto"), "4 3 3 – 6 4 0");
});

test("a record forgets what was taken back, and learns positions of turns that it knew", () => {
  const record = new Record(TURNS.map(({ view, ...known }) => known));
  assert.equal(record.blank(4), 0);
  assert.deepEqual(record.add(TURNS), []);
  assert.equal(record.blank(4), null);
  record.cut(2);
  assert.deepEqual([record.gap(4), record.goes().length], [2, 1]);
});

function surface() {
  const seen = [];
  return {
    seen,
    still: (view, last, burnt, { turns }) => seen.push([view, turns !== null]),
    live: ({ turns } = {}) => seen.push(["live", Boolean(turns)]),
  };
}

test("positions are fetched once, one go forward moves, and the newest wish wins", async () => {
  const record = new Record(TURNS.map(({ view, ...known }) => known));
  const board = surface();
  const replay = new Replay(record, board, "amazons-10x10");
  let fetches = 0;
  const fetch = async () => {
    fetches += 1;
    await null;
    record.start = "start";
    record.add(TURNS);
    return true;
  };
  const first = replay.go(STEPS.back(replay.look), fetch);
  const second = replay.go(STEPS.first(replay.look), fetch);
  await Promise.all([first, second]);
  assert.deepEqual(board.seen, [["start", false]]);
  await replay.go(STEPS.forward(replay.look), fetch);
  await replay.go(STEPS.forward(replay.look), fetch);
  assert.deepEqual(board.seen.slice(1), [["v1", true], ["live", true]]);
  assert.equal(fetches, 2);
});

test("positions that cannot be fetched are not shown", async () => {
  const board = surface();
  const replay = new Replay(new Record(TURNS.slice(0, 2)), board, "amazons-10x10");
  assert.equal(await replay.go(lookAt(replay.look, 0), async () => false), false);
  assert.deepEqual([board.seen, replay.isBack], [[], false]);
});

test("a position is shown although a go was played while it was fetched", async () => {
  const board = surface();
  const record = new Record(TURNS.slice(0, 2).map(({ view, ...known }) => known));
  const replay = new Replay(record, board, "amazons-10x10");
  const fetch = async () => {
    record.start = "start";
    record.add(TURNS.slice(0, 2));
    record.add(TURNS.slice(2).map(({ view, ...known }) => known));
    return false; // the newest positions are missing still
  };
  assert.equal(await replay.go(lookAt(replay.look, 0), fetch), true);
  assert.deepEqual(board.seen, [["start", false]]);
});
