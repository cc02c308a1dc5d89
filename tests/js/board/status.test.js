import assert from "node:assert/strict";
import test from "node:test";
import { turnSentence } from "../../../static/js/board/board-sentences.js";
import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import { openEntry, pathStatus } from "../../../static/js/board/status.js";

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

const PROMPT = {
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree: { e5: { e3: "b3 e5" } },
};

const draft = (...squares) => squares.reduce(choose, openDraft(PROMPT));

const statusWith = (held, more = {}) =>
  pathStatus({ ...GAME, ...more }, { draft: held, sent: null, captures: null });

const plain = (hint) => hint.map(([text]) => text).join("");

test("whose turn and which step", () => {
  assert.equal(statusWith(draft("e5")).sentence, "Your turn – move an amazon");
  assert.equal(statusWith(draft("e5", "e3")).sentence, "Now shoot");
  assert.equal(statusWith(draft("e5", "e3")).index, 1);
  assert.equal(turnSentence({ ...GAME, you: "black" }, 0), "Waiting for tobiasz");
  assert.equal(turnSentence({ ...GAME, you: null }, 0), "tobiasz to move");
});

test("the hint says what the next step is", () => {
  assert.equal(plain(statusWith(draft()).hint), "Pick the amazon you want to move.");
  assert.equal(plain(statusWith(draft("e5")).hint), "Move to any dot.");
  assert.equal(
    plain(statusWith(draft("e5", "e3")).hint),
    "Pick a diamond: that square is blocked for the rest of the game.",
  );
});

test("the free arrow is explained, and offered as a button", () => {
  const prompt = {
    ...PROMPT,
    actions: [["play", 0, 1, 2]],
    steps: [...PROMPT.steps.slice(0, 2), { word: "arrow", keep: 0 }],
  };
  const held = ["e5", "e3"].reduce(choose, openDraft(prompt));
  const status = statusWith(held, { key: "amazons" });
  assert.equal(status.keep, true);
  assert.match(plain(status.hint), /the ring to skip the arrow/);
  assert.equal(statusWith(draft("e5", "e3")).keep, false);
});

test("a turn that waits says that it is not sent, and how it is", () => {
  const held = draft("e5", "e3", "b3");
  const status = (more) =>
    pathStatus(GAME, { draft: held, sent: null, captures: null, ready: true, ...more });
  assert.deepEqual(status({ way: "tap" }).chip, {
    kind: "unsent",
    turn: "e5-e3/b3",
    text: "e5-e3/b3 (draft)",
  });
  assert.equal(plain(status({ way: "tap" }).hint), "Pick the square again to send.");
  assert.equal(plain(status({ way: "button" }).hint), "");
});

test("a turn on its way, and a planned one, are named by their notation", () => {
  const sent = pathStatus(GAME, {
    draft: null,
    sent: draft("e5", "e3", "b3"),
    captures: null,
  });
  assert.equal(sent.chip.text, "Sending e5-e3/b3");
  const premove = { text: "e5-e3/b3" };
  const planned = pathStatus(
    { ...GAME, control: ["black"] },
    { draft: null, sent: null, captures: null, premove },
  );
  assert.equal(planned.chip.text, "Premove: e5-e3/b3");
  assert.equal(planned.sentence, "Waiting for h.okafor");
});

test("Pincer's done steps are named by what was done", () => {
  const prompt = {
    steps: ["from", "to", "from2", "to2"].map((word) => ({ word })),
    actions: [],
    tree: { f2: { f3: { c5: "c4" } } },
  };
  const held = ["f2", "f3"].reduce(choose, openDraft(prompt));
  const status = statusWith(held, { key: "pincer", view: { step: 1, of: 2 } });
  assert.deepEqual(
    [status.sentence, status.labels, status.index],
    ["Second step", ["f2-f3", "Step 2"], 1],
  );
});

test("a second step that the server waits for is the second step", () => {
  const prompt = { steps: [{ word: "from2" }, { word: "to2" }], actions: [], tree: { c5: "c4" } };
  const last = [{ turn: 4, role: "white", text: { white: "f2-f3" }, effects: [] }];
  const status = statusWith(openDraft(prompt), { key: "pincer", view: { step: 2, of: 2 }, last });
  assert.deepEqual([status.index, status.labels], [1, ["f2-f3", "Step 2"]]);
});

test("the open entry spells the hand", () => {
  assert.deepEqual(openEntry(GAME, draft("e5", "e3")), {
    role: "white",
    text: "e5-e3/",
    joins: false,
  });
  assert.equal(openEntry(GAME, draft()), null);
});
