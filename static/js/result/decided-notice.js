/** The text of the notice of a decided position, and the squares of its proof. Pure. */

import { OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";

/**
 * The notice of a decided position: what holds, and the two bounds that prove it. Pure.
 *
 * @param {Decided} decided
 * @param {Pick<Wire.Snapshot, "key" | "seats">} snapshot
 */
export function decidedNotice({ winner, least, most, line }, { key, seats }) {
  const slots = { winner: seats[winner].name, loser: seats[OTHER[winner]].name, least, most };
  const what = t("Decided: {winner} wins.", slots);
  if (key === "blotto")
    return [what, t("{least} points ahead, and the rounds left can change {most} at most.", slots)];
  if (line.length === 0)
    return [what, t("{winner} has {least} sure squares, {loser} gets {most} at most.", slots)];
  return [what, t("{winner} has {least} sure moves, {loser} gets {most} at most.", slots)];
}

/**
 * The squares of a proof by the side that they count for: shared ones count for the loser. Pure.
 *
 * @param {Decided} decided
 * @returns {Territory}
 */
export function litSquares({ winner, own, open }) {
  const [wins, loses] = [own, open].map((regions) => regions.flatMap((names) => names.split(" ")));
  const sides = winner === "white" ? { white: wins, black: loses } : { white: loses, black: wins };
  return { ...sides, contested: [], unreached: [] };
}

/**
 * The number of steps that lead to the position after some turns. Pure.
 *
 * @param {Turn[]} turns
 * @param {number} shown
 */
export function stepsUntil(turns, shown) {
  return shown === 0 ? 0 : (turns[shown - 1]?.steps.at(-1)?.n ?? -1) + 1;
}
