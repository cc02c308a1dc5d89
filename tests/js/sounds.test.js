import assert from "node:assert/strict";
import test from "node:test";

import { Player } from "../../static/js/player.js";
import { VOICES } from "../../static/js/voices.js";

/** An AudioContext that only writes down what is asked of it. */
class Tape {
  constructor({ state = "running" } = {}) {
    Object.assign(this, { state, currentTime: 1, sampleRate: 8000, started: [], stopped: [], ramps: [] });
    this.destination = this.node("destination");
  }

  node(kind) {
    const parameter = () => ({
      value: 0,
      setValueAtTime: (value, at) => this.ramps.push({ kind, value, at }),
      linearRampToValueAtTime: (value, at) => this.ramps.push({ kind, value, at }),
      exponentialRampToValueAtTime: (value, at) => this.ramps.push({ kind, value, at, exponential: true }),
    });
    return {
      kind,
      gain: parameter(),
      frequency: parameter(),
      Q: parameter(),
      connect: (next) => next,
      start: (at) => this.started.push(at),
      stop: (at) => this.stopped.push(at),
    };
  }

  createGain = () => this.node("gain");
  createOscillator = () => this.node("tone");
  createBufferSource = () => this.node("noise");
  createBiquadFilter = () => this.node("filter");
  createBuffer = (channels, length) => ({ getChannelData: () => new Float32Array(length) });

  async resume() {
    if (!this.locked) this.state = "running";
  }
}

function playerOn(tape, { on = true } = {}) {
  const made = { on, contexts: 0, gesture: null, listening: true };
  const player = new Player({
    isOn: () => made.on,
    makeContext: () => {
      made.contexts += 1;
      return tape;
    },
    listen: (kinds, listener) => {
      made.gesture = listener;
      return () => {
        made.listening = false;
      };
    },
  });
  return { player, made };
}

test("nothing is made or heard while sounds are off", () => {
  const { player, made } = playerOn(new Tape(), { on: false });
  Object.keys(VOICES).forEach((name) => player.play(name));
  player.await();
  made.gesture();
  assert.equal(made.contexts, 0);
});

test("every sound has its parts, all of them end, and one context serves all", () => {
  for (const [name, parts] of Object.entries(VOICES)) {
    const tape = new Tape();
    const { player, made } = playerOn(tape);
    player.play(name);
    assert.equal(tape.started.length, parts.length, name);
    assert.equal(tape.stopped.length, parts.length, name);
    assert.ok(tape.started.every((at, index) => at >= 1 && tape.stopped[index] > at), name);
    assert.equal(made.contexts, 1);
  }
});

test("sounds are short and quiet", () => {
  for (const [name, parts] of Object.entries(VOICES)) {
    const ends = parts.map(({ at, length }) => at + length);
    assert.ok(Math.max(...ends) <= (name === "end" ? 1.1 : 0.6), `${name} is short`);
    for (const part of parts) {
      assert.ok(part.gain > 0 && part.gain <= 0.5, `${name} is quiet`);
      assert.ok(part.attack < part.length && part.from > 0 && part.to > 0, name);
    }
  }
});

test("the contract's names are all there, and no other name is played", () => {
  for (const name of ["own", "action", "capture", "reveal", "low", "end"]) assert.ok(name in VOICES);
  assert.throws(() => playerOn(new Tape()).player.play("fanfare"), RangeError);
});

test("a locked context isn't filled with sounds that would all be heard at once later", async () => {
  const tape = new Tape({ state: "suspended" });
  tape.locked = true;
  const { player, made } = playerOn(tape);
  player.await();
  player.play("own");
  player.play("low");
  assert.deepEqual(tape.started, []);
  tape.locked = false;
  made.gesture();
  await null;
  made.gesture();
  assert.equal(made.listening, false);
  player.play("low");
  assert.equal(tape.started.length, VOICES.low.length);
});

test("switching sounds on is heard, switching them off is not", async () => {
  const tape = new Tape({ state: "suspended" });
  const { player, made } = playerOn(tape, { on: false });
  player.changed();
  assert.equal(made.contexts, 0);
  made.on = true;
  player.changed();
  await null;
  await null;
  assert.equal(tape.started.length, VOICES.own.length);
  player.changed(); // another setting was changed
  made.on = false;
  player.changed();
  await null;
  assert.equal(tape.started.length, VOICES.own.length);
});

test("the same sound isn't begun twice in one moment", () => {
  const tape = new Tape();
  const { player } = playerOn(tape);
  player.play("own");
  player.play("own");
  assert.equal(tape.started.length, VOICES.own.length);
  tape.currentTime += 0.5;
  player.play("own");
  assert.equal(tape.started.length, 2 * VOICES.own.length);
});

test("where there is no Web Audio, nothing happens", () => {
  const { player } = playerOn(null);
  player.play("end");
  player.changed();
});
