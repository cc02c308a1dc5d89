/** The resolved turns that the page knows. They never change; gaps are fetched by number. */

export class Record {
  constructor(turns = []) {
    this.turns = new Map();
    this.add(turns);
  }

  /** Takes turns in; gives those that were new, in order. */
  add(turns) {
    const fresh = turns.filter(({ n }) => !this.turns.has(n));
    fresh.forEach((turn) => this.turns.set(turn.n, turn));
    return fresh.sort((a, b) => a.n - b.n);
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

  /** Burnt squares, oldest first. */
  burns() {
    return this.all().flatMap(({ effects }) =>
      effects.filter(({ kind }) => kind === "place").map(({ at }) => at),
    );
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
