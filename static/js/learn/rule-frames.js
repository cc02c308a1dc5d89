/** The moving pictures of the rules: three positions each, shown one after the other. Pure. */

import { familyOf } from "../lib/game-words.js";
import { board, draftOf, fields, stepOf } from "../teach/rules-words.js";

/** @typedef {[RulesPicture, RulesPicture, RulesPicture]} Frames */

const CHOSEN = { b1: "a1 c1 d1 e1 b2 a2 c2 d3 e4" };

const SLIDE = stepOf({ kind: "slide", role: "white", start: "b1", end: "e4" });

const SHOT = stepOf(
  { kind: "slide", role: "white", start: "b1", end: "e4" },
  { kind: "place", role: "white", start: "e4", at: "c4" },
);

const LAST_SHOT = stepOf(
  { kind: "slide", role: "white", start: "c1", end: "c4" },
  { kind: "place", role: "white", start: "c4", at: "b5" },
);

/**
 * A step of a piece, as a look that shows its captures.
 *
 * @param {Square} start
 * @param {Square} end
 * @param {string} taken squares, separated by spaces
 */
const taking = (start, end, taken) => ({
  sent: draftOf({ [start]: { [end]: { x: taken } } }, ["from", "to"], [start, end]),
});

/** @param {Square} start @param {Square} end */
const stepped = (start, end) => [stepOf({ kind: "slide", role: "white", start, end })];

/** @type {Record<string, Record<string, () => Frames>>} */
const FRAMES = {
  amazons: {
    move: () => [
      { view: board("...B.", ".....", ".x...", ".....", ".W...") },
      {
        view: board("...B.", ".....", ".x...", ".....", ".W..."),
        look: { active: true, draft: draftOf(CHOSEN, ["from", "to"], ["b1"]) },
      },
      { view: board("...B.", "....W", ".x...", ".....", "....."), last: [SLIDE] },
    ],
    shoot: () => [
      { view: board("...B.", ".....", ".x...", ".....", ".W...") },
      { view: board("...B.", "....W", ".x...", ".....", "....."), last: [SLIDE] },
      { view: board("...B.", "..x.W", ".x...", ".....", "....."), last: [SHOT] },
    ],
    end: () => [
      { view: board("B....", "xx...", "...x.", ".....", "..W..") },
      { view: board("Bx...", "xxW..", "...x.", ".....", "....."), last: [LAST_SHOT] },
      {
        view: board("Bx...", "xxW..", "...x.", ".....", "....."),
        look: { over: true, trapped: "black" },
      },
    ],
  },
  pincer: {
    steps: () => [
      { view: board(".....", ".B...", "..W..", ".....", "..W.B") },
      { view: board(".....", ".BW..", ".....", ".....", "..W.B"), last: stepped("c3", "c4") },
      {
        view: board(".....", ".BW..", ".....", "..W..", "....B"),
        last: [...stepped("c3", "c4"), ...stepped("c1", "c2")],
      },
    ],
    between: () => [
      { view: board(".....", ".....", "WBB..", "...W.", ".....") },
      {
        view: board(".....", ".....", "WBB..", "...W.", "....."),
        look: taking("d2", "d3", "b3 c3"),
      },
      { view: board(".....", ".....", "W..W.", ".....", "....."), last: stepped("d2", "d3") },
    ],
    wall: () => [
      { view: board(".....", ".....", "BB...", "..W..", ".....") },
      {
        view: board(".....", ".....", "BB...", "..W..", "....."),
        look: taking("c2", "c3", "a3 b3"),
      },
      { view: board(".....", ".....", "..W..", ".....", "....."), last: stepped("c2", "c3") },
    ],
  },
  blotto: {
    place: () => [
      { view: fields([{ white: [0, 0, 0], black: [] }]) },
      { view: fields([{ white: [5, 0, 0], black: [] }]) },
      { view: fields([{ white: [5, 3, 2], black: [] }]) },
    ],
    reveal: () => [
      { view: fields([{ white: [5, 3, 2], black: [] }]) },
      { view: fields([{ white: [5, 3, 2], black: [2, 3, 5] }]) },
      { view: fields([{ white: [5, 3, 2], black: [2, 3, 5] }]) },
    ],
    again: () => [
      { view: fields([{ white: [5, 3, 2], black: [2, 3, 5] }]) },
      { view: fields([{ white: [6, 4, 0], black: [] }]) },
      { view: fields([{ white: [6, 4, 0], black: [3, 3, 4] }]) },
    ],
  },
};

/**
 * The three frames of a moving picture of a game.
 *
 * @param {string} key of the rules
 * @param {string} name
 * @returns {Frames}
 */
export function framesOf(key, name) {
  const frames = FRAMES[familyOf(key)]?.[name];
  if (frames === undefined) throw new TypeError(`no picture ${name} of ${key}`);
  return frames();
}
