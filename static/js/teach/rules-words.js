/** The rules of each game in a few sentences, with small positions that show them. Pure. */

import { openDraft } from "../board/path-draft.js";
import { familyOf } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { goalOf } from "./goals.js";

/**
 * A board of five rows, from the top.
 *
 * @param {...string} rows
 * @returns {Wire.BoardView}
 */
export const board = (...rows) => ({ board: rows.join("/"), width: 5, height: 5, turns: 1 });

/**
 * A draft along these squares of a tree.
 *
 * @param {Wire.Tree} tree
 * @param {Wire.PromptWord[]} words
 * @param {Square[]} path
 * @returns {Draft}
 */
export function draftOf(tree, words, path) {
  const steps = words.map((word) => ({ word, keep: null }));
  /** @type {Wire.BoardPrompt} */
  const prompt = { kind: "path", steps, actions: [], tree };
  return { ...openDraft(prompt), path };
}

/**
 * @param {Wire.Effect[]} effects
 * @returns {Wire.ResolvedStep}
 */
export const stepOf = (...effects) => ({
  n: 0,
  turn: 0,
  role: "white",
  text: {},
  effects,
  spent: {},
});

/** @type {Record<string, () => RulesPicture>} */
const PICTURES = {
  shutIn: () => ({
    view: board("Bx...", "xxW..", ".....", ".x..W", "....."),
    look: { over: true, trapped: "black" },
  }),
  amazonMoves: () => ({
    view: board("...B.", ".....", ".x...", ".....", ".W..."),
    look: {
      active: true,
      draft: draftOf({ b1: "a1 c1 d1 e1 b2 a2 c2 d3 e4" }, ["from", "to"], ["b1"]),
    },
  }),
  amazonShoots: () => ({
    view: board("...B.", "..x.W", ".x...", ".....", "....."),
    last: [
      stepOf(
        { kind: "slide", role: "white", start: "b1", end: "e4" },
        { kind: "place", role: "white", start: "e4", at: "c4" },
      ),
    ],
  }),
  lineTaken: () => ({
    view: board(".....", ".....", "WBB..", "...W.", "....."),
    look: { sent: draftOf({ d2: { d3: { x: "b3 c3" } } }, ["from", "to"], ["d2", "d3"]) },
  }),
  firstStep: () => ({
    view: board(".....", ".B...", "..W..", ".....", "..W.B"),
    look: { active: true, draft: draftOf({ c3: "c4 b3 d3 c2" }, ["from", "to"], ["c3"]) },
  }),
  secondStep: () => ({
    view: board(".....", ".B...", ".W...", ".....", "..W.B"),
    look: { sent: draftOf({ c1: { d1: { x: "e1" } } }, ["from", "to"], ["c1", "d1"]) },
  }),
  placed: () => ({ view: fields([{ white: [5, 3, 2], black: [] }]) }),
  revealed: () => ({ view: fields([{ white: [5, 3, 2], black: [2, 3, 5] }]) }),
  won: () => ({ view: fields([{ white: [6, 4, 0], black: [3, 3, 4] }]) }),
};

/**
 * @param {Wire.ByRole<number[]>[]} splits
 * @returns {Wire.SplitView}
 */
export function fields(splits) {
  const none = { white: [], black: [] };
  return {
    ...{ fields: 3, total: 10, rounds: 5, round: 0, turns: splits.length, splits },
    ...{ scores: none, totals: { white: 0, black: 0 } },
  };
}

/**
 * The end of a game with the free arrow in which nobody is shut in.
 *
 * @param {boolean} isCounted
 */
function freeArrowEnds(isCounted) {
  if (!isCounted) {
    return [t("After 50 moves in a row without an arrow, either player can claim a draw.")];
  }
  return [
    t("A square is yours if only your amazons can ever reach it."),
    t("Once no square can be reached by both, either player can count: more squares win."),
    t("After 10 moves in a row without an arrow, the squares are counted too."),
  ];
}

/** @type {Record<string, (key: string, isCounted: boolean) => Omit<RulesSheetText, "goal">>} */
const SHEETS = {
  amazons: (key, isCounted) => ({
    picture: PICTURES.shutIn(),
    turn: t("A turn"),
    steps: [
      {
        picture: PICTURES.amazonMoves(),
        say: t("Move an amazon any distance in a straight line. Nothing can be jumped over."),
      },
      {
        picture: PICTURES.amazonShoots(),
        say:
          key === "amazons"
            ? t("Then shoot in the same way, or don’t. The arrow blocks its square for good.")
            : t("Then shoot with it in the same way. The arrow blocks its square for good."),
      },
    ],
    ends: [
      t("If none of your amazons can move on your turn, you lose. Nothing is ever taken."),
      ...(key === "amazons"
        ? freeArrowEnds(isCounted)
        : [t("There are no draws, unless both agree to one.")]),
    ],
  }),
  pincer: () => ({
    picture: PICTURES.lineTaken(),
    turn: t("A turn"),
    steps: [
      {
        picture: PICTURES.firstStep(),
        say: t("Move one piece one square: up, down, left or right."),
      },
      {
        picture: PICTURES.secondStep(),
        say: t("Then another piece. After each step, every held line is taken, yours too."),
      },
    ],
    ends: [
      t("You win when your opponent has no pieces left, or fewer than you after 50 steps."),
      t("One piece each, or equally many after 50 steps, is a draw."),
    ],
  }),
  blotto: () => ({
    picture: PICTURES.won(),
    turn: t("A round"),
    steps: [
      {
        picture: PICTURES.placed(),
        say: t("Place ten troops on three fields, in secret, and lock in."),
      },
      {
        picture: PICTURES.revealed(),
        say: t("Both are revealed: more troops on a field win 2 points, equal troops 1 each."),
      },
    ],
    ends: [t("After five rounds, more points win. 15 to 15 is a draw.")],
  }),
};

/**
 * The texts and pictures of the sheet with the rules of a game.
 *
 * @param {string} key
 * @param {{ isCounted?: boolean }} [options] own squares are counted where the arrow is free
 * @returns {RulesSheetText}
 */
export function rulesSheetOf(key, { isCounted = true } = {}) {
  return { goal: goalOf(key), ...SHEETS[familyOf(key)](key, isCounted) };
}
