/** Marks of a game's turns by their loss of winning chance, and the turning points. Pure. */

/** Marks with the least loss of winning chance for each; the first match counts. */
const LOSSES = /** @type {const} */ ([
  [0.15, "blunder"],
  [0.06, "mistake"],
  [0.02, "inaccuracy"],
]);

/** Turns that are named as turning points, at most. */
const MAX_TURNING_POINTS = 3;

/** Least loss of winning chance of a turning point. */
const MIN_TURNING_LOSS = 0.02;

/**
 * White's chance of winning by a value for the side to move, -1 to 1.
 *
 * @param {number} value
 * @param {Role} toMove
 */
export const chanceOf = (value, toMove) => (1 + (toMove === "white" ? value : -value)) / 2;

/**
 * White's chance once a game has ended.
 *
 * @param {Role | null} winner
 */
export function finalChance(winner) {
  if (winner === null) return 0.5;
  return winner === "white" ? 1 : 0;
}

/**
 * @param {number} loss
 * @param {boolean} isChoice whether the turn is the engine's own choice
 * @returns {TurnMark}
 */
export function markOf(loss, isChoice) {
  const found = LOSSES.find(([least]) => loss >= least);
  if (found) return found[1];
  return isChoice || loss <= 0 ? "best" : "fine";
}

/**
 * The losses of the turns of a game. A turn whose positions before and after are not both judged yet
 * is left out.
 *
 * @param {readonly { role: Role, actions: readonly string[] }[]} turns
 * @param {readonly (Verdict | undefined)[]} verdicts of the start, then after each turn
 * @returns {TurnLoss[]}
 */
export function lossesOf(turns, verdicts) {
  return turns.flatMap(({ role, actions }, index) => {
    const [before, after] = [verdicts[index], verdicts[index + 1]];
    if (!before || !after) return [];
    const sign = role === "white" ? 1 : -1;
    const choice = before.line?.[0];
    const isChoice = choice?.join() === actions.join();
    const loss = isChoice ? 0 : Math.max(0, sign * (before.chance - after.chance));
    return [
      {
        turn: index + 1,
        role,
        before: role === "white" ? before.chance : 1 - before.chance,
        after: role === "white" ? after.chance : 1 - after.chance,
        loss,
        mark: markOf(loss, isChoice),
        better: isChoice ? null : before.line,
        isProved: before.isProved && after.isProved,
      },
    ];
  });
}

/**
 * The turns that lost most, in their order.
 *
 * @param {readonly TurnLoss[]} losses
 */
export function turningPoints(losses) {
  return [...losses]
    .filter(({ loss }) => loss >= MIN_TURNING_LOSS)
    .sort((a, b) => b.loss - a.loss || a.turn - b.turn)
    .slice(0, MAX_TURNING_POINTS)
    .sort((a, b) => a.turn - b.turn);
}
