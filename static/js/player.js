/**
 * Plays sounds by Web Audio. Browsers let a page sound only after a click or a key: the click on the
 * setting is one, and on a later page the first.
 */

import { VOICES } from "./voices.js";

const LOUDNESS = 0.5;
const SILENCE = 0.0001;
const AGAIN = 250; // ms in which the same sound isn't begun twice
const GESTURES = ["pointerdown", "keydown"];

function breath(context) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate / 2), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}

function glide(parameter, { from, to, length }, start) {
  parameter.setValueAtTime(from, start);
  parameter.exponentialRampToValueAtTime(to, start + length);
}

const SOURCES = {
  tone(context, part, start) {
    const source = context.createOscillator();
    source.type = part.shape;
    glide(source.frequency, part, start);
    return { source, last: source };
  },
  noise(context, part, start, noise) {
    const source = context.createBufferSource();
    source.buffer = noise;
    source.loop = true;
    const filter = context.createBiquadFilter();
    filter.type = part.pass;
    filter.Q.value = part.q;
    glide(filter.frequency, part, start);
    return { source, last: source.connect(filter) };
  },
};

/**
 * The player of sounds. `isOn()`: whether they are wanted; `makeContext()` is called at the first
 * sound after that, never before; `listen(kinds, listener)`: listens for a gesture.
 */
export class Player {
  constructor({ isOn, makeContext, listen }) {
    Object.assign(this, { isOn, makeContext, listen });
    this.context = null;
    this.begun = new Map();
  }

  /** Opens the way for sounds; during a click or a key press it succeeds. */
  unlock() {
    if (!this.isOn()) return;
    if (this.context === null) {
      this.context = this.makeContext();
      if (this.context === null) return;
      this.noise = breath(this.context);
      this.out = this.context.createGain();
      this.out.gain.value = LOUDNESS;
      this.out.connect(this.context.destination);
    }
    if (this.context.state !== "running") this.context.resume().catch(() => {}); // not yet allowed
  }

  /** Plays a sound by its name (see voices.js), if sounds are on and allowed; RangeError for others. */
  play(name) {
    if (!(name in VOICES)) throw new RangeError(`no sound is called ${name}`);
    if (!this.isOn()) return;
    this.unlock();
    if (this.context?.state !== "running") return;
    const now = this.context.currentTime;
    if (now - (this.begun.get(name) ?? -Infinity) < AGAIN / 1000) return;
    this.begun.set(name, now);
    VOICES[name].forEach((part) => this.voice(part, now + part.at));
  }

  voice(part, start) {
    const { source, last } = SOURCES[part.kind](this.context, part, start, this.noise);
    const level = this.context.createGain();
    level.gain.setValueAtTime(SILENCE, start);
    level.gain.linearRampToValueAtTime(part.gain, start + part.attack);
    level.gain.exponentialRampToValueAtTime(SILENCE, start + part.length);
    last.connect(level).connect(this.out);
    source.start(start);
    source.stop(start + part.length + 0.02);
  }

  /** Waits for the first gestures of this page, by which a browser lets it sound. */
  await() {
    const stop = this.listen(GESTURES, () => {
      this.unlock();
      if (this.context?.state === "running") stop();
    });
  }

  /** The setting has changed: if to on, this very click unlocks, and is heard. */
  changed() {
    const was = this.wasOn ?? false;
    this.wasOn = this.isOn();
    if (!this.wasOn || was) return;
    this.unlock();
    this.context?.resume().then(() => this.play("own"), () => {});
  }
}
