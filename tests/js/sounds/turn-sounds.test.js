import assert from "node:assert/strict";
import test from "node:test";

import { DURATIONS_MS } from "../../../static/js/board/tween.js";
import { SOUNDS } from "../../../static/js/lib/sound-player.js";
import { LowTimeTicks, sendSound } from "../../../static/js/sounds/own-sounds.js";
import { endSounds, turnSounds } from "../../../static/js/sounds/turn-sounds.js";

const slide = { kind: "slide", role: "black", start: "d1", end: "d7" };
const place = { kind: "place", role: "black", start: "d7", at: "g7" };
const remove = (...squares) => ({ kind: "remove", role: "white", squares, jaws: [], axis: "row" });
const steps = (...effects) => effects.map((effect) => ({ role: "black", effects: [effect] }));
const THEIRS = { own: false, you: "white" };

test("a turn of Amazons: the piece is put down at the end of its slide, the arrow thuds at its impact", () => {
  const slid = DURATIONS_MS.slide(6);
  assert.deepEqual(turnSounds(steps(slide, place), THEIRS), [
    { name: "action", at: slid },
    { name: "shot", at: slid },
    { name: "thud", at: slid + DURATIONS_MS.flight(3) },
  ]);
});

test("of one's own turn only what the draft has not shown is heard", () => {
  const mine = { own: true, you: "black" };
  assert.deepEqual(
    turnSounds(steps(slide, place), mine).map(({ name }) => name),
    ["shot", "thud"],
  );
  assert.equal(turnSounds(steps(slide), { own: false, you: "black" })[0].name, "own");
});

test("each captured piece clicks, also those of two captures of one step", () => {
  const [effects] = [[slide, remove("a1", "a2"), remove("c3")]];
  const cues = turnSounds([{ role: "black", effects }], THEIRS);
  const clicks = cues.filter(({ name }) => name === "capture").map(({ at }) => at);
  const bite = DURATIONS_MS.slide(6) + DURATIONS_MS.remove.close;
  assert.deepEqual(clicks, [bite, bite + 70, bite + 140]);
});

test("the end is heard at once, in minor by the one who has lost: it is told after the last motion", () => {
  const won = { outcome: { winner: "white" }, you: "white" };
  assert.deepEqual(endSounds(won), [{ name: "end", at: 0 }]);
  assert.equal(endSounds({ ...won, you: "black" })[0].name, "lost");
  assert.equal(endSounds({ ...won, you: null })[0].name, "end");
  assert.equal(endSounds({ outcome: { winner: null }, you: "black" })[0].name, "end");
});

test("all sounds of the game page exist", () => {
  const played = turnSounds(steps(slide, place, remove("a1")), THEIRS).map(({ name }) => name);
  for (const name of [...played, sendSound("blotto"), sendSound("pincer")])
    assert.ok(name in SOUNDS);
  assert.equal(sendSound("blotto"), "seal");
});

test("the own clock ticks once a second in the last ten seconds", () => {
  const low = new LowTimeTicks();
  const ticks = [];
  for (let left = 12_000; left > -500; left -= 100) if (low.ticks(left)) ticks.push(left);
  assert.deepEqual(ticks, [10_000, 9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000]);
  assert.equal(low.ticks(20_000), false);
  assert.equal(low.ticks(9500), true);
});
