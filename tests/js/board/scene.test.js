import assert from "node:assert/strict";
import test from "node:test";

import { choose, openDraft } from "../../../static/js/board/path-draft.js";
import { sceneOf } from "../../../static/js/board/scene.js";
import { momentOf, timelineOf } from "../../../static/js/board/tween.js";

const VIEW = {
  board: "...B/..../.x../W...",
  width: 4,
  height: 4,
  to_move: "white",
  step: "move",
  moved: null,
};
const PROMPT = {
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree: { a1: { c1: "d1 a1", a3: "b3" } },
};
const LAST = [
  {
    n: 0,
    turn: 0,
    role: "black",
    effects: [{ kind: "slide", role: "black", start: "d1", end: "d4" }],
  },
  {
    n: 1,
    turn: 0,
    role: "black",
    effects: [{ kind: "place", role: "black", start: "d4", at: "b2" }],
  },
];
const STILL = {
  key: "amazons-10x10",
  view: VIEW,
  last: [],
  burns: ["b2"],
  draft: null,
  sent: null,
  active: true,
  hover: null,
  drag: null,
  moment: [],
  dots: null,
  refused: [],
  over: false,
  veiled: false,
  focus: null,
  flipped: false,
  planning: false,
  planned: false,
  again: null,
};

const draft = (...squares) => squares.reduce(choose, openDraft(PROMPT));
const scene = (look) => sceneOf({ ...STILL, ...look });
const kinds = (items, kind) => items.filter((item) => item.kind === kind);
const squares = (items, kind) => kinds(items, kind).map(({ square }) => square);

test("pieces and burnt squares are those of the server's board", () => {
  const items = scene({});
  assert.deepEqual(squares(items, "piece"), ["d4", "a1"]);
  assert.deepEqual(squares(items, "burnt"), ["b2"]);
});

test("dots are drawn for a move, diamonds for a shot", () => {
  assert.deepEqual(squares(scene({ draft: draft("a1") }), "dot"), ["c1", "a3"]);
  const shooting = scene({ draft: draft("a1", "c1") });
  assert.deepEqual(squares(shooting, "diamond"), ["d1", "a1"]);
  assert.deepEqual(squares(shooting, "dot"), []);
});

test("a step in the hand moves the piece at once and leaves ticks behind it", () => {
  const items = scene({ draft: draft("a1", "c1") });
  assert.ok(squares(items, "piece").includes("c1"));
  assert.ok(!squares(items, "piece").includes("a1"));
  assert.deepEqual(squares(items, "ticks"), ["a1"]);
  assert.deepEqual(squares(items, "chosen"), ["c1"]);
});

test("the last arrow's flight is hidden while a move is in the hand", () => {
  assert.equal(kinds(scene({ last: LAST }), "flight").length, 1);
  assert.equal(kinds(scene({ last: LAST, draft: draft("a1", "c1") }), "flight").length, 0);
});

test("without hints nothing that could be chosen is shown", () => {
  const items = scene({ draft: draft("a1"), active: false, hover: "c1" });
  assert.deepEqual(squares(items, "dot"), []);
  assert.equal(
    kinds(items, "piece").every(({ alpha }) => alpha === 1),
    true,
  );
});

test("under the hand the piece is seen on its target", () => {
  const ghost = kinds(scene({ draft: draft("a1"), hover: "c1" }), "piece").find(
    ({ square }) => square === "c1",
  );
  assert.equal(ghost.alpha, 0.45);
});

test("a turn that waits for its answer is at half strength, after a moment's patience", () => {
  const sent = draft("a1", "c1", "d1");
  const alphaAt = (dots) =>
    kinds(scene({ sent, dots }), "piece").find(({ square }) => square === "c1").alpha;
  assert.equal(alphaAt(null), 1);
  assert.equal(alphaAt(0), 0.5);
  assert.deepEqual(squares(scene({ sent, dots: 1 }), "dots"), ["c1"]);
});

test("heat tells time: one ember, two lines of rust, then flat", () => {
  const view = { ...VIEW, board: "x..x/x..x/.x../xW.." };
  const burns = ["a3", "d3", "d4", "b2", "a1", "a4"];
  const heat = Object.fromEntries(
    kinds(scene({ view, burns }), "burnt").map((item) => [item.square, item.heat]),
  );
  assert.deepEqual(heat, {
    a4: "ember",
    a1: "rust",
    b2: "rust",
    d4: "flat",
    d3: "flat",
    a3: "flat",
  });
});

test("a piece that slides is on its way, and what is shot after it isn't there yet", () => {
  const timeline = timelineOf(LAST);
  const items = scene({ last: LAST, moment: momentOf(timeline, 60) });
  const moving = kinds(items, "piece").find(({ move }) => move !== undefined);
  assert.equal(moving.square, "d4");
  assert.ok(moving.move > 0 && moving.move < 1);
  assert.deepEqual(squares(items, "burnt"), []);
  assert.deepEqual(kinds(items, "flight"), []);
});

test("at the end of a motion the picture is the still picture", () => {
  const timeline = timelineOf(LAST);
  const ended = scene({ last: LAST, moment: momentOf(timeline, timeline.length) });
  assert.deepEqual(ended, scene({ last: LAST }));
});

const BITE = {
  kind: "remove",
  role: "white",
  squares: ["a1"],
  jaws: ["wall", "b1"],
  axis: "row",
};

test("a captured piece stands while the jaws close, then falls", () => {
  const last = [{ n: 0, turn: 0, role: "black", effects: [BITE] }];
  const view = { ...VIEW, board: "...B/..../.x../...." };
  const timeline = timelineOf(last);
  const victimAt = (time) =>
    kinds(scene({ key: "pincer", view, last, moment: momentOf(timeline, time) }), "piece").find(
      ({ square }) => square === "a1",
    );
  assert.deepEqual([victimAt(150).alpha, victimAt(150).sink], [1, 0]);
  const falling = victimAt(380);
  assert.ok(falling.alpha < 1 && falling.scale < 1 && falling.sink > 0);
});

test("layers: what is burnt lies under the pieces, the veil over all", () => {
  const order = scene({ last: LAST, veiled: true, refused: ["b2"] }).map(({ kind }) => kind);
  assert.ok(order.indexOf("burnt") < order.indexOf("piece"));
  assert.ok(order.indexOf("refusal") < order.indexOf("veil"));
  assert.equal(order.at(-1), "veil");
});

test("far rows are drawn first, on a turned board too", () => {
  assert.deepEqual(squares(scene({ flipped: true }), "piece"), ["a1", "d4"]);
});

const CAPTURE = {
  board: "...././BB../..W.".replace("/.", "/...."),
  width: 4,
  height: 4,
  step: 1,
  of: 2,
  stepped: null,
};
const STEP = {
  steps: [{ word: "from" }, { word: "to" }, { word: "from2" }, { word: "to2" }],
  actions: [
    ["move", 0, 1],
    ["move", 2, 3],
  ],
  tree: { c1: { c2: { x: "a2 b2" } } },
};

test("a capture is previewed before it is chosen: victims dashed, wedges at both ends", () => {
  const look = { key: "pincer", view: CAPTURE, draft: choose(openDraft(STEP), "c1"), hover: "c2" };
  const items = scene(look);
  assert.deepEqual(squares(items, "victim"), ["a2", "b2"]);
  assert.deepEqual(squares(items, "ghost"), ["c2"]);
  assert.deepEqual(
    kinds(items, "wedge").map(({ square, axis, end, jaw }) => [square, axis, end, jaw]),
    [
      ["a2", "row", "low", "wall"],
      ["b2", "row", "high", "c2"],
    ],
  );
  assert.ok(!squares(items, "piece").includes("a2"));
});

test("a mover that dies is crossed and has no ghost", () => {
  const tree = { c1: { c2: { x: "c2" } } };
  const view = { ...CAPTURE, board: "..../..../.B.B/..W." };
  const look = {
    key: "pincer",
    view,
    draft: choose(openDraft({ ...STEP, tree }), "c1"),
    hover: "c2",
  };
  const items = scene(look);
  assert.deepEqual(squares(items, "ghost"), []);
  assert.deepEqual(squares(items, "victim"), ["c2"]);
});

test("after the first step the captured pieces stay crossed out, and the stepped piece has its tick", () => {
  const tree = { c1: { c2: { x: "a2 b2", d1: "d2" } } };
  const view = { ...CAPTURE, board: "..../..../BB../..WW" };
  const stepped = ["c1", "c2"].reduce(choose, openDraft({ ...STEP, tree }));
  const items = scene({ key: "pincer", view, draft: stepped });
  assert.deepEqual(squares(items, "victim"), ["a2", "b2"]);
  assert.deepEqual(squares(items, "badge"), ["c2"]);
});

const waiting = (chosen, look = {}) => scene({ draft: draft(...chosen), ...look });
const styles = (items) => kinds(items, "piece").flatMap(({ style }) => style ?? []);

test("while aiming the archer is solid, without a trail; a turn that waits is drawn as not sent", () => {
  assert.deepEqual(styles(waiting(["a1"])), []);
  const aiming = waiting(["a1", "c1"]);
  assert.deepEqual(styles(aiming), []);
  assert.equal(kinds(aiming, "chosen")[0].style, undefined);
  assert.deepEqual([kinds(aiming, "trail"), squares(aiming, "ticks")], [[], ["a1"]]);
  const complete = waiting(["a1", "c1", "d1"]);
  assert.deepEqual(styles(complete), ["unsent"]);
  assert.equal(kinds(complete, "trail").length, 1);
});

test("a turn that waits burns nothing: its arrow is a hatched diamond", () => {
  const items = waiting(["a1", "c1", "d1"]);
  assert.deepEqual(
    kinds(items, "unsentShot").map(({ start, at }) => [start, at]),
    [["c1", "d1"]],
  );
  assert.deepEqual(squares(items, "burnt"), ["b2"]);
  assert.deepEqual(squares(items, "again"), []);
});

test("the square whose second tap sends is marked, and only that one", () => {
  const items = waiting(["a1", "c1", "d1"], { again: "d1" });
  assert.deepEqual(squares(items, "again"), ["d1"]);
});

test("a planned turn is drawn as planned, with a clock, and leaves the last action to be seen", () => {
  const items = waiting(["a1", "c1", "d1"], { planning: true, planned: true, last: LAST });
  assert.deepEqual(styles(items), ["planned"]);
  assert.deepEqual(squares(items, "clock"), ["c1"]);
  assert.equal(kinds(items, "plannedShot").length, 1);
  assert.equal(kinds(items, "flight").length, 1);
  assert.equal(kinds(items, "unsentShot").length, 0);
});

test("no fire but arrow targets while a turn is planned, and dots are hollow", () => {
  assert.ok(kinds(waiting(["a1"], { planning: true }), "dot").every(({ hollow }) => hollow));
  assert.ok(kinds(waiting(["a1"]), "dot").every(({ hollow }) => !hollow));
  const made = waiting(["a1", "c1", "d1"], { planning: true, planned: true });
  assert.deepEqual(kinds(made, "aim"), []);
});

test("sent, unsent and planned are three pictures of one turn", () => {
  const path = ["a1", "c1", "d1"];
  const pictures = [
    scene({ sent: draft(...path), active: false }),
    waiting(path),
    waiting(path, { planning: true, planned: true }),
  ].map((items) => JSON.stringify(items));
  assert.equal(new Set(pictures).size, 3);
});

test("a kept arrow is a ring on the square left, also while the turn waits", () => {
  const prompt = {
    ...PROMPT,
    steps: [PROMPT.steps[0], PROMPT.steps[1], { word: "arrow", keep: 0 }],
  };
  const kept = ["a1", "c1", "a1"].reduce(choose, openDraft(prompt));
  const items = scene({ key: "amazons", draft: kept, again: "a1" });
  assert.deepEqual(squares(items, "keeping"), ["a1"]);
  assert.deepEqual(kinds(items, "unsentShot"), []);
});

test("what a waiting turn captures stays crossed out, with its wedges, for both sides' pieces", () => {
  const tree = { c1: { c2: { x: "a2 b2 c2" } } };
  const taken = ["c1", "c2"].reduce(choose, openDraft({ ...STEP, tree }));
  const items = scene({ key: "pincer", view: CAPTURE, draft: taken });
  assert.deepEqual(squares(items, "victim").sort(), ["a2", "b2", "c2"]);
  assert.ok(!squares(items, "piece").includes("c2"));
});
