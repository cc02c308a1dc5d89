import assert from "node:assert/strict";
import test from "node:test";

import { Gestures } from "../../../static/js/board/gestures.js";
import { carry, choose, openDraft, tap } from "../../../static/js/board/path-draft.js";
import { centreOf, layoutOf } from "../../../static/js/drawing/geometry.js";

const STEPS = ["from", "to", "arrow"].map((word) => ({ word }));
const PROMPT = { kind: "path", steps: STEPS, actions: [], tree: { c1: { c5: "e5", c4: "c5" } } };
const LAYOUT = layoutOf({ width: 400, height: 400, columns: 8, rows: 8 });
const at = (square) => centreOf(LAYOUT, square);

/** A board with as much as gestures need of one; `element` takes any listener. */
function boardWith(draft) {
  const board = {
    draft,
    stage: { layout: LAYOUT },
    shown: { view: null },
    premoves: { delay: () => false },
    composer: {
      requireDraft: () => board.draft,
      draftAfterTap: (square) => tap(board.draft, square),
    },
    dragTo() {},
    tapSquare: (square) => board.gestures.tap(square),
    setDraft(after) {
      board.draft = after;
    },
    get activeDraft() {
      return board.draft;
    },
  };
  board.gestures = new Gestures(board, { addEventListener() {} });
  return board;
}

/** A newer snapshot has made a draft of its own. */
function replaceDraft(board, draft) {
  board.draft = draft;
  board.gestures.keepGrasp();
}

test("a draft that a newer snapshot has replaced by an equal one stays grasped", () => {
  const board = boardWith(openDraft(PROMPT));
  board.gestures.press(at("c1"));
  replaceDraft(board, carry(board.draft, structuredClone(PROMPT)));
  board.gestures.release(at("c5"), true);
  assert.deepEqual(board.draft.path, ["c1", "c5"]);
});

test("a drag ends when the draft has become another one", () => {
  const board = boardWith(openDraft(PROMPT));
  board.gestures.press(at("c1"));
  replaceDraft(board, choose(board.draft, "c4"));
  board.gestures.release(at("c5"), true);
  assert.deepEqual(board.draft.path, ["c1", "c4"]);
});

test("a click that waited is complete when its answer meets the next click half-way", () => {
  const board = boardWith(null);
  const tasks = [];
  board.premoves.delay = (task) => board.draft === null && tasks.push(task) > 0;
  const { gestures } = board;
  gestures.press(at("c1"));
  gestures.release(at("c1"), false);
  gestures.press(at("c5"));
  board.draft = openDraft(PROMPT);
  for (const task of tasks) task();
  gestures.release(at("c5"), false);
  assert.deepEqual(board.draft.path, ["c1", "c5"]);
});
