import assert from "node:assert/strict";
import test from "node:test";

import { PremoveRequests } from "../../../static/js/board/premove.js";

const WAITS = {
  rev: 3,
  you: "white",
  status: "live",
  prompt: null,
  premove: undefined,
  takebacks: 0,
  view: { board: "..../W.../..../...." },
};
const PLAN = { kind: "path", steps: [], actions: [], tree: { a1: "a2:01" } };

globalThis.document = { activeElement: null };

/** A board of which only that is here which a wish asks for. */
function boardOf(snapshot = WAITS, { open = true } = {}) {
  const board = {
    snapshot,
    draft: null,
    premove: null,
    sent: null,
    past: null,
    veiled: false,
    element: { contains: () => false },
    asked: [],
    learned: [],
    isActive: () => board.draft !== null,
    events: { requestPremoves: (rev) => open && Boolean(board.asked.push(rev)) },
    setPremoveOptions(premove) {
      board.learned.push(premove);
      board.snapshot = { ...board.snapshot, premove };
      if (premove) board.draft = { path: [] };
    },
  };
  board.premoves = new PremoveRequests(board);
  return board;
}

/** The board shows a newer snapshot, as Board.show does. */
function show(board, snapshot) {
  board.snapshot = { ...snapshot, premove: board.premoves.carryOver(snapshot) };
  if (board.snapshot.premove === undefined) board.draft = null;
  board.premoves.requestIfInUse();
}

test("nothing is asked for until somebody turns to the board, and then once for each rev", () => {
  const board = boardOf();
  board.premoves.requestIfInUse();
  assert.deepEqual(board.asked, []);
  board.premoves.request();
  board.premoves.request();
  assert.deepEqual(board.asked, [3]);
  show(board, { ...WAITS, rev: 4 });
  assert.deepEqual(board.asked, [3]);
  board.premoves.request();
  assert.deepEqual(board.asked, [3, 4]);
});

test("spectators, who is to act, who has sent his turn, and a game that is over ask for nothing", () => {
  const others = [
    { you: null },
    { prompt: PLAN },
    { status: "over" },
    { premove: null },
    { premove: PLAN },
  ];
  for (const other of others) {
    const board = boardOf({ ...WAITS, ...other });
    board.premoves.request();
    assert.equal(
      board.premoves.delay(() => assert.fail()),
      false,
    );
    assert.deepEqual(board.asked, []);
  }
  for (const state of [{ sent: {} }, { past: {} }, { veiled: true }, { events: {} }]) {
    const board = Object.assign(boardOf(), state);
    board.premoves.request();
    assert.deepEqual([board.premoves.isUnknown, board.asked], [false, []]);
  }
});

test("what is done before the answer has come is done then, in its order", () => {
  const board = boardOf();
  const done = [];
  assert.equal(
    board.premoves.delay(() => done.push("first")),
    true,
  );
  assert.equal(
    board.premoves.delay(() => done.push("second")),
    true,
  );
  assert.deepEqual([board.asked, done], [[3], []]);
  board.premoves.receiveOptions({ rev: 3, plan: PLAN });
  assert.deepEqual(board.learned[0].tree, { a1: { a2: "b2" } });
  assert.deepEqual(done, ["first", "second"]);
  board.premoves.receiveOptions({ rev: 3, plan: PLAN });
  assert.deepEqual(done, ["first", "second"]);
});

test("with a hand nothing has to wait", () => {
  const board = boardOf();
  board.premoves.receiveOptions({ rev: 3, plan: PLAN });
  assert.equal(
    board.premoves.delay(() => assert.fail()),
    false,
  );
});

test("an answer about another state is none", () => {
  const board = boardOf();
  board.premoves.request();
  board.premoves.receiveOptions({ rev: 2, plan: PLAN });
  assert.deepEqual(board.learned, []);
});

test("where nothing can be planned, what was done is forgotten", () => {
  const board = boardOf();
  board.premoves.delay(() => assert.fail());
  board.premoves.receiveOptions({ rev: 3, plan: null });
  assert.deepEqual([board.learned, board.premoves.isUnknown], [[null], false]);
});

test("a newer state is asked about at once if a touch waits, a turn is begun, or one is planned", () => {
  const touched = boardOf();
  touched.premoves.delay(() => {});
  show(touched, { ...WAITS, rev: 4 });
  assert.deepEqual(touched.asked, [3, 4]);
  for (const at of [
    { draft: { path: ["a1"] } },
    { premove: {} },
    { element: { contains: () => true } },
  ]) {
    const board = Object.assign(boardOf(), at);
    board.premoves.requestIfInUse();
    assert.deepEqual(board.asked, [3]);
  }
});

test("a touch that was meant for a plan is no touch of the turn itself, nor of another past", () => {
  for (const change of [{ prompt: PLAN }, { takebacks: 1 }]) {
    const board = boardOf();
    board.premoves.delay(() => assert.fail());
    show(board, { ...WAITS, rev: 4, ...change });
    board.premoves.receiveOptions({ rev: 4, plan: PLAN });
  }
});

test("the same state once more keeps what is known of it", () => {
  const board = boardOf();
  board.premoves.receiveOptions({ rev: 3, plan: PLAN });
  const known = board.snapshot.premove;
  show(board, { ...WAITS });
  assert.equal(board.snapshot.premove, known);
});

test("what could not be asked is asked when the line is open, and asked again on a new line", () => {
  const board = boardOf(WAITS, { open: false });
  board.premove = {};
  board.premoves.request();
  assert.deepEqual(board.asked, []);
  board.events.requestPremoves = (rev) => Boolean(board.asked.push(rev));
  board.premoves.handleReconnect();
  board.premoves.handleReconnect();
  assert.deepEqual(board.asked, [3, 3]);
});
