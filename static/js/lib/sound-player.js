/**
 * Synthesize the site's sounds with Web Audio.
 *
 * Browsers let a page sound only after a click or a key: the click on the setting is one, and on a later
 * page the first. A sound is a list of parts, each one tone or one burst of noise; times are in seconds,
 * pitches in hertz, `gain` is the peak, `attack` the time to reach it; then it decays until `length`.
 */

const MAIN_GAIN = 0.5;

const SILENT_GAIN = 0.0001;

/** The same sound isn't begun twice within this time. */
const REPEAT_GUARD_MS = 250;

const UNLOCKING_EVENTS = ["pointerdown", "keydown"];

/** @param {AudioContext} context */
function makeNoise(context) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate / 2), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}

/**
 * @param {AudioParam} parameter
 * @param {{ from: number, to: number, length: number }} part
 * @param {number} start
 */
function glide(parameter, { from, to, length }, start) {
  parameter.setValueAtTime(from, start);
  parameter.exponentialRampToValueAtTime(to, start + length);
}

/** @type {Record<string, (context: AudioContext, part: SoundPart, start: number, noise: AudioBuffer) => { source: AudioScheduledSourceNode, last: AudioNode }>} */
const SOURCES = {
  tone(context, part, start) {
    const source = context.createOscillator();
    source.type = part.shape ?? "sine";
    glide(source.frequency, part, start);
    return { source, last: source };
  },
  noise(context, part, start, noise) {
    const source = context.createBufferSource();
    source.buffer = noise;
    source.loop = true;
    const filter = context.createBiquadFilter();
    filter.type = part.pass ?? "lowpass";
    filter.Q.value = part.q ?? 1;
    glide(filter.frequency, part, start);
    return { source, last: source.connect(filter) };
  },
};

/**
 * The player of sounds. `levelOf()`: how loud they are wanted, 0 is off; `makeContext()` is called at the first
 * sound after that, never before; `listen(kinds, listener)`: listens for a gesture.
 */
export class SoundPlayer {
  /** @param {PlayerOptions} options */
  constructor({ levelOf, makeContext, listen }) {
    this.wasOn = false;
    this.levelOf = levelOf;
    this.makeContext = makeContext;
    this.listen = listen;
    /** The way that sounds take, once one was wanted. @type {SoundOutput | null} */
    this.output = null;
    /** @type {Map<string, number>} */
    this.lastStarts = new Map();
  }

  isOn() {
    return this.levelOf() > 0;
  }

  /** Opens the way for sounds; during a click or a key press it succeeds. */
  unlock() {
    if (!this.isOn()) return;
    this.output ??= this.makeOutput();
    if (this.output === null) return;
    const { context } = this.output;
    if (context.state !== "running") context.resume().catch(() => {}); // not yet allowed
  }

  /**
   * Returns the output for sounds; null where the browser has no audio.
   *
   * @returns {SoundOutput | null}
   */
  makeOutput() {
    const context = this.makeContext();
    if (context === null) return null;
    const gain = context.createGain();
    gain.gain.value = MAIN_GAIN * this.levelOf();
    gain.connect(context.destination);
    return { context, gain, noise: makeNoise(context) };
  }

  /**
   * Plays a sound by its name (see the table below), if sounds are on and allowed; RangeError for others.
   *
   * @param {string} name
   */
  play(name) {
    this.playAll([{ name, at: 0 }]);
  }

  /**
   * Plays sounds, each `at` so many ms from now. A name that has just begun is left out as a whole.
   *
   * @param {SoundCue[]} cues
   */
  playAll(cues) {
    const unknown = cues.find(({ name }) => !(name in SOUNDS));
    if (unknown) throw new RangeError(`no sound is called ${unknown.name}`);
    if (!this.isOn()) return;
    this.unlock();
    const { output } = this;
    if (output?.context.state !== "running") return;
    const now = output.context.currentTime;
    output.gain.gain.value = MAIN_GAIN * this.levelOf();
    const fresh = cues.filter(({ name }) => {
      return now - (this.lastStarts.get(name) ?? -Infinity) >= REPEAT_GUARD_MS / 1000;
    });
    for (const { name, at, pitch = 1 } of fresh) {
      const start = now + at / 1000;
      this.lastStarts.set(name, now);
      for (const part of SOUNDS[name]) {
        const tuned = { ...part, from: part.from * pitch, to: part.to * pitch };
        this.startPart(output, tuned, start + part.at);
      }
    }
  }

  /**
   * @param {SoundOutput} output
   * @param {SoundPart} part
   * @param {number} start
   */
  startPart({ context, gain, noise }, part, start) {
    const { source, last } = SOURCES[part.kind](context, part, start, noise);
    const level = context.createGain();
    level.gain.setValueAtTime(SILENT_GAIN, start);
    level.gain.linearRampToValueAtTime(part.gain, start + part.attack);
    level.gain.exponentialRampToValueAtTime(SILENT_GAIN, start + part.length);
    last.connect(level).connect(gain);
    source.start(start);
    source.stop(start + part.length + 0.02);
  }

  /** Waits for the first gestures of this page, by which a browser lets it sound. */
  waitForGesture() {
    const stop = this.listen(UNLOCKING_EVENTS, () => {
      this.unlock();
      if (this.output?.context.state === "running") stop();
    });
  }

  /** The setting has changed: if to on, this very click unlocks, and is heard. */
  handleSettingChange() {
    const was = this.wasOn;
    this.wasOn = this.isOn();
    if (!this.wasOn || was) return;
    this.unlock();
    this.output?.context.resume().then(
      () => this.play("own"),
      () => {},
    );
  }
}

/** @type {(at: number, pitch: number, gain: number) => SoundPart[]} */
const tap = (at, pitch, gain) => [
  {
    kind: "tone",
    shape: "sine",
    from: pitch,
    to: pitch * 0.72,
    at,
    attack: 0.002,
    length: 0.09,
    gain,
  },
  {
    kind: "noise",
    pass: "bandpass",
    from: pitch * 5,
    to: pitch * 4,
    q: 1.2,
    at,
    attack: 0.001,
    length: 0.03,
    gain: gain * 0.7,
  },
];

/** @type {(at: number, pitch: number, gain: number, length: number) => SoundPart[]} */
const note = (at, pitch, gain, length) => [
  { kind: "tone", shape: "sine", from: pitch, to: pitch, at, attack: 0.006, length, gain },
  {
    kind: "tone",
    shape: "sine",
    from: pitch * 4,
    to: pitch * 4,
    at,
    attack: 0.002,
    length: length * 0.22,
    gain: gain * 0.12,
  },
];

/** @type {Readonly<Record<string, SoundPart[]>>} */
export const SOUNDS = Object.freeze({
  /** One's own piece is put down on wood. */
  own: tap(0, 250, 0.34),
  /** The other side's piece: lower, and a bar of wood that rings with it. */
  action: [...tap(0, 190, 0.36), ...note(0.03, 392, 0.1, 0.3)],
  /** A bowstring and the arrow's way. */
  shot: [
    {
      kind: "tone",
      shape: "triangle",
      from: 196,
      to: 147,
      at: 0,
      attack: 0.002,
      length: 0.12,
      gain: 0.2,
    },
    {
      kind: "tone",
      shape: "triangle",
      from: 393,
      to: 300,
      at: 0,
      attack: 0.002,
      length: 0.06,
      gain: 0.08,
    },
    {
      kind: "noise",
      pass: "bandpass",
      from: 2600,
      to: 900,
      q: 0.8,
      at: 0.02,
      attack: 0.05,
      length: 0.14,
      gain: 0.06,
    },
  ],
  /** The thud of the arrow. */
  thud: [
    {
      kind: "tone",
      shape: "sine",
      from: 118,
      to: 62,
      at: 0,
      attack: 0.003,
      length: 0.16,
      gain: 0.4,
    },
    {
      kind: "noise",
      pass: "lowpass",
      from: 900,
      to: 300,
      q: 0.7,
      at: 0,
      attack: 0.001,
      length: 0.05,
      gain: 0.2,
    },
  ],
  /** Jaws that close on one piece: two short clicks. */
  capture: [
    {
      kind: "noise",
      pass: "bandpass",
      from: 2100,
      to: 1800,
      q: 4,
      at: 0,
      attack: 0.001,
      length: 0.025,
      gain: 0.4,
    },
    {
      kind: "noise",
      pass: "bandpass",
      from: 1300,
      to: 1000,
      q: 4,
      at: 0.055,
      attack: 0.001,
      length: 0.045,
      gain: 0.5,
    },
    ...tap(0.055, 175, 0.22),
  ],
  /** Wax under a seal. */
  seal: [
    {
      kind: "noise",
      pass: "lowpass",
      from: 700,
      to: 240,
      q: 0.7,
      at: 0,
      attack: 0.03,
      length: 0.16,
      gain: 0.2,
    },
    {
      kind: "tone",
      shape: "sine",
      from: 130,
      to: 85,
      at: 0.05,
      attack: 0.01,
      length: 0.16,
      gain: 0.26,
    },
  ],
  /** Wax that breaks, and paper. */
  reveal: [
    {
      kind: "noise",
      pass: "bandpass",
      from: 1500,
      to: 1200,
      q: 3,
      at: 0,
      attack: 0.001,
      length: 0.03,
      gain: 0.35,
    },
    {
      kind: "noise",
      pass: "highpass",
      from: 2400,
      to: 4200,
      q: 0.6,
      at: 0.06,
      attack: 0.07,
      length: 0.2,
      gain: 0.05,
    },
  ],
  /** Somebody has arrived: two bells, the second higher. */
  arrival: [...note(0, 523.3, 0.2, 0.7), ...note(0.16, 784, 0.2, 0.9)],
  /** A field opens: one tone, higher for each. */
  field: note(0, 392, 0.14, 0.34),
  /** Little time is left: one tick. */
  low: [
    {
      kind: "noise",
      pass: "bandpass",
      from: 1900,
      to: 1700,
      q: 6,
      at: 0,
      attack: 0.001,
      length: 0.03,
      gain: 0.4,
    },
    {
      kind: "tone",
      shape: "sine",
      from: 950,
      to: 900,
      at: 0,
      attack: 0.001,
      length: 0.04,
      gain: 0.1,
    },
  ],
  /** The game is over: an open chord, one tone after the other. */
  end: [
    ...note(0, 220, 0.16, 0.9),
    ...note(0.09, 329.6, 0.13, 0.85),
    ...note(0.18, 440, 0.12, 0.8),
    ...note(0.27, 554.4, 0.09, 0.75),
  ],
  /** The same in minor, for the loser. */
  lost: [
    ...note(0, 220, 0.16, 0.9),
    ...note(0.09, 329.6, 0.13, 0.85),
    ...note(0.18, 440, 0.12, 0.8),
    ...note(0.27, 523.3, 0.09, 0.75),
  ],
});
