/**
 * Motion as arithmetic: which effects move when, and how far each one is at a moment. Times are
 * milliseconds from the start of a timeline. Nothing here reads a clock or draws.
 */

import { distance } from "./geometry.js";

export const LENGTHS = {
  raise: 90,
  lower: 90,
  slide: (squares) => Math.min(280, 140 + 18 * squares),
  flight: (squares) => Math.min(260, 90 + 22 * squares),
  burn: { grow: 160, seams: 120, edge: 140 },
  cool: 900,
  remove: { close: 100, hold: 40, fade: 80 },
  refuse: 160,
};

const BURN = LENGTHS.burn.grow + LENGTHS.burn.seams + LENGTHS.burn.edge;
const REMOVE = LENGTHS.remove.close + LENGTHS.remove.hold + LENGTHS.remove.fade;

/** A CSS cubic-bezier easing as a function of 0…1. */
export function bezier(x1, y1, x2, y2) {
  const curve = (a, b, t) => ((1 + 3 * a - 3 * b) * t + 3 * b - 6 * a) * t * t + 3 * a * t;
  return (x) => {
    let [low, high] = [0, 1];
    for (let round = 0; round < 20; round += 1) {
      const middle = (low + high) / 2;
      if (curve(x1, x2, middle) < x) low = middle;
      else high = middle;
    }
    return x <= 0 ? 0 : x >= 1 ? 1 : curve(y1, y2, (low + high) / 2);
  };
}

export const EASE = {
  out: bezier(0.2, 0.7, 0.2, 1),
  in: (x) => x * x,
  inOut: bezier(0.45, 0, 0.55, 1),
  linear: (x) => x,
};

const clamp = (x) => Math.min(1, Math.max(0, x));

/** How far `time` is between two moments: 0 before, 1 after. */
export function share(time, from, until) {
  if (time >= until) return 1;
  return time <= from ? 0 : clamp((time - from) / (until - from));
}

/** Each kind: the parts that an effect takes, as [kind, length], and how long the next one waits. */
const PARTS = {
  slide: (effect, { slides }) => ({
    length: slides ? LENGTHS.slide(distance(effect.start, effect.end)) : 0,
  }),
  place: (effect) => {
    const flight = LENGTHS.flight(distance(effect.start, effect.at));
    return { length: flight + BURN, flight, tail: LENGTHS.cool - BURN };
  },
  remove: () => ({ length: REMOVE }),
  raise: () => ({ length: LENGTHS.raise }),
  lower: () => ({ length: LENGTHS.lower }),
  refuse: () => ({ length: LENGTHS.refuse }),
};

/**
 * The timeline of some turns, one effect after the other; all removals of a turn at one moment.
 * `slides: false` leaves out the slides, for a go whose steps the hand has already shown.
 * Effects without motion ("count") are left out.
 */
export function timelineOf(turns, { slides = true } = {}) {
  const parts = [];
  let [now, length] = [0, 0];
  for (const { effects } of turns) {
    let removal = null;
    for (const effect of effects.filter(({ kind }) => kind in PARTS)) {
      const { tail = 0, ...timing } = PARTS[effect.kind](effect, { slides });
      const from = effect.kind === "remove" ? (removal ?? now) : now;
      if (effect.kind === "remove") removal = from;
      now = from + timing.length;
      parts.push({ ...timing, effect, from, until: now });
      length = Math.max(length, now + tail);
    }
  }
  return { parts, length };
}

const MOMENTS = {
  slide: (part, time) => ({ move: EASE.out(share(time, part.from, part.until)) }),
  place: (part, time) => {
    const landed = part.from + part.flight;
    const { grow, seams, edge } = LENGTHS.burn;
    return {
      flight: EASE.in(share(time, part.from, landed)),
      landed: time >= landed,
      grow: EASE.out(share(time, landed, landed + grow)),
      seams: EASE.out(share(time, landed + grow, landed + grow + seams)),
      edge: EASE.out(share(time, landed + grow + seams, landed + grow + seams + edge)),
      cool: share(time, landed, landed + LENGTHS.cool),
    };
  },
  remove: (part, time) => {
    const { close, hold } = LENGTHS.remove;
    const closed = part.from + close;
    return {
      close: EASE.in(share(time, part.from, closed)),
      fade: EASE.out(share(time, closed + hold, part.until)),
    };
  },
  raise: (part, time) => ({ lift: EASE.out(share(time, part.from, part.until)) }),
  lower: (part, time) => ({ lift: 1 - EASE.out(share(time, part.from, part.until)) }),
  refuse: (part, time) => {
    const turn = share(time, part.from, part.until);
    return { shift: 3 * Math.sin(turn * 4 * Math.PI) };
  },
};

/**
 * What is going on at `time`: for each part {effect, begun, ended} and its own measures (0…1).
 * `ended` for an arrow means that burn and cooling are over.
 */
export function momentOf(timeline, time) {
  return timeline.parts.map((part) => ({
    effect: part.effect,
    begun: time >= part.from,
    ended: time >= part.until,
    ...MOMENTS[part.effect.kind](part, time),
  }));
}
