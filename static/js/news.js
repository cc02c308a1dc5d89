/** What waits for its reader, and which of that is news. Pure. */

/** The games that wait on other pages than the one at `path`. */
export function waitingElsewhere(rows, path) {
  return rows.filter(({ waits, is_game: isGame, url }) => waits && isGame && url !== path);
}

const COUNT = /^\(\d+\) /;

/** The page's title with the number of waiting games in front: "(2) Quiver". */
export function titled(title, count) {
  const bare = title.replace(COUNT, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}

/** Names a row as it waits now: the same game is news again with another turn only. */
export function newsKey({ id, turn }) {
  return `${id}:${turn}`;
}

/** Tells apart what has begun to wait since the last frame. */
export class News {
  constructor(rows) {
    this.waiting = new Set(rows.filter(({ waits }) => waits).map(({ id }) => id));
  }

  /** The rows that wait now and did not before. */
  take(rows) {
    const now = rows.filter(({ waits }) => waits);
    const fresh = now.filter(({ id }) => !this.waiting.has(id));
    this.waiting = new Set(now.map(({ id }) => id));
    return fresh;
  }
}
