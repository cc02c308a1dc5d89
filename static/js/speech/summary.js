/** Summary of a game for screen readers on arrival: its name, the reader's side, whose turn. Pure. */

import { marksOf } from "../drawing/geometry.js";
import { familyOf, gameName } from "../lib/game-words.js";
import { t } from "../lib/text.js";

/** Names of the sides, by family; those of Blotto have none. @type {Record<string, Wire.ByRole<string>>} */
const SIDES = {
  amazons: { white: t("White"), black: t("Black") },
  pincer: { white: t("Triangles"), black: t("Circles") },
};

/**
 * The name of a game as it is read aloud: "Amazons 8 by 8".
 *
 * @param {{ key: string, name: string }} game
 */
function spokenName(game) {
  return gameName(game).replace(/(\d)×(\d)/, (_, columns, rows) =>
    t("{columns} by {rows}", { columns, rows }),
  );
}

/**
 * The squares with a mark, in the order of the files.
 *
 * @param {string} board
 * @param {Mark} mark
 */
export function squaresWith(board, mark) {
  const squares = [...marksOf(board)].filter(([, each]) => each === mark).map(([square]) => square);
  return squares.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

/**
 * "Your amazons: a3, c1, f1, h3."
 *
 * @param {string} key
 * @param {string} board
 * @param {Role} you
 */
export function ownPieces(key, board, you) {
  const squares = squaresWith(board, you === "white" ? "W" : "B").join(", ") || t("none");
  if (familyOf(key) === "amazons") return t("Your amazons: {squares}.", { squares });
  return you === "white"
    ? t("Your triangles: {squares}.", { squares })
    : t("Your circles: {squares}.", { squares });
}

/**
 * The reader's role, and the players who are to act.
 *
 * @param {Wire.Snapshot} snapshot
 */
function turnSentences({ key, you, control, sealed, seats }) {
  const waited = control.filter((role) => !sealed.includes(role));
  const isMine = you !== null && waited.includes(you);
  const [role = control[0]] = waited;
  if (role === undefined) return []; // the last round is still being opened
  const waits = t("Waiting for {name}.", { name: seats[role].name });
  if (you === null) return [t("You’re watching."), waits];
  const side = SIDES[familyOf(key)]?.[you];
  if (side === undefined) return isMine ? [t("Place your troops.")] : [t("Locked in."), waits];
  return isMine
    ? [t("You are {side}, to move.", { side })]
    : [t("You are {side}.", { side }), waits];
}

/**
 * "Amazons 8 by 8. You are White, to move. Your amazons: a3, c1, f1, h3."
 *
 * @param {Wire.Snapshot} snapshot what the page may tell of the game
 * @param {string} sentence the status sentence of the page: of Blotto its round, of all games the result
 */
export function summaryOf(snapshot, sentence) {
  const { key, status, you, view } = snapshot;
  const isOver = status === "over";
  const name = t("{sentence}.", { sentence: spokenName(snapshot) });
  if (isOver) return [name, sentence].join(" ");
  const round = view.board === undefined ? [t("{sentence}.", { sentence })] : [];
  const pieces = view.board !== undefined && you ? [ownPieces(key, view.board, you)] : [];
  return [name, ...round, ...turnSentences(snapshot), ...pieces].join(" ");
}
