/** What stands where at a moment: the server's board, the steps in the hand, and motion undone. */

import { marksOf } from "./geometry.js";
import { movesOf } from "./path.js";
import { runsOf, stepped } from "./jaws.js";

export const MARKS = { white: "W", black: "B" };
export const BURNT = "x";

export function sizeOf(view) {
  return { columns: view.width, rows: view.height };
}

/** Applies one step of a hand to `marks`: {marks, victims: [{square, mark}], runs}. */
export function afterStep(marks, { start, end, taken }, size) {
  const moved = stepped(marks, start, end);
  const victims = taken.map((square) => ({ square, mark: moved.get(square) }));
  const runs = taken.length === 0 ? [] : runsOf(moved, taken, size);
  taken.forEach((square) => moved.delete(square));
  return { marks: moved, victims, runs };
}

/** The board after every step in the hand: {marks, victims, runs, ends: where moved pieces stand}. */
export function afterHand(view, hand) {
  let stand = { marks: marksOf(view.board), victims: [], runs: [], ends: [] };
  for (const move of hand ? movesOf(hand) : []) {
    const after = afterStep(stand.marks, move, sizeOf(view));
    stand = {
      marks: after.marks,
      victims: [...stand.victims, ...after.victims],
      runs: [...stand.runs, ...after.runs],
      ends: [...stand.ends, move.end],
    };
  }
  return stand;
}

const UNDO = {
  slide(marks, effect) {
    const mark = marks.get(effect.end);
    if (mark === undefined) return;
    marks.delete(effect.end);
    marks.set(effect.start, mark);
  },
  place(marks, effect) {
    marks.delete(effect.at);
  },
  remove(marks, effect) {
    effect.squares.forEach((square) => marks.set(square, MARKS[effect.role]));
  },
};

const UNDERWAY = {
  slide(stand, { effect, move }) {
    const mark = stand.marks.get(effect.end);
    if (mark === undefined) return;
    stand.marks.delete(effect.end);
    stand.moving.push({ mark, start: effect.start, end: effect.end, move });
  },
  place(stand, phase) {
    if (phase.landed) stand.burning.set(phase.effect.at, phase);
    else {
      stand.marks.delete(phase.effect.at);
      stand.flights.set(phase.effect.at, phase.flight);
    }
  },
  remove(stand, phase) {
    stand.removing.push(phase);
  },
  raise(stand, { effect, lift }) {
    stand.lifts.set(effect.at, lift);
  },
  lower(stand, { effect, lift }) {
    stand.lifts.set(effect.at, lift);
  },
  refuse(stand, { effect, shift }) {
    stand.shifts.set(effect.at, shift);
  },
};

/**
 * The stand with the motion of a moment taken out of it: effects not yet begun are undone (from the
 * last one back), those under way are listed apart from the marks.
 */
export function standOf(view, hand, moment = []) {
  const stand = {
    ...afterHand(view, hand),
    moving: [],
    removing: [],
    flights: new Map(),
    burning: new Map(),
    lifts: new Map(),
    shifts: new Map(),
    unseen: new Set(),
  };
  for (const phase of [...moment].reverse()) {
    const { effect, begun, ended } = phase;
    if (!begun) {
      UNDO[effect.kind]?.(stand.marks, effect);
      stand.unseen.add(effect);
    } else if (!ended || phase.cool < 1) UNDERWAY[effect.kind](stand, phase);
  }
  return stand;
}
