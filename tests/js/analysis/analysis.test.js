import assert from "node:assert/strict";
import test from "node:test";

import {
  chanceOf,
  finalChance,
  lossesOf,
  markOf,
  turningPoints,
} from "../../../static/js/analysis/marks.js";
import { judgeRetry } from "../../../static/js/analysis/retry.js";
import { engineCount, Review, RUNGS, SEED } from "../../../static/js/analysis/review.js";
import {
  betterSentence,
  lossSentence,
  standingSentence,
  threatSentence,
} from "../../../static/js/analysis/sentences.js";
import { actionsText, linesOf, moveAndArrow } from "../../../static/js/analysis/turn-text.js";
import { ROOT, TurnTree } from "../../../static/js/analysis/turn-tree.js";

const NAMES = { white: "Ada", black: "Bob" };
const A = ["move 4 1 4 7", "fire 7 7"];
const B = ["move 4 10 4 9", "fire 4 10"];
const C = ["move 7 1 7 2", "fire 7 3"];

const node = (parent, actions, role, more = {}) => ({
  parent,
  actions,
  role,
  steps: [{ effects: [{ kind: "place", at: "g7" }] }],
  comment: "",
  mark: "",
  view: { to_move: role === "white" ? "black" : "white" },
  position: `after ${actions}`,
  ending: null,
  ...more,
});
const START = { view: { to_move: "white" }, position: "start", ending: null };
const GAME = [node(ROOT, A, "white"), node(0, B, "black")];

test("turns read as the server writes them", () => {
  assert.equal(actionsText(A), "d1-d7/g7");
  assert.equal(actionsText(["play 4 1 4 7 7 7"]), "d1-d7/g7");
  assert.equal(actionsText(["play 4 1 4 7 4 1"]), "d1-d7"); // no arrow
  assert.equal(actionsText(["move 1 5 2 5", "move 7 3 6 3"]), "a5-b5 g3-f3");
  assert.equal(actionsText(["move 10 10 1 10"]), "j10-a10");
  assert.deepEqual(moveAndArrow(A), { move: "d1-d7", arrow: "g7" });
  assert.deepEqual(moveAndArrow(["move 1 5 2 5"]), { move: "a5-b5", arrow: "" });
});

test("a tree knows the way to a turn and what follows it", () => {
  const tree = new TurnTree(START, GAME);
  const other = tree.add(node(0, C, "black"));
  assert.deepEqual(tree.pathTo(other), [0, other]);
  assert.deepEqual(tree.childrenOf(0), [1, other]);
  assert.equal(tree.find(0, C), other);
  assert.equal(tree.find(ROOT, C), null);
  assert.deepEqual(tree.variations, [{ parent: 0, actions: C, comment: "", mark: "" }]);
  assert.equal(tree.follow([A, C]), other);
  assert.equal(tree.follow([C]), null);
  assert.deepEqual(tree.requestFor(other), [
    { parent: -1, actions: A },
    { parent: 0, actions: C },
  ]);
  assert.deepEqual(tree.requestFor(ROOT, A), [{ parent: -1, actions: A }]);
  assert.deepEqual(tree.burnsAt(other), ["g7", "g7"]);
  assert.equal(tree.at(ROOT), START);
});

test("a turn is drawn as a line for each move, and one for its arrow", () => {
  const line = (start, end, isShot = false) => ({ start, end, isShot });
  assert.deepEqual(linesOf(A), [line("d1", "d7"), line("d7", "g7", true)]);
  assert.deepEqual(linesOf(["play 4 1 4 7 7 7"]), [line("d1", "d7"), line("d7", "g7", true)]);
  assert.deepEqual(linesOf(["play 4 1 4 7 4 1"]), [line("d1", "d7")]); // no arrow
  assert.deepEqual(linesOf(["move 1 5 2 5", "move 7 3 6 3"]), [line("a5", "b5"), line("g3", "f3")]);
  assert.deepEqual(linesOf([]), []);
});

test("chances are White's", () => {
  assert.equal(chanceOf(0.5, "white"), 0.75);
  assert.equal(chanceOf(0.5, "black"), 0.25);
  assert.deepEqual(["white", "black", null].map(finalChance), [1, 0, 0.5]);
});

test("marks begin at losses of 0, 2, 6 and 15 %", () => {
  const marks = [0, 0.019, 0.02, 0.059, 0.06, 0.149, 0.15, 1].map((loss) => markOf(loss, false));
  assert.deepEqual(marks, [
    "best",
    "fine",
    "inaccuracy",
    "inaccuracy",
    "mistake",
    "mistake",
    "blunder",
    "blunder",
  ]);
  assert.equal(markOf(0.01, true), "best");
});

const verdict = (chance, line, isProved = false) => ({ chance, isProved, line });

test("a loss is that of the player who moved", () => {
  const verdicts = [verdict(0.6, [C]), verdict(0.4, [B]), verdict(0.9, null)];
  const [white, black] = lossesOf(GAME, verdicts);
  assert.ok(Math.abs(white.loss - 0.2) < 1e-12);
  assert.deepEqual([white.mark, white.better], ["blunder", [C]]);
  // Black played the engine's own turn: that its value falls later is no loss of that turn.
  assert.deepEqual([black.loss, black.mark, black.better], [0, "best", null]);
  assert.equal(black.before, 0.6);
});

test("turns that are not judged on both sides are left out", () => {
  const verdicts = [verdict(0.6, [A]), verdict(0.5, [C]), undefined];
  assert.deepEqual(
    lossesOf(GAME, verdicts).map(({ turn }) => turn),
    [1],
  );
});

test("the three greatest losses are the turning points, in their order", () => {
  const losses = [0.01, 0.3, 0.05, 0.2, 0.1].map((loss, index) => ({ loss, turn: index + 1 }));
  assert.deepEqual(
    turningPoints(losses).map(({ turn }) => turn),
    [2, 4, 5],
  );
  assert.deepEqual(turningPoints(losses.slice(0, 1)), []);
});

/** An engine that answers at once, and writes down what it was asked. */
class QuickEngine {
  asked = [];
  isStopped = false;

  async analyse(position, { nodes, seed }) {
    this.asked.push([position, nodes, seed]);
    const isProved = position === "start";
    return { lines: [{ value: 0.2, turns: [A], isProved, visits: 1, depth: 1 }] };
  }

  stop() {
    this.isStopped = true;
  }
}

test("a review judges every position on each rung, and what is proved once", async () => {
  const engine = new QuickEngine();
  const progress = [];
  const positions = [START, ...GAME, { ...START, ending: { winner: "black", reason: "" } }];
  const review = new Review(positions, [engine], (each) => progress.push(each));
  await review.run();
  const first = positions.slice(0, 3).map(({ position }) => [position, RUNGS[0], SEED]);
  const later = RUNGS.slice(1).flatMap((nodes) =>
    positions.slice(1, 3).map(({ position }) => [position, nodes, SEED]),
  );
  assert.deepEqual(engine.asked, [...first, ...later]);
  assert.equal(progress.length, RUNGS.length * positions.length);
  const chances = review.verdicts.map(({ chance }) => chance);
  assert.deepEqual(chances, [0.6, 0.4, 0.6, 0]);
  assert.equal(review.verdicts[3].isProved, true);
});

test("a review that is stopped judges nothing more", async () => {
  const engine = new QuickEngine();
  const review = new Review([START, ...GAME], [engine], () => review.stop());
  await review.run();
  assert.equal(engine.asked.length, 1);
  assert.equal(review.verdicts.filter(Boolean).length, 1);
  assert.ok(engine.isStopped);
});

test("several engines share a review, and find what one finds", async () => {
  const positions = [START, ...GAME, { ...START, ending: { winner: "black", reason: "" } }];
  const alone = new Review(positions, [new QuickEngine()], () => {});
  await alone.run();
  const engines = [new QuickEngine(), new QuickEngine()];
  const progress = [];
  const review = new Review(positions, engines, (each) => progress.push(each));
  await review.run();
  assert.deepEqual(review.verdicts, alone.verdicts);
  assert.ok(engines.every(({ asked }) => asked.length > 0));
  const done = RUNGS.flatMap((_nodes, rung) => positions.map((_each, n) => [rung, n + 1]));
  assert.deepEqual(
    progress.map((each) => [each.rung, each.done]),
    done,
  );
});

test("a review goes on without an engine that fails, and ends with the last one's error", async () => {
  const positions = [START, ...GAME];
  const failing = () => ({
    analyse: async () => {
      throw new Error("out of memory");
    },
    stop() {},
  });
  const working = new QuickEngine();
  const review = new Review(positions, [failing(), working], () => {});
  await review.run();
  assert.ok(review.verdicts.every(Boolean));
  assert.ok(working.asked.length >= RUNGS.length);
  const broken = new Review(positions, [failing(), failing()], () => {});
  await assert.rejects(broken.run(), /out of memory/);
  assert.equal(broken.verdicts.filter(Boolean).length, 0);
});

test("a review opens at most four engines, and leaves the page a core where there are many", () => {
  assert.deepEqual([1, 2, 3, 4, 8, undefined].map(engineCount), [1, 2, 2, 3, 4, 2]);
});

test("a turn that was found is judged against the best one", () => {
  const asked = { before: 0.6, after: 0.3 };
  assert.equal(judgeRetry(asked, 0.2, true).isFound, true);
  assert.equal(judgeRetry(asked, 0.59, false).isFound, true);
  assert.deepEqual(judgeRetry(asked, 0.45, false), {
    isFound: false,
    say: "Better than in the game: 45%. The best move has 60%.",
  });
  assert.deepEqual(judgeRetry(asked, 0.31, false), {
    isFound: false,
    say: "Not that one: 31%. Try again.",
  });
});

test("sentences name who lost what, and say when it is proved", () => {
  const loss = { role: "white", before: 0.6, after: 0.4, loss: 0.2, mark: "blunder", better: [C] };
  assert.equal(
    lossSentence({ ...loss, isProved: false }, NAMES),
    "Ada’s chances go from 60% to 40%: blunder.",
  );
  assert.equal(
    lossSentence({ ...loss, before: 1, after: 0, isProved: true }, NAMES),
    "Ada’s chances go from 100% to 0%: blunder, proved.",
  );
  assert.equal(betterSentence(loss), "g1-g2/g3 was better.");
  assert.equal(standingSentence(0.25, false, NAMES), "Bob: 75% chance of winning.");
  assert.equal(standingSentence(1, true, NAMES), "Proved: a win for Ada.");
  assert.equal(standingSentence(0.5, true, NAMES), "Proved: it’s a draw.");
});

test("a threat is said with the chance of the side that would move", () => {
  assert.equal(
    threatSentence({ value: 0.5, turns: [C] }, "Bob"),
    "Threat: if Bob were to move, g1-g2/g3 (75%).",
  );
  assert.equal(threatSentence(null, "Bob"), "Threat: none. Bob couldn’t move.");
});
