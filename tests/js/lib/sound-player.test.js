import assert from "node:assert/strict";
import test from "node:test";

import { SOUNDS, SoundPlayer } from "../../../static/js/lib/sound-player.js";

/** An AudioContext that only writes down what is asked of it. */
class Tape {
  constructor({ state = "running" } = {}) {
    Object.assign(this, {
      state,
      currentTime: 1,
      sampleRate: 8000,
      started: [],
      stopped: [],
      ramps: [],
    });
    this.destination = this.node("destination");
  }

  node(kind) {
    const parameter = () => ({
      value: 0,
      setValueAtTime: (value, at) => this.ramps.push({ kind, value, at }),
      linearRampToValueAtTime: (value, at) => this.ramps.push({ kind, value, at }),
      exponentialRampToValueAtTime: (value, at) =>
        this.ramps.push({ kind, value, at, exponential: true }),
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
  const player = new SoundPlayer({
    levelOf: () => (made.on === true ? 1 : Number(made.on)),
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
  Object.keys(SOUNDS).forEach((name) => player.play(name));
  player.waitForGesture();
  made.gesture();
  assert.equal(made.contexts, 0);
});

test("every sound has its parts, all of them end, and one context serves all", () => {
  for (const [name, parts] of Object.entries(SOUNDS)) {
    const tape = new Tape();
    const { player, made } = playerOn(tape);
    player.play(name);
    assert.equal(tape.started.length, parts.length, name);
    assert.equal(tape.stopped.length, parts.length, name);
    assert.ok(
      tape.started.every((at, index) => at >= 1 && tape.stopped[index] > at),
      name,
    );
    assert.equal(made.contexts, 1);
  }
});

test("sounds are short and quiet", () => {
  for (const [name, parts] of Object.entries(SOUNDS)) {
    const ends = parts.map(({ at, length }) => at + length);
    assert.ok(
      Math.max(...ends) <= (["end", "lost", "arrival"].includes(name) ? 1.1 : 0.6),
      `${name} is short`,
    );
    for (const part of parts) {
      assert.ok(part.gain > 0 && part.gain <= 0.5, `${name} is quiet`);
      assert.ok(part.attack < part.length && part.from > 0 && part.to > 0, name);
    }
  }
});

test("the contract's names are all there, and no other name is played", () => {
  for (const name of "own action shot thud capture seal reveal field low end lost".split(" "))
    assert.ok(name in SOUNDS);
  assert.throws(() => playerOn(new Tape()).player.play("fanfare"), RangeError);
});

test("a locked context isn't filled with sounds that would all be heard at once later", async () => {
  const tape = new Tape({ state: "suspended" });
  tape.locked = true;
  const { player, made } = playerOn(tape);
  player.waitForGesture();
  player.play("own");
  player.play("low");
  assert.deepEqual(tape.started, []);
  tape.locked = false;
  made.gesture();
  await null;
  made.gesture();
  assert.equal(made.listening, false);
  player.play("low");
  assert.equal(tape.started.length, SOUNDS.low.length);
});

test("switching sounds on is heard, switching them off is not", async () => {
  const tape = new Tape({ state: "suspended" });
  const { player, made } = playerOn(tape, { on: false });
  player.handleSettingChange();
  assert.equal(made.contexts, 0);
  made.on = true;
  player.handleSettingChange();
  await null;
  await null;
  assert.equal(tape.started.length, SOUNDS.own.length);
  player.handleSettingChange(); // another setting was changed
  made.on = false;
  player.handleSettingChange();
  await null;
  assert.equal(tape.started.length, SOUNDS.own.length);
});

test("the same sound isn't begun twice in one moment", () => {
  const tape = new Tape();
  const { player } = playerOn(tape);
  player.play("own");
  player.play("own");
  assert.equal(tape.started.length, SOUNDS.own.length);
  tape.currentTime += 0.5;
  player.play("own");
  assert.equal(tape.started.length, 2 * SOUNDS.own.length);
});

test("a sequence is heard at its times, also the same sound several times", () => {
  const tape = new Tape();
  const { player } = playerOn(tape);
  const cues = [0, 70, 140].map((at) => ({ name: "capture", at }));
  player.playAll([...cues, { name: "low", at: 500 }]);
  assert.equal(tape.started.length, 3 * SOUNDS.capture.length + SOUNDS.low.length);
  assert.ok(Math.abs(Math.max(...tape.started) - 1.5) < 0.01);
  player.playAll(cues); // the same news twice
  assert.equal(tape.started.length, 3 * SOUNDS.capture.length + SOUNDS.low.length);
});

test("a pitch moves a sound, a low volume makes it quieter", () => {
  const pitches = (pitch) => {
    const tape = new Tape();
    playerOn(tape).player.playAll([{ name: "field", at: 0, pitch }]);
    return tape.ramps.filter(({ kind, exponential }) => kind === "tone" && !exponential);
  };
  assert.equal(pitches(1.5)[0].value, 1.5 * pitches(1)[0].value);
  const levelWith = (on) => {
    const { player } = playerOn(new Tape(), { on });
    player.play("own");
    return player.output.gain.gain.value;
  };
  assert.equal(levelWith(0.35), 0.35 * levelWith(1));
});

test("a browser that forbids sound is asked again at the next gesture, and nothing breaks", async () => {
  const tape = new Tape({ state: "suspended" });
  tape.resume = () => Promise.reject(new DOMException("not allowed", "NotAllowedError"));
  const { player, made } = playerOn(tape);
  player.waitForGesture();
  player.playAll([{ name: "shot", at: 0 }]);
  made.gesture();
  await null;
  assert.deepEqual([tape.started, made.listening], [[], true]);
  player.handleSettingChange();
  await null;
  assert.deepEqual(tape.started, []);
});

test("where there is no Web Audio, nothing happens", () => {
  const { player } = playerOn(null);
  player.play("end");
  player.handleSettingChange();
});
