// The Game of the Amazons 10×10 for the peers: cells as text, squares as numbers 0 to 99 from the
// top left. The rules are checked in full, as they are in `games/`.

export const SIZE = 10;
export const EMPTY = ".";
const BURNT = "x";
const START = "...B..B...|..........|..........|B........B|..........|..........|W........W|" +
  "..........|..........|...W..W...";
const STEPS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);

/** The cells at the start. */
export const start = () => [...START.replaceAll("|", "")];

/** Whether a queen or an arrow may go from one square to another: a free straight line. */
export function isOpen(cells, from, to) {
  if (!isSquare(from) || !isSquare(to) || from === to) return false;
  const x = (to % SIZE) - (from % SIZE);
  const y = Math.floor(to / SIZE) - Math.floor(from / SIZE);
  if (x && y && Math.abs(x) !== Math.abs(y)) return false;
  const step = Math.sign(x) + SIZE * Math.sign(y);
  for (let square = from + step; ; square += step) {
    if (cells[square] !== EMPTY) return false;
    if (square === to) return true;
  }
}

const isSquare = (square) => Number.isInteger(square) && square >= 0 && square < SIZE * SIZE;

/** Whether a side's queen stands on `from` and may go to `to`. */
export const mayMove = (cells, side, from, to) => cells[from] === side && isOpen(cells, from, to);

/** Moves a queen. */
export function move(cells, from, to) {
  cells[to] = cells[from];
  cells[from] = EMPTY;
}

/** Burns a square. */
export function burn(cells, square) {
  cells[square] = BURNT;
}

/** Whether some queen of a side has a free square beside it. */
export function canMove(cells, side) {
  for (let square = 0; square < SIZE * SIZE; square += 1) {
    if (cells[square] === side && hasRoom(cells, square)) return true;
  }
  return false;
}

function hasRoom(cells, square) {
  const [column, row] = [square % SIZE, Math.floor(square / SIZE)];
  return STEPS.some(([x, y]) => {
    const isInside = column + x >= 0 && column + x < SIZE && row + y >= 0 && row + y < SIZE;
    return isInside && cells[square + x + SIZE * y] === EMPTY;
  });
}

/** Cells as our own site writes them. */
export const written = (cells) =>
  Array.from({ length: SIZE }, (_, row) =>
    cells.slice(row * SIZE, (row + 1) * SIZE).join("")).join("/");

/** The squares that an action of the scripts names: "move 4 1 4 7" or "fire 7 7". */
export function squaresOf(action) {
  const numbers = action.split(" ").slice(1).map(Number);
  const squares = [];
  for (let n = 0; n < numbers.length; n += 2) {
    squares.push((SIZE - numbers[n + 1]) * SIZE + numbers[n] - 1);
  }
  return squares;
}
