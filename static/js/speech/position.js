/** The position, the last move and the clocks in sentences, for those who ask by a key. Pure. */

import { describeSteps } from "../board/board-sentences.js";
import { timeLeft } from "../lib/clock.js";
import { FIELDS, familyOf, OTHER } from "../lib/game-words.js";
import { t, tn } from "../lib/text.js";
import { ownPieces, squaresWith } from "./summary.js";

/**
 * The pieces of a role by the name of its side.
 *
 * @param {string} key
 * @param {string} board
 * @param {Role} role
 */
function piecesOf(key, board, role) {
  const squares = squaresWith(board, role === "white" ? "W" : "B").join(", ") || t("none");
  if (familyOf(key) !== "amazons")
    return role === "white"
      ? t("Triangles: {squares}.", { squares })
      : t("Circles: {squares}.", { squares });
  return role === "white"
    ? t("White amazons: {squares}.", { squares })
    : t("Black amazons: {squares}.", { squares });
}

/**
 * All pieces and blocked squares of a board; the reader's own come first.
 *
 * @param {string} key
 * @param {Wire.BoardView} view
 * @param {Role | null} you
 */
export function positionSentences(key, view, you) {
  const { board } = view;
  const own = you ? ownPieces(key, board, you) : piecesOf(key, board, "white");
  const parts = [own, piecesOf(key, board, OTHER[you ?? "white"])];
  if (familyOf(key) === "amazons") {
    const burnt = squaresWith(board, "x");
    parts.push(
      burnt.length === 0
        ? t("No square is burnt.")
        : tn(
            "{count} square burnt: {squares}.",
            "{count} squares burnt: {squares}.",
            burnt.length,
            {
              squares: burnt.join(", "),
            },
          ),
    );
  }
  const { moves_made: made, moves_limit: limit } = view;
  if (made !== undefined && limit !== undefined)
    parts.push(tn("{count} step left.", "{count} steps left.", limit - made));
  return parts.join(" ");
}

/**
 * The troops that are placed, and the rest: "Hill 5, Ford 3, Wood 0. 2 to place."; of a reader's own.
 *
 * @param {SplitDraft} draft
 */
export function placedSentence({ counts, total }) {
  const placed = counts.map((count, field) => `${FIELDS[field]} ${count}`).join(", ");
  const left = total - counts.reduce((sum, count) => sum + count, 0);
  return `${placed}. ${tn("{count} to place.", "{count} to place.", left)}`;
}

/**
 * "Last move: Wren: a6 to c4, burned b4."
 *
 * @param {Turn | undefined} turn
 * @param {Wire.Snapshot} snapshot
 */
export function lastMoveSentence(turn, { key, seats, you }) {
  if (!turn) return t("No move yet.");
  const names = { white: seats.white.name, black: seats.black.name, you };
  return t("Last move: {move}", { move: describeSteps(turn.steps, names, key) });
}

const SECOND_MS = 1000;

/** @type {[ms: number, words: (count: number) => string][]} */
const UNITS = [
  [86_400_000, (count) => tn("{count} day", "{count} days", count)],
  [3_600_000, (count) => tn("{count} hour", "{count} hours", count)],
  [60_000, (count) => tn("{count} minute", "{count} minutes", count)],
  [SECOND_MS, (count) => tn("{count} second", "{count} seconds", count)],
];

/**
 * "4 minutes 12 seconds", "2 days 3 hours": the two greatest units.
 *
 * @param {number} ms
 */
export function spokenTime(ms) {
  const whole = Math.max(0, ms - (ms % SECOND_MS));
  const first = UNITS.findIndex(([unit]) => whole >= unit);
  const shown = first < 0 ? UNITS.slice(-1) : UNITS.slice(first, first + 2);
  let rest = whole;
  const words = shown.map(([unit, say]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count > 0 || shown.length === 1 ? say(count) : "";
  });
  return words.filter(Boolean).join(" ");
}

/**
 * "You: 4 minutes 12 seconds, running. Wren: 5 minutes."
 *
 * @param {Wire.Snapshot} snapshot
 * @param {number} now the server's time in ms
 */
export function clockSentences({ clock, seats, you }, now) {
  const first = you ?? "white";
  const said = [first, OTHER[first]].map((role) => {
    const left = timeLeft(clock, role, now);
    if (left === null) return "";
    const slots = { name: role === you ? t("You") : seats[role].name, time: spokenTime(left) };
    return clock.running.includes(role)
      ? t("{name}: {time}, running.", slots)
      : t("{name}: {time}.", slots);
  });
  return said.filter(Boolean).join(" ") || t("There’s no clock.");
}
