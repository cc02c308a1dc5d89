/** The certain part of a position of Amazons, in words. Pure. */

import { middleOf } from "../drawing/geometry.js";
import { t, tn } from "../lib/text.js";

/** Regions up to this size are named by their squares, larger ones by their middle. */
const MAX_NAMED = 4;

/**
 * Returns whether moves are counted; where the arrow is optional nobody has to fill squares, and these
 * are counted instead.
 *
 * @param {string} key
 */
export const countsMoves = (key) => key !== "amazons";

/**
 * The sure moves of each side in a position, or its squares where arrows are optional.
 *
 * @param {PositionStanding} standing
 * @param {Wire.ByRole<string>} names
 * @param {boolean} isMoves
 */
export function standingText({ sure, most, decided }, names, isMoves) {
  const sides = /** @type {const} */ (["white", "black"]).map((role) => {
    const values = { name: names[role], sure: sure[role], most: most[role] };
    return isMoves
      ? t("{name}: {sure} sure moves, {most} at most.", values)
      : t("{name}: {sure} sure squares, {most} at most.", values);
  });
  const end = decided && t("Decided: {winner} wins.", { winner: names[decided.winner] });
  return [...sides, ...(end ? [end] : [])].join(" ");
}

/**
 * A region in words.
 *
 * @param {BoardRegion} region
 * @param {Wire.ByRole<string>} names
 * @param {boolean} isMoves
 */
export function regionText({ role, squares, sure }, names, isMoves) {
  const cells = squares.split(" ");
  const place =
    cells.length > MAX_NAMED ? t("around {square}", { square: middleOf(cells) }) : squares;
  const values = { place, sure, count: cells.length, name: role ? names[role] : "" };
  if (role === null)
    return tn(
      "{count} open square, {place}",
      "{count} open squares, {place}",
      cells.length,
      values,
    );
  if (isMoves)
    return tn(
      "{name}: {sure} sure moves in {count} square, {place}",
      "{name}: {sure} sure moves in {count} squares, {place}",
      cells.length,
      values,
    );
  return tn(
    "{name}: {count} square, {place}",
    "{name}: {count} squares, {place}",
    cells.length,
    values,
  );
}
