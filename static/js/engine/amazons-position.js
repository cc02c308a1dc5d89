/** Positions of Amazons as sets of cells, and actions as text. Pure. */

/** @typedef {{ own: bigint, other: bigint, free: bigint, move: number }} AmazonsPosition */

const CELL_BITS = 7;
export const NO_MOVE = -1;

/**
 * Reads the rules' text of a position, or a game's view, as its side to move sees it.
 *
 * `move` is 128 × origin + target of the move that has yet to shoot, or NO_MOVE. SyntaxError for
 * another board or role; what the rules forbid is not looked for.
 *
 * @param {string | PositionView} position
 * @param {number} size squares in a row
 * @param {number} rowBits cells from one row to the next
 * @returns {AmazonsPosition}
 */
export function readAmazons(position, size, rowBits) {
  const [board, toMove, moved] =
    typeof position === "string" ? partsOf(position) : viewed(position);
  const rows = board.split("/");
  if (rows.length !== size || rows.some((row) => row.length !== size || /[^WBx.]/.test(row)))
    throw new SyntaxError(`“${board}” is not a board of ${size} rows`);
  if (toMove !== "white" && toMove !== "black") throw new SyntaxError(`“${toMove}” is not a role`);
  /** @type {Record<string, bigint>} */
  const sets = { W: 0n, B: 0n, x: 0n, ".": 0n };
  rows.reverse().forEach((row, y) => {
    [...row].forEach((letter, x) => {
      sets[letter] |= 1n << BigInt(rowBits * y + x);
    });
  });
  const move = moved.length ? 128 * cellOf(moved[0], rowBits) + cellOf(moved[1], rowBits) : NO_MOVE;
  const [own, other] = toMove === "white" ? [sets.W, sets.B] : [sets.B, sets.W];
  return { own, other, free: sets["."], move };
}

/** @returns {[string, string, string[]]} */
function partsOf(/** @type {string} */ text) {
  const [board, toMove = "", moved = "-"] = text.split(" ");
  return [board, toMove, moved === "-" ? [] : moved.split("-")];
}

/** @returns {[string, string, string[]]} */
function viewed(/** @type {PositionView} */ view) {
  return [view.board, view.to_move, view.moved ?? []];
}

/** @param {string} name like "d1" @param {number} rowBits */
function cellOf(name, rowBits) {
  const match = /^([a-j])(10|[1-9])$/.exec(name);
  if (!match) throw new SyntaxError(`“${name}” is not a square`);
  return rowBits * (Number(match[2]) - 1) + match[1].charCodeAt(0) - 97;
}

/**
 * Returns alternating moves and shots as turns of canonical actions.
 *
 * @param {number[]} acts a move is 128 × origin + target, a shot a cell
 * @param {boolean} isShot whether the first is a shot
 * @param {boolean} isOptional whether a move and its shot are one action; half a turn is left out
 * @param {number} rowBits
 */
export function turnsOf(acts, isShot, isOptional, rowBits) {
  const square = (/** @type {number} */ cell) =>
    `${(cell % rowBits) + 1} ${Math.floor(cell / rowBits) + 1}`;
  const way = (/** @type {number} */ act) =>
    `${square(act >> CELL_BITS)} ${square(act % (1 << CELL_BITS))}`;
  /** @type {string[][]} */
  const turns = [];
  acts.forEach((act, index) => {
    const fires = isShot === (index % 2 === 0);
    if (!fires) turns.push([isOptional ? `play ${way(act)}` : `move ${way(act)}`]);
    else if (index === 0) turns.push([`fire ${square(act)}`]);
    else if (isOptional) turns[turns.length - 1][0] += ` ${square(act)}`;
    else turns[turns.length - 1].push(`fire ${square(act)}`);
  });
  if (isOptional && acts.length % 2) turns.pop();
  return turns;
}
