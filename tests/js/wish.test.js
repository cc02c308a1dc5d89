import assert from "node:assert/strict";
import test from "node:test";

import { Wish } from "../../static/js/board/wish.js";

const WAITS = {
  rev: 3, you: "white", status: "live", prompt: null, plan: undefined, takebacks: 0,
  view: { board: "..../W.../..../...." },
};
const PLAN = { kind: "path", steps: [], actions: [], tree: { a1: "a2:01" } };

globalThis.document = { activeElement: null };

/** A board of which only that is here which a wish asks for. */
function boardOf(snapshot = WAITS, { open = true } = {}) {
  const board = {
    snapshot,
    hand: null,
    plan: null,
    sent: null,
    past: null,
    veiled: false,
    element: { contains: () => false },
    asked: [],
    learned: [],
    isActive: () => board.hand !== null,
    events: { onWish: (rev) => open && Boolean(board.asked.push(rev)) },
    learn(plan) {
      board.learned.push(plan);
      board.snapshot = { ...board.snapshot, plan };
      if (plan) board.hand = { path: [] };
    },
  };
  board.wish = new Wish(board);
  return board;
}

/** The board shows a newer snapshot, as Board.show does. */
function show(board, snapshot) {
  board.snapshot = { ...snapshot, plan: board.wish.knownOf(snapshot) };
  if (board.snapshot.plan === undefined) board.hand = null;
  board.wish.goOn();
}

test("nothing is asked for until somebody turns to the board, and then once for each rev", () => {
  const board = boardOf();
  board.wish.goOn();
  assert.deepEqual(board.asked, []);
  board.wish.touch();
  board.wish.touch();
  assert.deepEqual(board.asked, [3]);
  show(board, { ...WAITS, rev: 4 });
  assert.deepEqual(board.asked, [3]);
  board.wish.touch();
  assert.deepEqual(board.asked, [3, 4]);
});

test("spectators, who is to act, who has sent his go, and a game that is over ask for nothing", () => {
  const others = [{ you: null }, { prompt: PLAN }, { status: "over" }, { plan: null }, { plan: PLAN }];
  for (const other of others) {
    const board = boardOf({ ...WAITS, ...other });
    board.wish.touch();
    assert.equal(board.wish.defers(() => assert.fail()), false);
    assert.deepEqual(board.asked, []);
  }
  for (const state of [{ sent: {} }, { past: {} }, { veiled: true }, { events: {} }]) {
    const board = Object.assign(boardOf(), state);
    board.wish.touch();
    assert.deepEqual([board.wish.isOpen, board.asked], [false, []]);
  }
});

test("what is done before the answer has come is done then, in its order", () => {
  const board = boardOf();
  const done = [];
  assert.equal(board.wish.defers(() => done.push("first")), true);
  assert.equal(board.wish.defers(() => done.push("second")), true);
  assert.deepEqual([board.asked, done], [[3], []]);
  board.wish.hear({ rev: 3, plan: PLAN });
  assert.deepEqual(board.learned[0].tree, { a1: { a2: "b2" } });
  assert.deepEqual(done, ["first", "second"]);
  board.wish.hear({ rev: 3, plan: PLAN });
  assert.deepEqual(done, ["first", "second"]);
});

test("with a hand nothing has to wait", () => {
  const board = boardOf();
  board.wish.hear({ rev: 3, plan: PLAN });
  assert.equal(board.wish.defers(() => assert.fail()), false);
});

test("an answer about another state is none", () => {
  const board = boardOf();
  board.wish.touch();
  board.wish.hear({ rev: 2, plan: PLAN });
  assert.deepEqual(board.learned, []);
});

test("where nothing can be planned, what was done is forgotten", () => {
  const board = boardOf();
  board.wish.defers(() => assert.fail());
  board.wish.hear({ rev: 3, plan: null });
  assert.deepEqual([board.learned, board.wish.isOpen], [[null], false]);
});

test("a newer state is asked about at once if a touch waits, a go is begun, or one is planned", () => {
  const touched = boardOf();
  touched.wish.defers(() => {});
  show(touched, { ...WAITS, rev: 4 });
  assert.deepEqual(touched.asked, [3, 4]);
  for (const at of [{ hand: { path: ["a1"] } }, { plan: {} }, { element: { contains: () => true } }]) {
    const board = Object.assign(boardOf(), at);
    board.wish.goOn();
    assert.deepEqual(board.asked, [3]);
  }
});

test("a touch that was meant for a plan is no touch of the go itself, nor of another past", () => {
  for (const change of [{ prompt: PLAN }, { takebacks: 1 }]) {
    const board = boardOf();
    board.wish.defers(() => assert.fail());
    show(board, { ...WAITS, rev: 4, ...change });
    board.wish.hear({ rev: 4, plan: PLAN });
  }
});

test("the same state once more keeps what is known of it", () => {
  const board = boardOf();
  board.wish.hear({ rev: 3, plan: PLAN });
  const known = board.snapshot.plan;
  show(board, { ...WAITS });
  assert.equal(board.snapshot.plan, known);
});

test("what could not be asked is asked when the line is open, and asked again on a new line", () => {
  const board = boardOf(WAITS, { open: false });
  board.plan = {};
  board.wish.touch();
  assert.deepEqual(board.asked, []);
  board.events.onWish = (rev) => Boolean(board.asked.push(rev));
  board.wish.reached();
  board.wish.reached();
  assert.deepEqual(board.asked, [3, 3]);
});
