/**
 * A line of conditional moves that is being composed: a frozen list of turns, the opponent's first. Pure.
 */

import { familyOf } from "../lib/game-words.js";
import { t } from "../lib/text.js";

/** As the server has it: play/domain/reply_plans.py. */
export const MAX_LINES = 5;
export const MAX_TURNS = 6;

/**
 * @param {string} key
 * @param {Pick<Wire.ShownTurn, "text">} turn
 */
export function turnText(key, { text }) {
  return text.join(familyOf(key) === "pincer" ? " " : "");
}

/**
 * "d1-d7/g7 → d10-d8/d2, g7-g9/g2 → a7-b7/b5": each turn of the opponent with its reply.
 *
 * @param {string} key
 * @param {readonly Pick<Wire.ShownTurn, "text">[]} line
 */
export function lineText(key, line) {
  return line
    .map((turn, index) => `${index % 2 ? " → " : index ? ", " : ""}${turnText(key, turn)}`)
    .join("");
}

/**
 * A line for screen readers: "If d1-d7/g7, then d10-d8/d2."
 *
 * @param {string} key
 * @param {readonly Pick<Wire.ShownTurn, "text">[]} line
 */
export function lineSentence(key, line) {
  const pairs = [];
  for (let at = 0; at + 1 < line.length; at += 2) {
    const slots = { theirs: turnText(key, line[at]), mine: turnText(key, line[at + 1]) };
    pairs.push(t("If {theirs}, then {mine}.", slots));
  }
  return pairs.join(" ");
}

/**
 * The actions of a line, as they are sent.
 *
 * @param {readonly Pick<Wire.ShownTurn, "actions">[]} line
 */
export function actionsOfLine(line) {
  return line.map(({ actions }) => actions);
}

/**
 * Whether a line ends with a reply, so that it can be saved.
 *
 * @param {readonly unknown[]} line
 */
export function isWhole(line) {
  return line.length > 0 && line.length % 2 === 0;
}

/**
 * The next thing to do, in a sentence; `isOver`: the last turn would end the game.
 *
 * @param {readonly unknown[]} line
 * @param {string} name of the opponent
 * @param {boolean} isOver
 */
export function nextSentence(line, name, isOver) {
  if (line.length % 2) {
    return isOver ? t("That move would end the game. Undo it.") : t("Choose your reply.");
  }
  if (line.length === 0) return t("Choose a move for {name}.", { name });
  if (isOver || line.length >= MAX_TURNS) return t("Add this line.");
  return t("Add this line, or choose the next move for {name}.", { name });
}
