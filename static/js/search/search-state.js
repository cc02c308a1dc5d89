/** The state of a search: what a page does about it, and how long it has lasted. Pure. */

/**
 * A time as minutes and seconds: `0:12`. Negative times are shown as zero.
 *
 * @param {number} time in ms
 */
export function elapsedText(time) {
  const seconds = Math.max(0, Math.floor(time / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The action of a page on a state: `answer` at once, `ask` the reader, `enter` the game, tell that it is
 * open in `another` tab, or only `show` it. `tab` is the page's own; `isOwn`: the page has shown this
 * search. A game that no page has answered for opens in every tab.
 *
 * @param {Pick<Wire.SearchState, "state" | "asks" | "answered" | "tab">} frame
 * @param {string} tab
 * @param {boolean} isOwn
 */
export function reactionTo({ state, asks, answered, tab: first }, tab, isOwn) {
  if (state === "asked" && !answered) return asks ? "ask" : "answer";
  if (state === "paired" && isOwn) return first === tab || first === "" ? "enter" : "another";
  return "show";
}
