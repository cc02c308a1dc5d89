/** Past positions of a game, from the turns that the server tells. Pure. */

const textOf = ({ role, text }) => text[role] ?? "";

/** How a go is spelled: "d1-d7/g7", "a5-b5 a7-a6", for Blotto both splits. */
export function spellingOf({ turns }, key) {
  if (key === "pincer") return turns.map(textOf).join(" ");
  if (key !== "blotto") return turns.map(textOf).join("");
  return turns.map(({ text }) => `${text.white} – ${text.black}`).join(" ");
}

/** Burnt squares of some turns, oldest first. */
export function burnsOf(turns) {
  return turns.flatMap(({ effects }) =>
    effects.filter(({ kind }) => kind === "place").map(({ at }) => at),
  );
}

/**
 * The position after `go` goes: {view, last: turns of the newest go, burns}. `goes` as of a Record
 * whose turns bring their views, `start` is the view before the first. Null if a view is missing.
 */
export function pastOf(goes, start, go) {
  const played = goes.slice(0, go);
  const last = played.at(-1)?.turns ?? [];
  const view = go === 0 ? start : last.at(-1)?.view;
  if (!view) return null;
  return { view, last, burns: burnsOf(played.flatMap(({ turns }) => turns)) };
}
