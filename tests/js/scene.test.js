import assert from "node:assert/strict";
import test from "node:test";

import { choose, openHand } from "../../static/js/board/path.js";
import { sceneOf } from "../../static/js/board/scene.js";
import { momentOf, timelineOf } from "../../static/js/board/tween.js";

const VIEW = { board: "...B/..../.x../W...", width: 4, height: 4, to_move: "white", step: "move", moved: null };
const PROMPT = {
  steps: [{ word: "from" }, { word: "to" }, { word: "arrow" }],
  actions: [["move", 0, 1], ["fire", 2]],
  tree: { a1: { c1: "d1 a1", a3: "b3" } },
};
const LAST = [
  { n: 0, go: 0, role: "black", effects: [{ kind: "slide", role: "black", start: "d1", end: "d4" }] },
  { n: 1, go: 0, role: "black", effects: [{ kind: "place", role: "black", start: "d4", at: "b2" }] },
];
const STILL = {
  key: "amazons-10x10", view: VIEW, last: [], burns: ["b2"], hand: null, sent: null, active: true,
  hover: null, drag: null, moment: [], dots: null, refused: [], over: false, veiled: false,
  focus: null, flipped: false, planning: false, planned: false, again: null,
};

const hand = (...squares) => squares.reduce(choose, openHand(PROMPT));
const scene = (look) => sceneOf({ ...STILL, ...look });
const kinds = (items, kind) => items.filter((item) => item.kind === kind);
const squares = (items, kind) => kinds(items, kind).map(({ square }) => square);

test("pieces and burnt squares are those of the server's board", () => {
  const items = scene({});
  assert.deepEqual(squares(items, "piece"), ["d4", "a1"]);
  assert.deepEqual(squares(items, "burnt"), ["b2"]);
});

test("dots are drawn for a move, diamonds for a shot", () => {
  assert.deepEqual(squares(scene({ hand: hand("a1") }), "dot"), ["c1", "a3"]);
  const shooting = scene({ hand: hand("a1", "c1") });
  assert.deepEqual(squares(shooting, "diamond"), ["d1", "a1"]);
  assert.deepEqual(squares(shooting, "dot"), []);
});

test("a step in the hand moves the piece at once and leaves ticks behind it", () => {
  const items = scene({ hand: hand("a1", "c1") });
  assert.ok(squares(items, "piece").includes("c1"));
  assert.ok(!squares(items, "piece").includes("a1"));
  assert.deepEqual(squares(items, "ticks"), ["a1"]);
  assert.deepEqual(squares(items, "chosen"), ["c1"]);
});

test("the last arrow's flight is hidden while a move is in the hand", () => {
  assert.equal(kinds(scene({ last: LAST }), "flight").length, 1);
  assert.equal(kinds(scene({ last: LAST, hand: hand("a1", "c1") }), "flight").length, 0);
});

test("without hints nothing that could be chosen is shown", () => {
  const items = scene({ hand: hand("a1"), active: false, hover: "c1" });
  assert.deepEqual(squares(items, "dot"), []);
  assert.equal(kinds(items, "piece").every(({ alpha }) => alpha === 1), true);
});

test("under the hand the piece is seen on its target", () => {
  const ghost = kinds(scene({ hand: hand("a1"), hover: "c1" }), "piece").find(
    ({ square }) => square === "c1",
  );
  assert.equal(ghost.alpha, 0.45);
});

test("a go that waits for its answer is at half strength, after a moment's patience", () => {
  const sent = hand("a1", "c1", "d1");
  const alphaAt = (dots) =>
    kinds(scene({ sent, dots }), "piece").find(({ square }) => square === "c1").alpha;
  assert.equal(alphaAt(null), 1);
  assert.equal(alphaAt(0), 0.5);
  assert.deepEqual(squares(scene({ sent, dots: 1 }), "dots"), ["c1"]);
});

test("heat tells time: one ember, three lines of rust, then sparks", () => {
  const view = { ...VIEW, board: "x..x/x..x/.x../xW.." };
  const burns = ["a3", "d3", "d4", "b2", "a1", "a4"];
  const heat = Object.fromEntries(
    kinds(scene({ view, burns }), "burnt").map((item) => [item.square, item.heat]),
  );
  assert.deepEqual(heat, { a4: "ember", a1: "rust", b2: "rust", d4: "rust", d3: "sparks", a3: "sparks" });
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
  actions: [["move", 0, 1], ["move", 2, 3]],
  tree: { c1: { c2: { x: "a2 b2" } } },
};

test("a capture is previewed before it is chosen: victims dashed, wedges at both ends", () => {
  const look = { key: "pincer", view: CAPTURE, hand: choose(openHand(STEP), "c1"), hover: "c2" };
  const items = scene(look);
  assert.deepEqual(squares(items, "victim"), ["a2", "b2"]);
  assert.deepEqual(squares(items, "ghost"), ["c2"]);
  assert.deepEqual(
    kinds(items, "wedge").map(({ square, axis, end, jaw }) => [square, axis, end, jaw]),
    [["a2", "row", "low", "wall"], ["b2", "row", "high", "c2"]],
  );
  assert.ok(!squares(items, "piece").includes("a2"));
});

test("a mover that dies is crossed and has no ghost", () => {
  const tree = { c1: { c2: { x: "c2" } } };
  const view = { ...CAPTURE, board: "..../..../.B.B/..W." };
  const look = { key: "pincer", view, hand: choose(openHand({ ...STEP, tree }), "c1"), hover: "c2" };
  const items = scene(look);
  assert.deepEqual(squares(items, "ghost"), []);
  assert.deepEqual(squares(items, "victim"), ["c2"]);
});

test("after the first step the captured pieces stay crossed out, and the stepped piece has its tick", () => {
  const tree = { c1: { c2: { x: "a2 b2", d1: "d2" } } };
  const view = { ...CAPTURE, board: "..../..../BB../..WW" };
  const stepped = ["c1", "c2"].reduce(choose, openHand({ ...STEP, tree }));
  const items = scene({ key: "pincer", view, hand: stepped });
  assert.deepEqual(squares(items, "victim"), ["a2", "b2"]);
  assert.deepEqual(squares(items, "badge"), ["c2"]);
});

const waiting = (chosen, look = {}) => scene({ hand: hand(...chosen), ...look });
const styles = (items) => kinds(items, "piece").flatMap(({ style }) => style ?? []);

test("a step that is only composed is drawn as not sent, from the first one on", () => {
  assert.deepEqual(styles(waiting(["a1"])), []);
  assert.deepEqual(styles(waiting(["a1", "c1"])), ["unsent"]);
  assert.equal(kinds(waiting(["a1", "c1"]), "chosen")[0].style, "unsent");
});

test("a go that waits burns nothing: its arrow is a hatched diamond", () => {
  const items = waiting(["a1", "c1", "d1"]);
  assert.deepEqual(kinds(items, "unsentShot").map(({ start, at }) => [start, at]), [["c1", "d1"]]);
  assert.deepEqual(squares(items, "burnt"), ["b2"]);
  assert.deepEqual(squares(items, "again"), []);
});

test("the square whose second tap sends is marked, and only that one", () => {
  const items = waiting(["a1", "c1", "d1"], { again: "d1" });
  assert.deepEqual(squares(items, "again"), ["d1"]);
});

test("a planned go is drawn as planned, with a clock, and leaves the last action to be seen", () => {
  const items = waiting(["a1", "c1", "d1"], { planning: true, planned: true, last: LAST });
  assert.deepEqual(styles(items), ["planned"]);
  assert.deepEqual(squares(items, "clock"), ["c1"]);
  assert.equal(kinds(items, "plannedShot").length, 1);
  assert.equal(kinds(items, "flight").length, 1);
  assert.equal(kinds(items, "unsentShot").length, 0);
});

test("no fire but arrow targets while a go is planned, and dots are hollow", () => {
  assert.ok(kinds(waiting(["a1"], { planning: true }), "dot").every(({ hollow }) => hollow));
  assert.ok(kinds(waiting(["a1"]), "dot").every(({ hollow }) => !hollow));
  const made = waiting(["a1", "c1", "d1"], { planning: true, planned: true });
  assert.deepEqual(kinds(made, "aim"), []);
});

test("sent, unsent and planned are three pictures of one go", () => {
  const path = ["a1", "c1", "d1"];
  const pictures = [
    scene({ sent: hand(...path), active: false }),
    waiting(path),
    waiting(path, { planning: true, planned: true }),
  ].map((items) => JSON.stringify(items));
  assert.equal(new Set(pictures).size, 3);
});

test("a kept arrow is a ring on the square left, also while the go waits", () => {
  const prompt = { ...PROMPT, steps: [PROMPT.steps[0], PROMPT.steps[1], { word: "arrow", keep: 0 }] };
  const kept = ["a1", "c1", "a1"].reduce(choose, openHand(prompt));
  const items = scene({ key: "amazons", hand: kept, again: "a1" });
  assert.deepEqual(squares(items, "keeping"), ["a1"]);
  assert.deepEqual(kinds(items, "unsentShot"), []);
});

test("what a waiting go captures stays crossed out, with its wedges, for both sides' pieces", () => {
  const tree = { c1: { c2: { x: "a2 b2 c2" } } };
  const taken = ["c1", "c2"].reduce(choose, openHand({ ...STEP, tree }));
  const items = scene({ key: "pincer", view: CAPTURE, hand: taken });
  assert.deepEqual(squares(items, "victim").sort(), ["a2", "b2", "c2"]);
  assert.ok(!squares(items, "piece").includes("c2"));
});
