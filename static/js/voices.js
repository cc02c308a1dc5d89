/**
 * The sounds as data: each is a few parts, each part one tone or one breath of noise. Seconds, hertz;
 * `gain` is the loudest moment, `attack` how fast it comes; then it dies away until `length`. Pure.
 */

const tap = (at, pitch, gain) => [
  { kind: "tone", shape: "sine", from: pitch, to: pitch * 0.72, at, attack: 0.002, length: 0.09, gain },
  { kind: "noise", pass: "bandpass", from: pitch * 5, to: pitch * 4, q: 1.2, at, attack: 0.001, length: 0.03, gain: gain * 0.7 },
];

const note = (at, pitch, gain, length) => [
  { kind: "tone", shape: "sine", from: pitch, to: pitch, at, attack: 0.006, length, gain },
  { kind: "tone", shape: "sine", from: pitch * 4, to: pitch * 4, at, attack: 0.002, length: length * 0.22, gain: gain * 0.12 },
];

export const VOICES = Object.freeze({
  /** One's own piece is put down on wood. */
  own: tap(0, 250, 0.34),
  /** The other side's piece: lower, and a bar of wood that rings with it. */
  action: [...tap(0, 190, 0.36), ...note(0.03, 392, 0.1, 0.3)],
  /** A bowstring, the arrow's way, and the thud. */
  shot: [
    { kind: "tone", shape: "triangle", from: 196, to: 147, at: 0, attack: 0.002, length: 0.12, gain: 0.2 },
    { kind: "tone", shape: "triangle", from: 393, to: 300, at: 0, attack: 0.002, length: 0.06, gain: 0.08 },
    { kind: "noise", pass: "bandpass", from: 2600, to: 900, q: 0.8, at: 0.02, attack: 0.05, length: 0.14, gain: 0.06 },
    { kind: "tone", shape: "sine", from: 118, to: 62, at: 0.16, attack: 0.003, length: 0.16, gain: 0.4 },
    { kind: "noise", pass: "lowpass", from: 900, to: 300, q: 0.7, at: 0.16, attack: 0.001, length: 0.05, gain: 0.2 },
  ],
  /** Jaws that close: two short clicks. */
  capture: [
    { kind: "noise", pass: "bandpass", from: 2100, to: 1800, q: 4, at: 0, attack: 0.001, length: 0.025, gain: 0.4 },
    { kind: "noise", pass: "bandpass", from: 1300, to: 1000, q: 4, at: 0.055, attack: 0.001, length: 0.045, gain: 0.5 },
    ...tap(0.055, 175, 0.22),
  ],
  /** Wax under a seal. */
  seal: [
    { kind: "noise", pass: "lowpass", from: 700, to: 240, q: 0.7, at: 0, attack: 0.03, length: 0.16, gain: 0.2 },
    { kind: "tone", shape: "sine", from: 130, to: 85, at: 0.05, attack: 0.01, length: 0.16, gain: 0.26 },
  ],
  /** Wax that breaks, and paper. */
  reveal: [
    { kind: "noise", pass: "bandpass", from: 1500, to: 1200, q: 3, at: 0, attack: 0.001, length: 0.03, gain: 0.35 },
    { kind: "noise", pass: "highpass", from: 2400, to: 4200, q: 0.6, at: 0.06, attack: 0.07, length: 0.2, gain: 0.05 },
    ...note(0.2, 523.3, 0.12, 0.3),
  ],
  /** Little time is left: one tick. */
  low: [
    { kind: "noise", pass: "bandpass", from: 1900, to: 1700, q: 6, at: 0, attack: 0.001, length: 0.03, gain: 0.4 },
    { kind: "tone", shape: "sine", from: 950, to: 900, at: 0, attack: 0.001, length: 0.04, gain: 0.1 },
  ],
  /** The game is over: an open chord, one tone after the other. */
  end: [
    ...note(0, 220, 0.16, 0.9),
    ...note(0.09, 329.6, 0.13, 0.85),
    ...note(0.18, 440, 0.12, 0.8),
    ...note(0.27, 554.4, 0.09, 0.75),
  ],
});
