/**
 * Where one looks in a game: at the newest go, or back at an earlier one. A frozen value {at, count,
 * seen}: `at` is the number of goes played in what is shown, null while the newest is followed;
 * `count` is the number of goes that there are; `seen` how many there were when one began to look
 * back. Pure.
 */

const value = (at, count, seen) => Object.freeze({ at, count, seen });

export function follow(count) {
  return value(null, count, count);
}

export const isBack = ({ at }) => at !== null;

/** The number of goes played in what is shown. */
export const shownOf = ({ at, count }) => at ?? count;

/** How many goes have been played since one began to look back. */
export const newsOf = ({ at, count, seen }) => (at === null ? 0 : Math.max(0, count - seen));

/** Looks at the position after `go` goes; at the last one it follows the game again. */
export function lookAt(view, go) {
  const { count, seen } = view;
  const bounded = Math.max(0, Math.min(count, go));
  if (bounded === count) return follow(count);
  return value(bounded, count, isBack(view) ? seen : count);
}

export const STEPS = {
  first: (view) => lookAt(view, 0),
  back: (view) => lookAt(view, shownOf(view) - 1),
  forward: (view) => lookAt(view, shownOf(view) + 1),
  last: (view) => follow(view.count),
};

/** The game has `count` goes now. Who looks back stays there, unless that go was taken back. */
export function grown(view, count) {
  if (!isBack(view) || view.at >= count) return follow(count);
  return value(view.at, count, Math.min(view.seen, count));
}

/** The go that an address names ("#12"), or null. */
export function goOf(hash) {
  const found = /^#(\d{1,4})$/.exec(hash);
  return found ? Number(found[1]) : null;
}
