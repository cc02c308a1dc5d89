/**
 * The resolved steps that the page knows, fetched by number where they are missing.
 *
 * Resolved steps never change. Past positions are read from them.
 */

export class GameRecord {
  /** @param {Wire.ResolvedStep[]} [steps] */
  constructor(steps = []) {
    /** @type {Map<number, Wire.ResolvedStep>} */
    this.steps = new Map();
    /** The record is outdated after a takeback: it is fetched anew. */
    this.isOld = false;
    /** The view before the first step, once it has been fetched. @type {Wire.View | null | undefined} */
    this.start = undefined;
    this.add(steps);
  }

  /**
   * Takes turns in; returns those that were new, in order. A step told again may bring its view.
   *
   * @param {Wire.ResolvedStep[]} steps
   */
  add(steps) {
    const fresh = steps.filter(({ n }) => !this.steps.has(n));
    steps.forEach((step) => this.steps.set(step.n, { ...this.steps.get(step.n), ...step }));
    return fresh.sort((a, b) => a.n - b.n);
  }

  /**
   * Forgets the steps from number `n` on: they were taken back.
   *
   * @param {number} n
   */
  cut(n) {
    for (const number of [...this.steps.keys()]) if (number >= n) this.steps.delete(number);
  }

  all() {
    return [...this.steps.values()].sort((a, b) => a.n - b.n);
  }

  /**
   * The number of the first step that is missing before `count` steps; null if none is.
   *
   * @param {number} count
   */
  firstGap(count) {
    if (this.steps.size >= count) return null;
    for (let n = 0; n < count; n += 1) if (!this.steps.has(n)) return n;
    return null;
  }

  /**
   * The number of the first step before `count` whose position isn't known; null if all are.
   *
   * @param {number} count
   */
  firstWithoutView(count) {
    for (let n = 0; n < count; n += 1) if (!this.steps.get(n)?.view) return n;
    return null;
  }

  /** Burnt squares, oldest first. */
  burns() {
    return burntSquares(this.all());
  }

  /** The turns: [{turn, role, steps}], in order. */
  turns() {
    /** @type {Turn[]} */
    const turns = [];
    for (const step of this.all()) {
      const newest = turns.at(-1);
      const same = newest && newest.turn === step.turn && newest.role === step.role;
      if (same) newest.steps.push(step);
      else turns.push({ turn: step.turn, role: step.role, steps: [step] });
    }
    return turns;
  }
}

/**
 * The first step that is missing; `views`: or whose position is. Null if all are known.
 *
 * @param {GameRecord} record
 * @param {Wire.Snapshot} snapshot
 * @param {boolean} views
 */
export function firstMissing(record, snapshot, views) {
  if (record.isOld || (views && !record.start)) return 0;
  return views ? record.firstWithoutView(snapshot.step) : record.firstGap(snapshot.step);
}

export class StepFetcher {
  /**
   * `game` has the record and the newest snapshot; `onSteps()` is called when the record has grown.
   *
   * @param {{ record: GameRecord, snapshot: Wire.Snapshot }} game
   * @param {() => void} onSteps
   */
  constructor(game, onSteps) {
    this.game = game;
    this.onSteps = onSteps;
    /** The fetch that is under way. @type {Promise<boolean> | null} */
    this.running = null;
  }

  /**
   * Fills the record, with positions if `views`; returns whether all are known then.
   *
   * @param {boolean} [views]
   */
  async fill(views = false) {
    const { record } = this.game;
    const from = firstMissing(record, this.game.snapshot, views);
    if (from === null) return true;
    this.running ??= this.fetchFrom(from).finally(() => {
      this.running = null;
    });
    return (await this.running) && firstMissing(record, this.game.snapshot, views) === null;
  }

  /** @param {number} from */
  async fetchFrom(from) {
    const { record, snapshot } = this.game;
    try {
      const answer = await fetch(`steps?from=${from}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return false;
      const { steps, start } = await answer.json();
      if ((snapshot.takebacks ?? 0) !== (this.game.snapshot.takebacks ?? 0)) return false;
      if (record.isOld) record.cut(0);
      record.isOld = false;
      record.start = start ?? record.start;
      record.add(steps);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network: the next snapshot asks again
      return false;
    }
    this.onSteps();
    return true;
  }
}

/** @param {Wire.ResolvedStep} step */
const textOf = ({ role, text }) => text[role] ?? "";

/**
 * Returns the notation of a turn: "d1-d7/g7", "a5-b5 a7-a6", for Blotto both splits.
 *
 * @param {Pick<Turn, "steps">} turn
 * @param {string} key
 */
export function turnText({ steps }, key) {
  if (key === "pincer") return steps.map(textOf).join(" ");
  if (key !== "blotto") return steps.map(textOf).join("");
  return steps.map(({ text }) => `${text.white} – ${text.black}`).join(" ");
}

/**
 * Burnt squares of some steps, oldest first.
 *
 * @param {Wire.ResolvedStep[]} steps
 */
export function burntSquares(steps) {
  return steps.flatMap(({ effects }) =>
    effects
      .filter(({ kind }) => kind === "place")
      .map((effect) => /** @type {Wire.Place} */ (effect).at),
  );
}

/**
 * The position after `turn` turns: {view, last: steps of the newest turn, burns}. `turns` as of a Record
 * whose steps bring their views, `start` is the view before the first. Null if a view is missing.
 *
 * @param {Turn[]} turns
 * @param {Wire.View | null | undefined} start
 * @param {number} turn
 */
export function pastPosition(turns, start, turn) {
  const played = turns.slice(0, turn);
  const last = played.at(-1)?.steps ?? [];
  const view = turn === 0 ? start : last.at(-1)?.view;
  if (!view) return null;
  return { view, last, burns: burntSquares(played.flatMap(({ steps }) => steps)) };
}
