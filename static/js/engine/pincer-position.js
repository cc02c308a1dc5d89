/** Positions of Pincer as sets of bits, and steps as text. Pure. */

const ROW_BITS = 8;
const LETTERS = { white: "WB", black: "BW" };

/** @typedef {{ own: bigint, theirs: bigint, stepped: bigint, moves: number }} PincerPosition */

/**
 * Reads the rules' text of a position, or a game's view, as the role to move sees it.
 *
 * SyntaxError for another board, role or number; what the rules forbid is not looked for.
 *
 * @param {string | PositionView} position
 * @param {number} size squares in a row
 * @param {number} dead stands for a piece that its own move captured
 * @returns {PincerPosition}
 */
export function readPincer(position, size, dead) {
  const { board, toMove, stepped, moves } =
    typeof position === "string" ? parse(position) : viewed(position);
  const rows = board.split("/");
  if (rows.length !== size || rows.some((row) => row.length !== size || /[^WB.]/.test(row)))
    throw new SyntaxError(`“${board}” is not a board of ${size} rows`);
  if (toMove !== "white" && toMove !== "black") throw new SyntaxError(`“${toMove}” is not a role`);
  if (!Number.isInteger(moves) || moves < 0) throw new SyntaxError("moves are counted from 0");
  const [mine, other] = LETTERS[toMove];
  const setOf = (/** @type {string} */ letter) => {
    let set = 0n;
    rows.reverse().forEach((row, y) => {
      for (let x = 0; x < size; x++) if (row[x] === letter) set |= 1n << BigInt(ROW_BITS * y + x);
    });
    rows.reverse();
    return set;
  };
  const piece = stepped === "-" ? 0n : stepped === "x" ? BigInt(dead) : bitOf(stepped);
  return { own: setOf(mine), theirs: setOf(other), stepped: piece, moves };
}

function parse(/** @type {string} */ text) {
  const [board, toMove = "", stepped = "-", moves = ""] = text.split(" ");
  return { board, toMove, stepped, moves: moves ? Number(moves) : Number.NaN };
}

function viewed(/** @type {PositionView} */ view) {
  const stepped = view.step === 2 ? (view.stepped ?? "x") : "-";
  return { board: view.board, toMove: view.to_move, stepped, moves: view.moves_made ?? Number.NaN };
}

function bitOf(/** @type {string} */ name) {
  const match = /^([a-g])([1-7])$/.exec(name);
  if (!match) throw new SyntaxError(`“${name}” is not a square`);
  return 1n << BigInt(ROW_BITS * (Number(match[2]) - 1) + match[1].charCodeAt(0) - 97);
}

const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]; // right, up, left, down

/** Returns a step, 4 × square + way, as a canonical action. */
export function actionOf(/** @type {number} */ step) {
  const square = step >> 2;
  const [x, y] = [(square % ROW_BITS) + 1, Math.floor(square / ROW_BITS) + 1];
  const [right, up] = WAYS[step & 3];
  return `move ${x} ${y} ${x + right} ${y + up}`;
}
