import assert from "node:assert/strict";
import test from "node:test";

import { Composer, DEEDS } from "../../static/js/board/composer.js";
import { actionsOf, choose, isComplete, openHand, targetsOf } from "../../static/js/board/path.js";
import {
  GONE_ON, KEEP, NO_LONGER_LEGAL, OVER, SEND, planOf, readPlan, verdictOf, walked, writePlan,
} from "../../static/js/board/plan.js";
import { dice, promptOf } from "./trees.js";

const STEPS = ["from", "to", "arrow"].map((word) => ({ word }));
const prompt = (tree, steps = STEPS) => ({
  kind: "path", steps, actions: [["move", 0, 1], ["fire", 2]], tree,
});
const TREE = { d1: { d7: "g7 d1", d2: "d1" }, a4: { b4: "a4" } };

/** Their go number 6 is on; white sits here and may plan. */
const THEIRS = {
  game: "g", you: "white", status: "live", turn: 12, goes: 6, takebacks: 0, view: {}, prompt: null,
  plan: prompt(TREE),
};
/** Their go is over; white's own begins. */
const MINE = { ...THEIRS, turn: 14, goes: 7, prompt: prompt(TREE), plan: null };
const PATH = ["d1", "d7", "g7"];
const PLAN = planOf(walked(prompt(TREE), PATH), THEIRS);
const verdict = (snapshot, plan = PLAN) => verdictOf(plan, snapshot).verdict;

test("a plan is kept while their go is on, and sent when it is over", () => {
  assert.equal(verdict(THEIRS), KEEP);
  assert.equal(verdict({ ...THEIRS, turn: 13 }), KEEP);
  const { verdict: sent, hand } = verdictOf(PLAN, MINE);
  assert.equal(sent, SEND);
  assert.deepEqual(actionsOf(hand), ["move 4 1 4 7", "fire 7 7"]);
});

test("a plan is dropped if its path is no longer legal, wherever it breaks off", () => {
  const without = (tree) => verdict({ ...MINE, prompt: prompt(tree) });
  assert.equal(without({ a4: { b4: "a4" } }), NO_LONGER_LEGAL);
  assert.equal(without({ d1: { d2: "d1" } }), NO_LONGER_LEGAL);
  assert.equal(without({ d1: { d7: "d1" } }), NO_LONGER_LEGAL);
});

test("a path that is only a part of a go, or more than one, is not legal", () => {
  const longer = prompt({ d1: { d7: { g7: { a1: "a2" } } } }, [...STEPS, { word: "from2" }, { word: "to2" }]);
  assert.equal(verdict({ ...MINE, prompt: longer }), NO_LONGER_LEGAL);
  assert.equal(verdict({ ...MINE, prompt: prompt({ d1: "d7" }) }), NO_LONGER_LEGAL);
});

test("squares of another kind of step are not the same go", () => {
  const steps = ["from2", "to2", "from"].map((word) => ({ word }));
  assert.equal(verdict({ ...MINE, prompt: prompt(TREE, steps) }), NO_LONGER_LEGAL);
});

test("never in another game, in another seat, after a takeback, or two goes later", () => {
  assert.equal(verdict({ ...MINE, game: "h" }), GONE_ON);
  assert.equal(verdict({ ...MINE, you: "black" }), GONE_ON);
  assert.equal(verdict({ ...MINE, takebacks: 1 }), GONE_ON);
  assert.equal(verdict({ ...THEIRS, takebacks: 1 }), GONE_ON);
  assert.equal(verdict({ ...MINE, goes: 9, turn: 18 }), GONE_ON);
  assert.equal(verdict({ ...THEIRS, goes: 8, turn: 16 }), GONE_ON);
  assert.equal(verdict({ ...MINE, goes: 6, turn: 10 }), GONE_ON);
  assert.equal(verdict({ ...MINE, goes: 6 }), GONE_ON);
});

test("a game that is over has no plans", () => {
  assert.equal(verdict({ ...MINE, status: "over", prompt: null }), OVER);
});

test("a plan survives as text, and other text is no plan", () => {
  assert.deepEqual(readPlan(writePlan(PLAN)), PLAN);
  const broken = ["", "null", "{}", "[1]", "d1-d7", '"x"', JSON.stringify({ ...PLAN, path: [] })];
  const odd = [{ ...PLAN, turn: "12" }, { ...PLAN, words: ["from"] }, { ...PLAN, path: [1, 2, 3] }];
  [...broken, ...odd.map((plan) => JSON.stringify(plan))].forEach((text) => {
    assert.equal(readPlan(text), null, text);
  });
});

function composerOn(shelf, way = "once") {
  return new Composer({ wayOf: () => way, shelf });
}

function shelfOf(kept = new Map()) {
  return {
    kept,
    load: (game) => readPlan(kept.get(game) ?? ""),
    save: (plan) => kept.set(plan.game, writePlan(plan)),
    drop: (game) => kept.delete(game),
  };
}

function planning(shelf = shelfOf(), way = "once") {
  const composer = composerOn(shelf, way);
  composer.meet(THEIRS, { same: false });
  PATH.forEach((square) => composer.put(choose(composer.hand, square)));
  return composer;
}

test("a whole go composed on their time is a plan, whichever way goes are sent", () => {
  for (const way of ["once", "tap", "button"]) {
    const composer = planning(shelfOf(), way);
    assert.equal(composer.plan.text, "d1-d7/g7");
    assert.equal(composer.isReady, false);
    assert.equal(composer.meet(MINE, { same: false }), DEEDS.send);
    assert.deepEqual(composer.actions(), ["move 4 1 4 7", "fire 7 7"]);
  }
});

test("a plan is never sent twice", () => {
  const shelf = shelfOf();
  const composer = planning(shelf);
  assert.equal(composer.meet(MINE, { same: false }), DEEDS.send);
  assert.equal(shelf.kept.size, 0);
  assert.equal(composer.plan, null);
  assert.equal(composer.meet({ ...MINE, rev: 2 }, { same: true }), DEEDS.nothing);
  composer.send();
  assert.equal(composer.meet({ ...MINE, rev: 3 }, { same: true }), DEEDS.nothing);
  assert.equal(composerOn(shelf).meet(MINE, { same: false }), DEEDS.nothing);
});

test("a plan survives a reload, and is sent by the page that comes back in time", () => {
  const shelf = shelfOf();
  planning(shelf);
  const again = composerOn(shelf);
  assert.equal(again.meet(THEIRS, { same: false }), DEEDS.nothing);
  assert.deepEqual(again.hand.path, PATH);
  assert.equal(composerOn(shelf).meet(MINE, { same: false }), DEEDS.send);
});

test("a page that comes back too late drops the plan and says why", () => {
  const shelf = shelfOf();
  planning(shelf);
  const late = composerOn(shelf);
  assert.equal(late.meet({ ...MINE, goes: 9, turn: 20 }, { same: false }), DEEDS.plan);
  assert.deepEqual([late.plan, late.dropped, late.hand.path], [null, GONE_ON, []]);
  assert.equal(shelf.kept.size, 0);
});

test("a spectator, or another game of the same tab, gets nobody's plan", () => {
  const shelf = shelfOf();
  planning(shelf);
  assert.equal(composerOn(shelf).meet({ ...MINE, you: null, prompt: null }, { same: false }), DEEDS.nothing);
  assert.equal(composerOn(shelf).meet({ ...MINE, game: "h" }, { same: false }), DEEDS.nothing);
});

test("taking a step back, or clearing, drops the whole plan", () => {
  for (const change of ["undone", "cleared"]) {
    const shelf = shelfOf();
    const composer = planning(shelf);
    assert.equal(composer.put(composer[change]()), DEEDS.plan);
    assert.deepEqual([composer.plan, composer.hand.path.length, shelf.kept.size], [null, 0, 0]);
  }
});

test("a tap elsewhere puts another plan in its place", () => {
  const composer = planning();
  composer.put(composer.tapped("d1"));
  assert.equal(composer.plan.text, "d1-d7/d1");
  composer.put(composer.tapped("a4"));
  assert.equal(composer.plan, null);
});

test("half a plan is a hand that goes on in the own go, as far as it is legal", () => {
  const composer = composerOn(shelfOf());
  composer.meet(THEIRS, { same: false });
  composer.put(choose(composer.hand, "d1"));
  composer.put(choose(composer.hand, "d7"));
  assert.equal(composer.meet(MINE, { same: false }), DEEDS.nothing);
  assert.deepEqual(composer.hand.path, ["d1", "d7"]);
  const other = composerOn(shelfOf());
  other.meet(THEIRS, { same: false });
  ["d1", "d7"].forEach((square) => other.put(choose(other.hand, square)));
  other.meet({ ...MINE, prompt: prompt({ d1: { d2: "d1" } }) }, { same: false });
  assert.deepEqual(other.hand.path, ["d1"]);
});

test("half a plan stays in the hand until it is known what may be planned on a newer state", () => {
  const composer = composerOn(shelfOf());
  composer.meet(THEIRS, { same: false });
  ["d1", "d7"].forEach((square) => composer.put(choose(composer.hand, square)));
  const later = { ...THEIRS, turn: 13, plan: undefined };
  composer.meet(later, { same: false });
  assert.deepEqual([composer.hand.path, composer.planning], [["d1", "d7"], true]);
  composer.meet({ ...later, plan: prompt({ d1: { d2: "d1" } }) }, { same: true });
  assert.deepEqual(composer.hand.path, ["d1"]);
  composer.meet({ ...later, plan: undefined, takebacks: 1 }, { same: false });
  assert.deepEqual([composer.hand, composer.planning], [null, false]);
});

test("a hand with nothing in it does not stand on an older state", () => {
  const composer = composerOn(shelfOf());
  composer.meet(THEIRS, { same: false });
  composer.meet({ ...THEIRS, turn: 13, plan: undefined }, { same: false });
  assert.equal(composer.hand, null);
});

test("a plan is kept, and its hand shown, until it is known whether it is still legal", () => {
  const composer = planning();
  const later = { ...THEIRS, turn: 13, plan: undefined };
  assert.equal(composer.meet(later, { same: false }), DEEDS.nothing);
  assert.deepEqual([composer.plan.path, composer.hand.path], [PATH, PATH]);
  const gone = { ...later, plan: prompt({ a4: { b4: "a4" } }) };
  assert.equal(composer.meet(gone, { same: true }), DEEDS.plan);
  assert.deepEqual([composer.plan, composer.dropped], [null, NO_LONGER_LEGAL]);
});

test("half a plan is never made whole by the game", () => {
  const composer = composerOn(shelfOf(), "once");
  const steps = ["from", "to", "from2", "to2"].map((word) => ({ word }));
  composer.meet({ ...THEIRS, plan: prompt({ a1: { a2: { b1: "b2" } } }, steps) }, { same: false });
  ["a1", "a2"].forEach((square) => composer.put(choose(composer.hand, square)));
  composer.meet({ ...MINE, prompt: prompt({ a1: "a2" }, steps.slice(0, 2)) }, { same: false });
  assert.deepEqual(composer.hand.path, ["a1"]);
});

test("half a plan does not survive a takeback", () => {
  const composer = composerOn(shelfOf());
  composer.meet(THEIRS, { same: false });
  composer.put(choose(composer.hand, "d1"));
  composer.meet({ ...MINE, takebacks: 1 }, { same: false });
  assert.deepEqual(composer.hand.path, []);
});

function anyPath(roll, from) {
  let hand = openHand(from);
  while (targetsOf(hand).length > 0) {
    const targets = targetsOf(hand);
    hand = choose(hand, targets[Math.floor(roll() * targets.length)]);
  }
  return hand;
}

test("random trees: what is sent is always a whole legal go of the present prompt, made in time", () => {
  const counts = { [SEND]: 0, [KEEP]: 0, [GONE_ON]: 0, [NO_LONGER_LEGAL]: 0, [OVER]: 0 };
  for (let seed = 0; seed < 3000; seed += 1) {
    const roll = dice(seed);
    const family = roll() < 0.5 ? "amazons" : "pincer";
    const planned = promptOf(roll, family);
    const plan = planOf(anyPath(roll, planned), { ...THEIRS, plan: planned });
    const real = roll() < 0.5 ? planned : promptOf(roll, family);
    const later = Math.floor(roll() * 4);
    const mine = roll() < 0.6;
    const now = {
      ...THEIRS,
      turn: 12 + 2 * later,
      goes: 6 + later,
      takebacks: roll() < 0.1 ? 1 : 0,
      prompt: mine ? real : null,
      plan: mine ? null : real,
    };
    const { verdict: found, hand } = verdictOf(plan, now);
    counts[found] += 1;
    if (found === SEND) {
      assert.ok(mine && later === 1 && now.takebacks === 0);
      assert.ok(isComplete(hand));
      assert.equal(hand.prompt, real);
      assert.deepEqual(hand.path, plan.path);
    }
    if (found === KEEP) assert.ok(!mine && later === 0 && isComplete(hand));
    if (mine && later === 1 && now.takebacks === 0 && real === planned) assert.equal(found, SEND);
  }
  assert.ok(Object.entries(counts).every(([key, count]) => key === OVER || count > 50), JSON.stringify(counts));
});

test("random games: each plan is sent at most once, whatever comes in which order", () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const roll = dice(seed);
    const shelf = shelfOf();
    let composer = composerOn(shelf, ["once", "tap", "button"][seed % 3]);
    const sent = new Set();
    let made = 0;
    let [goes, turn, takebacks] = [0, 0, 0];
    let now = null;
    for (let event = 0; event < 30; event += 1) {
      const what = roll();
      if (what < 0.2) composer = composerOn(shelf); // a reload
      else if (what < 0.3) takebacks += 1;
      else if (what < 0.8 && now) [goes, turn] = [goes + 1, turn + 2];
      const mine = goes % 2 === 1;
      const same = now !== null && now.turn === turn && composer.snapshot !== null;
      const tree = promptOf(dice(goes + 100 * seed), "amazons");
      now = { ...THEIRS, turn, goes, takebacks, prompt: mine ? tree : null, plan: mine ? null : tree };
      const held = composer.plan ?? shelf.load("g");
      if (composer.meet(now, { same }) === DEEDS.send) {
        const key = JSON.stringify([held.turn, held.takebacks]);
        assert.ok(!sent.has(key), `sent twice: ${key}`);
        sent.add(key);
        assert.equal(held.goes + 1, goes);
        composer.send();
        composer.settle();
        [goes, turn] = [goes + 1, turn + 2];
      } else if (composer.planning && composer.hand && roll() < 0.7) {
        composer.put(anyPath(roll, now.plan));
        made += 1;
      }
    }
    assert.ok(sent.size <= made);
  }
});
