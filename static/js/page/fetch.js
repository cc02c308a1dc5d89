/** Fetches turns of a game that the page does not know; resolved turns never change. */

/** The first turn that is missing; `views`: or whose position is. Null if all are known. */
export function missing(record, snapshot, views) {
  if (record.isOld || (views && !record.start)) return 0;
  return views ? record.blank(snapshot.turn) : record.gap(snapshot.turn);
}

export class Fetcher {
  /** `game` has the record and the newest snapshot; `onTurns()` is called when the record has grown. */
  constructor(game, onTurns) {
    Object.assign(this, { game, onTurns });
    this.under = null; // the fetch that is under way
  }

  /** Fills the record, with positions if `views`; tells whether all are known then. */
  async fill(views = false) {
    const { record } = this.game;
    const from = missing(record, this.game.snapshot, views);
    if (from === null) return true;
    this.under ??= this.take(from).finally(() => {
      this.under = null;
    });
    return (await this.under) && missing(record, this.game.snapshot, views) === null;
  }

  async take(from) {
    const { record, snapshot } = this.game;
    try {
      const answer = await fetch(`turns?from=${from}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return false;
      const { turns, start } = await answer.json();
      if ((snapshot.takebacks ?? 0) !== (this.game.snapshot.takebacks ?? 0)) return false;
      if (record.isOld) record.cut(0);
      record.isOld = false;
      record.start = start ?? record.start;
      record.add(turns);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network: the next snapshot asks again
      return false;
    }
    this.onTurns();
    return true;
  }
}
