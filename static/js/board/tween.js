/**
 * Motion as arithmetic: which effects move when, and how far each one is at a moment. Pure.
 *
 * Times are milliseconds from the start of a timeline. Nothing here reads a clock or draws.
 */

import { distance } from "../drawing/geometry.js";
import { required } from "../lib/required.js";
import { heldPiece, movesOf, wordAt } from "./path-draft.js";

export const DURATIONS_MS = {
  raise: 90,
  lower: 90,
  /** @param {number} squares */
  slide: (squares) => Math.min(320, 162 + 18 * squares),
  /** @param {number} squares */
  flight: (squares) => Math.min(360, 158 + 22 * squares),
  burn: { grow: 160, seams: 120, edge: 140 },
  cool: 900,
  remove: { close: 160, bite: 60, fall: 200 },
  refuse: 160,
  trap: { bow: 300, flash: 480 },
};

const BURN = DURATIONS_MS.burn.grow + DURATIONS_MS.burn.seams + DURATIONS_MS.burn.edge;

const REMOVE = DURATIONS_MS.remove.close + DURATIONS_MS.remove.bite + DURATIONS_MS.remove.fall;

/**
 * A CSS cubic-bezier easing as a function of 0…1.
 *
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
export function bezier(x1, y1, x2, y2) {
  /**
   * @param {number} a
   * @param {number} b
   * @param {number} t
   */
  const curve = (a, b, t) => ((1 + 3 * a - 3 * b) * t + 3 * b - 6 * a) * t * t + 3 * a * t;
  return (/** @type {number} */ x) => {
    let [low, high] = [0, 1];
    for (let round = 0; round < 20; round += 1) {
      const middle = (low + high) / 2;
      if (curve(x1, x2, middle) < x) low = middle;
      else high = middle;
    }
    return x <= 0 ? 0 : x >= 1 ? 1 : curve(y1, y2, (low + high) / 2);
  };
}

/** @type {Record<string, (x: number) => number>} */
export const EASE = {
  out: bezier(0.2, 0.7, 0.2, 1),
  /** @param {number} x */
  in: (x) => x * x,
  inOut: bezier(0.45, 0, 0.55, 1),
  /** @param {number} x */
  linear: (x) => x,
};

/** @param {number} x */
const clamp = (x) => Math.min(1, Math.max(0, x));

/**
 * Returns how far `time` is between two moments: 0 before, 1 after.
 *
 * @param {number} time
 * @param {number} from
 * @param {number} until
 */
export function share(time, from, until) {
  if (time >= until) return 1;
  return time <= from ? 0 : clamp((time - from) / (until - from));
}

/**
 * Each kind: the parts that an effect takes, as [kind, length], and how long the next one waits.
 *
 * @type {{ [K in Exclude<MotionKind, "count">]: (effect: MotionOf<K>, options: { slides: boolean }) => PartTiming }}
 */
const PARTS = {
  slide: (effect, { slides }) => ({
    length: slides ? DURATIONS_MS.slide(distance(effect.start, effect.end)) : 0,
  }),
  place: (effect) => {
    const flight = DURATIONS_MS.flight(distance(effect.start, effect.at));
    return { length: flight + BURN, flight, tail: DURATIONS_MS.cool - BURN };
  },
  remove: () => ({ length: REMOVE }),
  raise: () => ({ length: DURATIONS_MS.raise }),
  lower: () => ({ length: DURATIONS_MS.lower }),
  refuse: () => ({ length: DURATIONS_MS.refuse }),
  trap: () => ({ length: DURATIONS_MS.trap.bow + DURATIONS_MS.trap.flash }),
};

/**
 * @param {Motion} effect
 * @param {boolean} slides
 * @returns {PartTiming}
 */
function timingOf(effect, slides) {
  /** @type {Record<string, (effect: never, options: { slides: boolean }) => PartTiming>} */
  const table = PARTS;
  return table[effect.kind](/** @type {never} */ (effect), { slides }); // chosen by its kind
}

/**
 * The timeline of some steps, one effect after the other; all removals of a step at one moment.
 * `slides: false` leaves out the slides, for a turn whose steps the draft has already shown.
 * Effects without motion ("count") are left out.
 *
 * @param {{ effects: Motion[] }[]} steps
 * @param {{ slides?: boolean }} [options]
 */
export function timelineOf(steps, { slides = true } = {}) {
  const parts = [];
  let [now, length] = [0, 0];
  for (const { effects } of steps) {
    /** @type {number | null} */
    let removal = null;
    for (const effect of effects.filter(({ kind }) => kind in PARTS)) {
      const { tail = 0, ...timing } = timingOf(effect, slides);
      /** @type {number} */
      const from = effect.kind === "remove" ? (removal ?? now) : now;
      if (effect.kind === "remove") removal = from;
      now = from + timing.length;
      parts.push({ ...timing, effect, from, until: now });
      length = Math.max(length, now + tail);
    }
  }
  return { parts, length };
}

/** @type {{ [K in Exclude<MotionKind, "count">]: (part: TimelinePart<MotionOf<K>>, time: number) => Measures }} */
const MOMENTS = {
  slide: (part, time) => ({ move: EASE.out(share(time, part.from, part.until)) }),
  place: (part, time) => {
    const landed = part.from + (part.flight ?? 0);
    const { grow, seams, edge } = DURATIONS_MS.burn;
    return {
      flight: EASE.in(share(time, part.from, landed)),
      landed: time >= landed,
      grow: EASE.out(share(time, landed, landed + grow)),
      seams: EASE.out(share(time, landed + grow, landed + grow + seams)),
      edge: EASE.out(share(time, landed + grow + seams, landed + grow + seams + edge)),
      cool: share(time, landed, landed + DURATIONS_MS.cool),
    };
  },
  remove: (part, time) => {
    const { close, bite } = DURATIONS_MS.remove;
    const closed = part.from + close;
    return {
      close: EASE.in(share(time, part.from, closed)),
      bite: share(time, closed, closed + bite),
      fade: EASE.in(share(time, closed + bite, part.until)),
    };
  },
  raise: (part, time) => ({ lift: EASE.out(share(time, part.from, part.until)) }),
  lower: (part, time) => ({ lift: 1 - EASE.out(share(time, part.from, part.until)) }),
  refuse: (part, time) => {
    const step = share(time, part.from, part.until);
    return { shift: 3 * Math.sin(step * 4 * Math.PI) };
  },
  trap: (part, time) => {
    const bowed = part.from + DURATIONS_MS.trap.bow;
    return {
      bow: EASE.out(share(time, part.from, bowed)),
      flash: Math.sin(Math.PI * share(time, bowed, part.until)),
    };
  },
};

/**
 * @param {TimelinePart} part
 * @param {number} time
 * @returns {Measures}
 */
function measuresOf(part, time) {
  /** @type {Record<string, (part: never, time: number) => Measures>} */
  const table = MOMENTS;
  return table[part.effect.kind](/** @type {never} */ (part), time);
}

/**
 * Returns the state of each part at `time`: {effect, begun, ended} and its own measures (0…1).
 * `ended` for an arrow means that burn and cooling are over.
 *
 * @param {Timeline} timeline
 * @param {number} time
 */
export function momentOf(timeline, time) {
  return timeline.parts.map((part) => ({
    effect: part.effect,
    begun: time >= part.from,
    ended: time >= part.until,
    ...measuresOf(part, time),
  }));
}

/** Sideways movement of the board when jaws bite, in CSS pixels. */
const BITE_SHIFT_PX = 2;

/**
 * Returns how far the whole board stands to the right at a moment, in CSS pixels.
 *
 * @param {Phase[]} moment
 */
export function boardShift(moment) {
  const bite = moment.find((phase) => phase.bite !== undefined && phase.bite > 0 && phase.bite < 1);
  return bite ? BITE_SHIFT_PX * Math.sin(required(bite.bite, "a bite") * 2 * Math.PI) : 0;
}

/** @param {...(Motion | PieceMove)} effects */
const oneStepTimeline = (...effects) => timelineOf([{ effects }]);

/**
 * A piece is raised, laid down, or slides by the newest step; null if nothing moves.
 *
 * @param {Draft} before
 * @param {Draft} draft
 */
export function draftMotion(before, draft) {
  const [was, held] = [heldPiece(before), heldPiece(draft)];
  if (held !== null) return oneStepTimeline({ kind: "raise", at: held });
  const index = draft.path.length - 1;
  const forward = draft.path.length > before.path.length;
  if (!forward) return was === null ? null : oneStepTimeline({ kind: "lower", at: was });
  if (!wordAt(draft, index).startsWith("to")) return null;
  const move = movesOf(draft).at(-1);
  return move ? oneStepTimeline({ kind: "slide", start: move.start, end: move.end }) : null;
}

/**
 * Shake the piece on a square: it cannot be chosen now.
 *
 * @param {Square} at
 */
export const refusedTap = (at) => oneStepTimeline({ kind: "refuse", at });

/**
 * The pieces of a refused turn slide back, the last of them shakes.
 *
 * @param {DraftMove[]} moves
 */
export function refusalMotion(moves) {
  const back = [...moves].reverse();
  /** @type {Motion[]} */
  const slides = back.map(({ start, end }) => ({ kind: "slide", start: end, end: start }));
  /** @type {Motion[]} */
  const shakes = back.slice(-1).map(({ start }) => ({ kind: "refuse", at: start }));
  return timelineOf([{ effects: [...slides, ...shakes] }]);
}
