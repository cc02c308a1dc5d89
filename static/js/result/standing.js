/**
 * The standing of a game: who is ahead in the position shown, as numbers and as a sentence. Pure.
 *
 * Pincer's pieces and Blotto's points are for everybody. Amazons' territory is an evaluation: its
 * players get it when the game is over, spectators at once. The last position of a counted game has
 * the squares of its result instead.
 */

import { territoryOf } from "../board/territory.js";
import { familyOf, OTHER } from "../lib/game-words.js";
import { t, tn } from "../lib/text.js";

/** The pieces of each side at the start. */
export const PINCER_PIECES = 4;

/**
 * Returns whether this page may show territory.
 *
 * @param {Pick<Wire.Snapshot, "you" | "status">} snapshot
 */
export const maySeeTerritory = ({ you, status }) => you === null || status === "over";

/** @param {Wire.BoardView} view */
function amazonsStanding({ board }) {
  const squares = territoryOf(board);
  const [white, black] = [squares.white.length, squares.black.length];
  const [contested, unreached] = [squares.contested.length, squares.unreached.length];
  return {
    white,
    black,
    total: Math.max(1, white + black + contested + unreached),
    middle: contested === 0 ? "" : String(contested),
    squares,
    say: [
      t("White reaches {white} squares first, Black {black}.", { white, black }),
      t("{contested} are contested, {unreached} out of reach.", { contested, unreached }),
    ].join(" "),
  };
}

/**
 * The own squares of each side by which a game was counted: the numbers of the result.
 *
 * @param {Wire.ShownCount} count
 * @returns {Standing}
 */
function countedStanding({ white, black, regions }) {
  /** @type {Territory} */
  const squares = { white: [], black: [], contested: [], unreached: [] };
  for (const region of regions)
    squares[region.role ?? "unreached"].push(...region.squares.split(" "));
  const total = white + black + squares.unreached.length;
  return { white, black, total, middle: "", squares, say: "" };
}

/**
 * The pieces of each side, and the steps that the two have left.
 *
 * @param {Wire.BoardView} view
 */
function pincerStanding({ board, moves_made: made = 0, moves_limit: limit = 0 }) {
  const [white, black] = ["W", "B"].map((mark) => board.split(mark).length - 1);
  const left = Math.max(0, limit - made);
  const steps = tn("{count} step left", "{count} steps left", left);
  return {
    white,
    black,
    total: 2 * PINCER_PIECES,
    middle: steps,
    pieces: { white, black },
    say: `${t("Triangles: {white}, circles: {black}.", { white, black })} ${steps}.`,
  };
}

/** @param {Wire.SplitView} view */
function blottoStanding({ totals: { white, black }, rounds, fields }) {
  return { white, black, total: 2 * rounds * fields, middle: "", say: "" };
}

/**
 * The standing of the position `view`, or null where this page may show none. The view has no result
 * of a round of Blotto whose fields are not all open yet (see troops/reveal-gate.js).
 *
 * @param {Wire.Snapshot} snapshot
 * @param {Wire.View} view
 * @returns {Standing | null}
 */
export function standingOf(snapshot, view) {
  const family = familyOf(snapshot.key);
  if ("totals" in view) return blottoStanding(view);
  if (family === "pincer") return pincerStanding(view);
  if (family !== "amazons" || !maySeeTerritory(snapshot)) return null;
  const { outcome, count } = snapshot;
  const isCounted = view.turns === snapshot.view.turns && outcome?.reason.startsWith("counted");
  return isCounted && count ? countedStanding(count) : amazonsStanding(view);
}

/**
 * The standing in words; that of Blotto and of a counted game with the names of the players, the one
 * at the low end first.
 *
 * @param {Standing} standing
 * @param {Wire.Snapshot} snapshot
 * @param {Role} low
 */
export function standingSentence(standing, { seats }, low) {
  if (standing.say !== "") return standing.say;
  const high = OTHER[low];
  return t("{near} {ours}, {far} {theirs}", {
    near: seats[low].name,
    ours: standing[low],
    far: seats[high].name,
    theirs: standing[high],
  });
}
