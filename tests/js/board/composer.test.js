import assert from "node:assert/strict";
import test from "node:test";

import { Composer, FOLLOW_UPS } from "../../../static/js/board/composer.js";
import {
  actionsOf,
  choose,
  isComplete,
  openDraft,
  targetsOf,
} from "../../../static/js/board/path-draft.js";
import {
  followPath,
  GONE_ON,
  judgePremove,
  KEEP,
  makePremove,
  NO_LONGER_LEGAL,
  OVER,
  parsePremove,
  SEND,
  writePremove,
} from "../../../static/js/board/premove.js";
import { dice, promptOf } from "../trees.js";

const STEPS = ["from", "to", "arrow"].map((word) => ({ word }));
const prompt = (tree, steps = STEPS) => ({
  kind: "path",
  steps,
  actions: [
    ["move", 0, 1],
    ["fire", 2],
  ],
  tree,
});
const TREE = { d1: { d7: "g7 d1", d2: "d1" }, a4: { b4: "a4" } };

/** Their turn number 6 is on; white sits here and may plan. */
const THEIRS = {
  game: "g",
  you: "white",
  status: "live",
  step: 12,
  turns: 6,
  takebacks: 0,
  view: {},
  prompt: null,
  premove: prompt(TREE),
};
/** Their turn is over; white's own begins. */
const MINE = { ...THEIRS, step: 14, turns: 7, prompt: prompt(TREE), premove: null };
const PATH = ["d1", "d7", "g7"];
const PLAN = makePremove(followPath(prompt(TREE), PATH), THEIRS);
const verdict = (snapshot, premove = PLAN) => judgePremove(premove, snapshot).verdict;

test("a plan is kept while their turn is on, and sent when it is over", () => {
  assert.equal(verdict(THEIRS), KEEP);
  assert.equal(verdict({ ...THEIRS, step: 13 }), KEEP);
  const { verdict: sent, draft } = judgePremove(PLAN, MINE);
  assert.equal(sent, SEND);
  assert.deepEqual(actionsOf(draft), ["move 4 1 4 7", "fire 7 7"]);
});

test("a plan is dropped if its path is no longer legal, wherever it breaks off", () => {
  const without = (tree) => verdict({ ...MINE, prompt: prompt(tree) });
  assert.equal(without({ a4: { b4: "a4" } }), NO_LONGER_LEGAL);
  assert.equal(without({ d1: { d2: "d1" } }), NO_LONGER_LEGAL);
  assert.equal(without({ d1: { d7: "d1" } }), NO_LONGER_LEGAL);
});

test("a path that is only a part of a turn, or more than one, is not legal", () => {
  const longer = prompt({ d1: { d7: { g7: { a1: "a2" } } } }, [
    ...STEPS,
    { word: "from2" },
    { word: "to2" },
  ]);
  assert.equal(verdict({ ...MINE, prompt: longer }), NO_LONGER_LEGAL);
  assert.equal(verdict({ ...MINE, prompt: prompt({ d1: "d7" }) }), NO_LONGER_LEGAL);
});

test("squares of another kind of step are not the same turn", () => {
  const steps = ["from2", "to2", "from"].map((word) => ({ word }));
  assert.equal(verdict({ ...MINE, prompt: prompt(TREE, steps) }), NO_LONGER_LEGAL);
});

test("never in another game, in another seat, after a takeback, or two turns later", () => {
  assert.equal(verdict({ ...MINE, game: "h" }), GONE_ON);
  assert.equal(verdict({ ...MINE, you: "black" }), GONE_ON);
  assert.equal(verdict({ ...MINE, takebacks: 1 }), GONE_ON);
  assert.equal(verdict({ ...THEIRS, takebacks: 1 }), GONE_ON);
  assert.equal(verdict({ ...MINE, turns: 9, step: 18 }), GONE_ON);
  assert.equal(verdict({ ...THEIRS, turns: 8, step: 16 }), GONE_ON);
  assert.equal(verdict({ ...MINE, turns: 6, step: 10 }), GONE_ON);
  assert.equal(verdict({ ...MINE, turns: 6 }), GONE_ON);
});

test("a game that is over has no plans", () => {
  assert.equal(verdict({ ...MINE, status: "over", prompt: null }), OVER);
});

test("a plan survives as text, and other text is no plan", () => {
  assert.deepEqual(parsePremove(writePremove(PLAN)), PLAN);
  const broken = ["", "null", "{}", "[1]", "d1-d7", '"x"', JSON.stringify({ ...PLAN, path: [] })];
  const odd = [
    { ...PLAN, step: "12" },
    { ...PLAN, words: ["from"] },
    { ...PLAN, path: [1, 2, 3] },
  ];
  [...broken, ...odd.map((premove) => JSON.stringify(premove))].forEach((text) => {
    assert.equal(parsePremove(text), null, text);
  });
});

function composerOn(storage, way = "once") {
  return new Composer({ wayOf: () => way, storage });
}

function shelfOf(kept = new Map()) {
  return {
    kept,
    load: (game) => parsePremove(kept.get(game) ?? ""),
    save: (premove) => kept.set(premove.game, writePremove(premove)),
    drop: (game) => kept.delete(game),
  };
}

function planning(storage = shelfOf(), way = "once") {
  const composer = composerOn(storage, way);
  composer.update(THEIRS, { same: false });
  PATH.forEach((square) => composer.put(choose(composer.draft, square)));
  return composer;
}

test("a whole turn composed on their time is a plan, whichever way turns are sent", () => {
  for (const way of ["once", "tap", "button"]) {
    const composer = planning(shelfOf(), way);
    assert.equal(composer.premove.text, "d1-d7/g7");
    assert.equal(composer.isReady, false);
    assert.equal(composer.update(MINE, { same: false }), FOLLOW_UPS.send);
    assert.deepEqual(composer.actions(), ["move 4 1 4 7", "fire 7 7"]);
  }
});

test("a plan is never sent twice", () => {
  const storage = shelfOf();
  const composer = planning(storage);
  assert.equal(composer.update(MINE, { same: false }), FOLLOW_UPS.send);
  assert.equal(storage.kept.size, 0);
  assert.equal(composer.premove, null);
  assert.equal(composer.update({ ...MINE, rev: 2 }, { same: true }), FOLLOW_UPS.nothing);
  composer.send();
  assert.equal(composer.update({ ...MINE, rev: 3 }, { same: true }), FOLLOW_UPS.nothing);
  assert.equal(composerOn(storage).update(MINE, { same: false }), FOLLOW_UPS.nothing);
});

test("a plan survives a reload, and is sent by the page that comes back in time", () => {
  const storage = shelfOf();
  planning(storage);
  const again = composerOn(storage);
  assert.equal(again.update(THEIRS, { same: false }), FOLLOW_UPS.nothing);
  assert.deepEqual(again.draft.path, PATH);
  assert.equal(composerOn(storage).update(MINE, { same: false }), FOLLOW_UPS.send);
});

test("a page that comes back too late drops the plan and says why", () => {
  const storage = shelfOf();
  planning(storage);
  const late = composerOn(storage);
  assert.equal(late.update({ ...MINE, turns: 9, step: 20 }, { same: false }), FOLLOW_UPS.premove);
  assert.deepEqual([late.premove, late.dropped, late.draft.path], [null, GONE_ON, []]);
  assert.equal(storage.kept.size, 0);
});

test("a spectator, or another game of the same tab, gets nobody's plan", () => {
  const storage = shelfOf();
  planning(storage);
  assert.equal(
    composerOn(storage).update({ ...MINE, you: null, prompt: null }, { same: false }),
    FOLLOW_UPS.nothing,
  );
  assert.equal(
    composerOn(storage).update({ ...MINE, game: "h" }, { same: false }),
    FOLLOW_UPS.nothing,
  );
});

test("taking a step back, or clearing, drops the whole plan", () => {
  for (const change of ["draftAfterUndo", "emptyDraft"]) {
    const storage = shelfOf();
    const composer = planning(storage);
    assert.equal(composer.put(composer[change]()), FOLLOW_UPS.premove);
    assert.deepEqual(
      [composer.premove, composer.draft.path.length, storage.kept.size],
      [null, 0, 0],
    );
  }
});

test("a tap elsewhere puts another plan in its place", () => {
  const composer = planning();
  composer.put(composer.draftAfterTap("d1"));
  assert.equal(composer.premove.text, "d1-d7/d1");
  composer.put(composer.draftAfterTap("a4"));
  assert.equal(composer.premove, null);
});

test("half a plan is a hand that goes on in the own turn, as far as it is legal", () => {
  const composer = composerOn(shelfOf());
  composer.update(THEIRS, { same: false });
  composer.put(choose(composer.draft, "d1"));
  composer.put(choose(composer.draft, "d7"));
  assert.equal(composer.update(MINE, { same: false }), FOLLOW_UPS.nothing);
  assert.deepEqual(composer.draft.path, ["d1", "d7"]);
  const other = composerOn(shelfOf());
  other.update(THEIRS, { same: false });
  ["d1", "d7"].forEach((square) => other.put(choose(other.draft, square)));
  other.update({ ...MINE, prompt: prompt({ d1: { d2: "d1" } }) }, { same: false });
  assert.deepEqual(other.draft.path, ["d1"]);
});

test("half a plan stays in the hand until it is known what may be planned on a newer state", () => {
  const composer = composerOn(shelfOf());
  composer.update(THEIRS, { same: false });
  ["d1", "d7"].forEach((square) => composer.put(choose(composer.draft, square)));
  const later = { ...THEIRS, step: 13, premove: undefined };
  composer.update(later, { same: false });
  assert.deepEqual([composer.draft.path, composer.planning], [["d1", "d7"], true]);
  composer.update({ ...later, premove: prompt({ d1: { d2: "d1" } }) }, { same: true });
  assert.deepEqual(composer.draft.path, ["d1"]);
  composer.update({ ...later, premove: undefined, takebacks: 1 }, { same: false });
  assert.deepEqual([composer.draft, composer.planning], [null, false]);
});

test("a hand with nothing in it does not stand on an older state", () => {
  const composer = composerOn(shelfOf());
  composer.update(THEIRS, { same: false });
  composer.update({ ...THEIRS, step: 13, premove: undefined }, { same: false });
  assert.equal(composer.draft, null);
});

test("a plan is kept, and its hand shown, until it is known whether it is still legal", () => {
  const composer = planning();
  const later = { ...THEIRS, step: 13, premove: undefined };
  assert.equal(composer.update(later, { same: false }), FOLLOW_UPS.nothing);
  assert.deepEqual([composer.premove.path, composer.draft.path], [PATH, PATH]);
  const gone = { ...later, premove: prompt({ a4: { b4: "a4" } }) };
  assert.equal(composer.update(gone, { same: true }), FOLLOW_UPS.premove);
  assert.deepEqual([composer.premove, composer.dropped], [null, NO_LONGER_LEGAL]);
});

test("half a plan is never made whole by the game", () => {
  const composer = composerOn(shelfOf(), "once");
  const steps = ["from", "to", "from2", "to2"].map((word) => ({ word }));
  composer.update(
    { ...THEIRS, premove: prompt({ a1: { a2: { b1: "b2" } } }, steps) },
    { same: false },
  );
  ["a1", "a2"].forEach((square) => composer.put(choose(composer.draft, square)));
  composer.update({ ...MINE, prompt: prompt({ a1: "a2" }, steps.slice(0, 2)) }, { same: false });
  assert.deepEqual(composer.draft.path, ["a1"]);
});

test("half a plan does not survive a takeback", () => {
  const composer = composerOn(shelfOf());
  composer.update(THEIRS, { same: false });
  composer.put(choose(composer.draft, "d1"));
  composer.update({ ...MINE, takebacks: 1 }, { same: false });
  assert.deepEqual(composer.draft.path, []);
});

function anyPath(roll, from) {
  let draft = openDraft(from);
  while (targetsOf(draft).length > 0) {
    const targets = targetsOf(draft);
    draft = choose(draft, targets[Math.floor(roll() * targets.length)]);
  }
  return draft;
}

test("random trees: what is sent is always a whole legal turn of the present prompt, made in time", () => {
  const counts = { [SEND]: 0, [KEEP]: 0, [GONE_ON]: 0, [NO_LONGER_LEGAL]: 0, [OVER]: 0 };
  for (let seed = 0; seed < 3000; seed += 1) {
    const roll = dice(seed);
    const family = roll() < 0.5 ? "amazons" : "pincer";
    const planned = promptOf(roll, family);
    const premove = makePremove(anyPath(roll, planned), { ...THEIRS, premove: planned });
    const real = roll() < 0.5 ? planned : promptOf(roll, family);
    const later = Math.floor(roll() * 4);
    const mine = roll() < 0.6;
    const now = {
      ...THEIRS,
      step: 12 + 2 * later,
      turns: 6 + later,
      takebacks: roll() < 0.1 ? 1 : 0,
      prompt: mine ? real : null,
      premove: mine ? null : real,
    };
    const { verdict: found, draft } = judgePremove(premove, now);
    counts[found] += 1;
    if (found === SEND) {
      assert.ok(mine && later === 1 && now.takebacks === 0);
      assert.ok(isComplete(draft));
      assert.equal(draft.prompt, real);
      assert.deepEqual(draft.path, premove.path);
    }
    if (found === KEEP) assert.ok(!mine && later === 0 && isComplete(draft));
    if (mine && later === 1 && now.takebacks === 0 && real === planned) assert.equal(found, SEND);
  }
  assert.ok(
    Object.entries(counts).every(([key, count]) => key === OVER || count > 50),
    JSON.stringify(counts),
  );
});

test("random games: each plan is sent at most once, whatever comes in which order", () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const roll = dice(seed);
    const storage = shelfOf();
    let composer = composerOn(storage, ["once", "tap", "button"][seed % 3]);
    const sent = new Set();
    let made = 0;
    let [turns, step, takebacks] = [0, 0, 0];
    let now = null;
    for (let event = 0; event < 30; event += 1) {
      const what = roll();
      if (what < 0.2)
        composer = composerOn(storage); // a reload
      else if (what < 0.3) takebacks += 1;
      else if (what < 0.8 && now) [turns, step] = [turns + 1, step + 2];
      const mine = turns % 2 === 1;
      const same = now !== null && now.step === step && composer.snapshot !== null;
      const tree = promptOf(dice(turns + 100 * seed), "amazons");
      now = {
        ...THEIRS,
        step,
        turns,
        takebacks,
        prompt: mine ? tree : null,
        premove: mine ? null : tree,
      };
      const held = composer.premove ?? storage.load("g");
      if (composer.update(now, { same }) === FOLLOW_UPS.send) {
        const key = JSON.stringify([held.step, held.takebacks]);
        assert.ok(!sent.has(key), `sent twice: ${key}`);
        sent.add(key);
        assert.equal(held.turns + 1, turns);
        composer.send();
        composer.settle();
        [turns, step] = [turns + 1, step + 2];
      } else if (composer.planning && composer.draft && roll() < 0.7) {
        composer.put(anyPath(roll, now.premove));
        made += 1;
      }
    }
    assert.ok(sent.size <= made);
  }
});
