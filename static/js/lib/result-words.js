/** Names and reasons of a game's result, for its players and for those who watch. Pure. */

import { OTHER } from "./game-words.js";
import { t } from "./text.js";

/** Ends of Amazons with the free arrow by a count of own squares. */
export const COUNTED = new Set(["counted", "counted_quiet", "counted_long"]);

/**
 * `you`: the reader's role, null or missing for somebody who watches.
 *
 * @typedef {{ outcome: Pick<Wire.Ending, "winner" | "reason"> & Partial<Wire.Ending> | null, seats: Wire.ByRole<{ name: string }>, you?: Role | null, absent?: Role[], key?: string, view?: object, count?: Wire.ByRole<number> | null }} EndedGame
 */

/** Ends that count for nobody. */
const ABORTED = new Set(["aborted", "idle", "no_show"]);

/**
 * Reasons of a win that concern the loser: as told to others, and to the loser.
 *
 * @type {Record<string, [(slots: { loser: string }) => string, () => string]>}
 */
const LOSSES = {
  no_moves: [
    (slots) => t("{loser} has no move left", slots),
    () => t("None of your amazons can move"),
  ],
  captured_all: [
    (slots) => t("{loser} has no piece left", slots),
    () => t("You have no piece left"),
  ],
  resigned: [(slots) => t("{loser} resigned", slots), () => t("You resigned")],
  time: [(slots) => t("{loser} ran out of time", slots), () => t("You ran out of time")],
  abandoned: [(slots) => t("{loser} left the game", slots), () => t("You left the game")],
};

/**
 * Reasons of a win that concern both: with the figures of both sides, and without.
 *
 * @type {Record<string, [(slots: Record<string, unknown>) => string, () => string]>}
 */
const COMPARED = {
  fifty_moves: [
    (slots) => t("{more}–{less} after 50 steps", slots),
    () => t("More pieces after 50 steps"),
  ],
  stuck: [
    (slots) => t("Nobody can move, {more}–{less} pieces", slots),
    () => t("Nobody can move, and more pieces win"),
  ],
  rounds: [(slots) => t("{more}–{less} points", slots), () => t("More points")],
  decided: [() => t("The game was decided"), () => t("The game was decided")],
  counted: [(slots) => t("{more}–{less} squares", slots), () => t("More squares")],
  counted_quiet: [
    (slots) => t("{more}–{less} squares after 10 moves without an arrow", slots),
    () => t("More squares"),
  ],
  counted_long: [
    (slots) => t("{more}–{less} squares after 400 moves", slots),
    () => t("More squares"),
  ],
};

/** @type {Record<string, (score?: number) => string>} */
const DRAWS = {
  one_each: () => t("One piece each"),
  no_pieces: () => t("No pieces left"),
  fifty_moves: () => t("Level after 50 steps"),
  stuck: () => t("Nobody can move, and the pieces are level"),
  rounds: (score) => t("{score}–{score} points", { score }),
  both_flagged: () => t("Both ran out of time"),
  agreed: () => t("By agreement"),
  no_arrows: () => t("50 moves without an arrow"),
  too_long: () => t("400 moves played"),
  counted: () => t("Equally many squares"),
  counted_quiet: () => t("Equally many squares after 10 moves without an arrow"),
  counted_long: () => t("Equally many squares after 400 moves"),
  abandoned: () => t("A player had left"),
  idle: () => t("Nobody moved for seven days. It doesn’t count"),
  aborted: () => t("It doesn’t count"),
};

/**
 * The figures of both sides that decide: points of Blotto, pieces of Pincer, own squares of Amazons; null
 * where none are known.
 *
 * @param {EndedGame} game
 * @returns {Wire.ByRole<number> | null}
 */
export function figuresOf({ outcome, key, view, count }) {
  if (count && COUNTED.has(outcome?.reason ?? ""))
    return { white: count.white, black: count.black };
  const goals = outcome?.reason === "rounds" ? outcome.goals : undefined;
  if (goals) return { white: Number(goals.white), black: Number(goals.black) };
  const board = view && "board" in view ? String(view.board) : null;
  if (key !== "pincer" || board === null) return null;
  /** @param {string} mark */
  const pieces = (mark) => board.split(mark).length - 1;
  return { white: pieces("W"), black: pieces("B") };
}

/**
 * The clause on the player who made no first move.
 *
 * @param {EndedGame} game
 */
function absentReason({ absent = [], seats, you = null }) {
  if (absent.length === 0) return t("A first move was not made");
  if (absent.length > 1) return t("Nobody made a first move");
  const [role] = absent;
  if (role === you) return t("You didn’t make your first move");
  return t("{name} didn’t make a first move", { name: seats[role].name });
}

/**
 * "You win", "You lost", "bob wins", "Draw", "Game aborted".
 *
 * @param {EndedGame} game
 */
export function resultTitle({ outcome, seats, you = null }) {
  const winner = outcome?.winner ?? null;
  if (outcome && ABORTED.has(outcome.reason)) return t("Game aborted");
  if (winner === null) return t("Draw");
  if (you === null) return t("{winner} wins", { winner: seats[winner].name });
  return winner === you ? t("You win") : t("You lost");
}

/**
 * Returns why the game ended, without a full stop; "" where the reason has no words here.
 *
 * @param {EndedGame} game
 */
export function resultReason(game) {
  const { outcome, seats, you = null } = game;
  if (outcome === null) return "";
  const { winner, reason, goals } = outcome;
  if (reason === "no_show") return absentReason(game);
  if (winner === null) return DRAWS[reason]?.(goals?.white) ?? "";
  const loser = OTHER[winner];
  const [forOthers, forLoser] = LOSSES[reason] ?? [];
  if (forOthers && forLoser)
    return loser === you ? forLoser() : forOthers({ loser: seats[loser].name });
  const [withFigures, without] = COMPARED[reason] ?? [];
  const figures = figuresOf(game);
  if (!withFigures || !without) return "";
  return figures ? withFigures({ more: figures[winner], less: figures[loser] }) : without();
}

/**
 * The sentence that ends a game, with its reason: "You win. bob resigned."; "" while it runs.
 *
 * @param {EndedGame} game
 */
export function resultSentence(game) {
  if (game.outcome === null) return "";
  return [resultTitle(game), resultReason(game)]
    .filter(Boolean)
    .map((part) => t("{sentence}.", { sentence: part }))
    .join(" ");
}

/**
 * The points of a role for the name strips: "1", "0" or "½"; null where nothing counts.
 *
 * @param {Wire.Snapshot["outcome"]} outcome
 * @param {Role} role
 */
export function pointsOf(outcome, role) {
  if (outcome === null || ABORTED.has(outcome.reason)) return null;
  if (outcome.winner === null) return "½";
  return outcome.winner === role ? "1" : "0";
}

const SECOND_MS = 1000;

const MINUTE_MS = 60 * SECOND_MS;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/**
 * "40 s", "3 min", "2 h 5 min", "4 d 2 h".
 *
 * @param {number} duration in ms
 */
export function durationText(duration) {
  if (duration < MINUTE_MS) return t("{s} s", { s: Math.max(0, Math.round(duration / SECOND_MS)) });
  if (duration < HOUR_MS) return t("{min} min", { min: Math.floor(duration / MINUTE_MS) });
  const [d, h] = [Math.floor(duration / DAY_MS), Math.floor(duration / HOUR_MS)];
  if (d > 0) return t("{d} d {h} h", { d, h: h - 24 * d });
  return t("{h} h {min} min", { h, min: Math.floor(duration / MINUTE_MS) - 60 * h });
}
