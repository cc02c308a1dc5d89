/**
 * Squares and pixels.
 *
 * A square is named as on the wire: file letter and rank number, "d1", "j10". White's home is the low
 * edge; a flipped board is rotated by 180°. Pure.
 */

const FILES = "abcdefghijklmnopqrstuvwxyz";

/** A finger takes the nearest target whose centre is no farther than this many CSS pixels. */
export const REACH = 22;

/**
 * @param {number} x
 * @param {number} y
 */
export function nameOf(x, y) {
  return FILES[x - 1] + y;
}

/** @param {Square} square */
export function placeOf(square) {
  return { x: FILES.indexOf(square[0]) + 1, y: Number(square.slice(1)) };
}

/**
 * All squares in reading order: top row first, files from a.
 *
 * @param {number} columns
 * @param {number} rows
 */
export function squaresOf(columns, rows) {
  const names = [];
  for (let y = rows; y >= 1; y -= 1) {
    for (let x = 1; x <= columns; x += 1) names.push(nameOf(x, y));
  }
  return names;
}

/**
 * The marks on a board text ("rows/joined", top row first), by square; empty squares are left out.
 *
 * @param {string} board
 */
export function marksOf(board) {
  const rows = board.split("/");
  const marks = new Map();
  rows.forEach((row, index) => {
    [...row].forEach((mark, column) => {
      if (mark !== ".") marks.set(nameOf(column + 1, rows.length - index), mark);
    });
  });
  return marks;
}

/**
 * @param {Square} from
 * @param {Square} to
 */
export function distance(from, to) {
  const [a, b] = [placeOf(from), placeOf(to)];
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

/**
 * The square of several that is nearest to their middle.
 *
 * @param {readonly Square[]} squares
 */
export function middleOf(squares) {
  const places = squares.map(placeOf);
  const mean = (/** @type {"x" | "y"} */ axis) =>
    places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  const [x, y] = [mean("x"), mean("y")];
  const far = places.map((place) => Math.hypot(place.x - x, place.y - y));
  return squares[far.indexOf(Math.min(...far))];
}

/**
 * Lays out the field in a canvas of `width` × `height` CSS pixels. The side of a square is a whole
 * number of device pixels; what is left over goes to the margin, half to each side.
 * `margin` is the least margin, in CSS pixels, around the field. A field that `fills` has no margin:
 * what is left over is spread over its squares, of which some are a device pixel wider.
 *
 * @param {LayoutOptions} options
 */
export function layoutOf({
  width,
  height,
  ratio = 1,
  columns,
  rows,
  margin = 0,
  flipped = false,
  fills = false,
}) {
  const room = Math.min((width - 2 * margin) / columns, (height - 2 * margin) / rows);
  const whole = Math.max(1, Math.floor(room * ratio + 1e-6)) / ratio;
  const side = fills ? room : whole;
  /** @param {number} value */
  const snap = (value) => Math.floor(value * ratio + 1e-6) / ratio;
  return {
    width,
    height,
    ratio,
    columns,
    rows,
    side,
    left: snap((width - side * columns) / 2),
    top: snap((height - side * rows) / 2),
    flipped,
  };
}

/**
 * Column and row of a square as seen, counted from the top left.
 *
 * @param {Pick<Layout, "columns" | "rows" | "flipped">} layout
 * @param {Square} square
 */
export function cellOf(layout, square) {
  const { x, y } = placeOf(square);
  return layout.flipped
    ? { column: layout.columns - x, row: y - 1 }
    : { column: x - 1, row: layout.rows - y };
}

/**
 * The edge before the square `index` of a line that starts at `from`, on a whole device pixel.
 *
 * @param {Pick<Layout, "side" | "ratio">} layout
 * @param {number} from
 * @param {number} index
 */
export function edgeOf({ side, ratio }, from, index) {
  return Math.round((from + index * side) * ratio) / ratio;
}

/**
 * @param {Layout} layout
 * @param {Square} square
 */
export function centreOf(layout, square) {
  const { column, row } = cellOf(layout, square);
  return {
    x: layout.left + (column + 0.5) * layout.side,
    y: layout.top + (row + 0.5) * layout.side,
  };
}

/**
 * The square under a point, or null outside the field.
 *
 * @param {Layout} layout
 * @param {Point} point
 */
export function squareAt(layout, point) {
  const column = Math.floor((point.x - layout.left) / layout.side);
  const row = Math.floor((point.y - layout.top) / layout.side);
  if (column < 0 || row < 0 || column >= layout.columns || row >= layout.rows) return null;
  return layout.flipped
    ? nameOf(layout.columns - column, row + 1)
    : nameOf(column + 1, layout.rows - row);
}

/**
 * The one of `squares` that a finger at `point` means: the one under it, else the nearest in reach.
 *
 * @param {Layout} layout
 * @param {Point} point
 * @param {Iterable<Square>} squares
 * @param {number} [reach]
 */
export function nearestOf(layout, point, squares, reach = REACH) {
  const under = squareAt(layout, point);
  let best = null;
  let least = reach;
  for (const square of squares) {
    if (square === under) return square;
    const centre = centreOf(layout, square);
    const far = Math.hypot(centre.x - point.x, centre.y - point.y);
    if (far <= least) [best, least] = [square, far];
  }
  return best;
}
