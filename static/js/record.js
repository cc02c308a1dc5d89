/** The resolved turns that the page knows. They never change; gaps are fetched by number. */

import { burnsOf } from "./replay/past.js";

export class Record {
  constructor(turns = []) {
    this.turns = new Map();
    this.add(turns);
  }

  /** Takes turns in; gives those that were new, in order. A turn told again may bring its view. */
  add(turns) {
    const fresh = turns.filter(({ n }) => !this.turns.has(n));
    turns.forEach((turn) => this.turns.set(turn.n, { ...this.turns.get(turn.n), ...turn }));
    return fresh.sort((a, b) => a.n - b.n);
  }

  /** Forgets the turns from number `n` on: they were taken back. */
  cut(n) {
    for (const number of [...this.turns.keys()]) if (number >= n) this.turns.delete(number);
  }

  all() {
    return [...this.turns.values()].sort((a, b) => a.n - b.n);
  }

  /** The number of the first turn that is missing before `count` turns; null if none is. */
  gap(count) {
    if (this.turns.size >= count) return null;
    for (let n = 0; n < count; n += 1) if (!this.turns.has(n)) return n;
    return null;
  }

  /** The number of the first turn before `count` whose position isn't known; null if all are. */
  blank(count) {
    for (let n = 0; n < count; n += 1) if (!this.turns.get(n)?.view) return n;
    return null;
  }

  /** Burnt squares, oldest first. */
  burns() {
    return burnsOf(this.all());
  }

  /** The goes: [{go, role, turns}], in order. */
  goes() {
    const goes = [];
    for (const turn of this.all()) {
      const newest = goes.at(-1);
      const same = newest && newest.go === turn.go && newest.role === turn.role;
      if (same) newest.turns.push(turn);
      else goes.push({ go: turn.go, role: turn.role, turns: [turn] });
    }
    return goes;
  }
}
