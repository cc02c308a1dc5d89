/** A position of a tree as a board shows it: a snapshot without a prompt, and a sentence. Pure. */

import { t } from "../lib/text.js";
import { actionsText } from "./turn-text.js";
import { ROOT } from "./turn-tree.js";

/**
 * A snapshot of a position on which nothing can be played, for the side to move.
 *
 * @param {Wire.BoardSnapshot} start the snapshot of the start
 * @param {AnalysisPosition} position
 * @returns {Wire.BoardSnapshot}
 */
export function stillSnapshot(start, { view, ending }) {
  const status = ending === null ? "live" : "over";
  const outcome = ending && { winner: ending.winner, reason: ending.reason, goals: {} };
  const control = ending === null ? [view.to_move] : [];
  return /** @type {Wire.BoardSnapshot} */ (
    /** @type {unknown} */ ({
      ...start,
      ...{ view, status, outcome, control, prompt: null, you: view.to_move ?? null },
      ...{ turns: view.turns, step: view.turns },
    })
  );
}

/**
 * Whose turn it is after a turn of a tree, or how the game ends there.
 *
 * @param {import("./turn-tree.js").TurnTree} tree
 * @param {number} at
 * @param {Wire.ByRole<string>} names
 */
export function positionSentence(tree, at, names) {
  const { view, ending } = tree.at(at);
  if (ending)
    return ending.winner === null
      ? t("The game ends in a draw here.")
      : t("{name} won here.", { name: names[ending.winner] });
  const values = { name: names[/** @type {Role} */ (view.to_move)] };
  if (at === ROOT) return t("{name} to move.", values);
  return t("After {turn}: {name} to move.", {
    ...values,
    turn: actionsText(tree.nodes[at].actions),
  });
}
