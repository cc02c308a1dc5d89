/** The ground of a board: frame or wall, squares, the sunk field's shadow. Drawn once for a layout. */

import { cellOf, edgeOf, nameOf, placeOf, squaresOf } from "./geometry.js";
import { pathOf } from "./paint.js";
import { SHAPES } from "./shapes.js";

const FINE = 16;
const LIP = 0.045;

/** @param {Layout} layout */
function fieldOf({ left, top, side, columns, rows }) {
  return { left, top, width: side * columns, height: side * rows };
}

/**
 * The thinnest line of about one CSS pixel: whole device pixels.
 *
 * @param {Pick<Layout, "ratio">} layout
 */
function hairline({ ratio }) {
  return Math.max(1, Math.round(ratio)) / ratio;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
function squares(ctx, layout, colours) {
  const { side, left, top } = layout;
  const line = hairline(layout);
  for (let row = 0; row < layout.rows; row += 1) {
    const y = edgeOf(layout, top, row);
    const height = edgeOf(layout, top, row + 1) - y;
    for (let column = 0; column < layout.columns; column += 1) {
      const x = edgeOf(layout, left, column);
      const width = edgeOf(layout, left, column + 1) - x;
      ctx.fillStyle = (row + column) % 2 === 0 ? colours.squareA : colours.squareB;
      ctx.fillRect(x, y, width, height);
      if (side < FINE) continue;
      ctx.fillStyle = colours.lineLight;
      ctx.fillRect(x, y, width, line);
      ctx.fillRect(x, y + line, line, height - line);
      ctx.fillStyle = colours.lineDark;
      ctx.fillRect(x, y + height - line, width, line);
      ctx.fillRect(x + width - line, y, line, height - line);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
function sunk(ctx, layout, colours) {
  const { left, top, width, height } = fieldOf(layout);
  const depth = Math.min(10, 0.2 * layout.side);
  const reach = Math.min(8, 0.15 * layout.side);
  const down = ctx.createLinearGradient(0, top, 0, top + depth);
  const right = ctx.createLinearGradient(left, 0, left + reach, 0);
  for (const gradient of [down, right]) {
    gradient.addColorStop(0, colours.sink);
    gradient.addColorStop(1, "rgb(0 0 0 / 0%)");
  }
  ctx.fillStyle = down;
  ctx.fillRect(left, top, width, depth);
  ctx.globalAlpha = 0.6;
  ctx.fillStyle = right;
  ctx.fillRect(left, top, reach, height);
  ctx.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
function frame(ctx, layout, colours) {
  const { left, top, width, height } = fieldOf(layout);
  ctx.fillStyle = colours.frame;
  ctx.fillRect(0, 0, layout.width, layout.height);
  const line = hairline(layout);
  ctx.fillStyle = colours.edge;
  ctx.fillRect(left - line, top - line, width + 2 * line, height + 2 * line);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
function stones(ctx, layout, colours) {
  const { left, top, width, height } = fieldOf(layout);
  ctx.fillStyle = colours.wall;
  ctx.fillRect(0, 0, layout.width, layout.height);
  ctx.fillStyle = colours.lineLight;
  /** @type {(start: number, count: number) => number[]} */
  const joints = (start, count) =>
    Array.from({ length: count + 1 }, (_, i) => start + i * layout.side);
  const line = hairline(layout);
  for (const x of joints(left, layout.columns)) ctx.fillRect(x, 0, line, layout.height);
  for (const y of joints(top, layout.rows)) ctx.fillRect(0, y, layout.width, line);
  const lip = Math.max(1, Math.round(LIP * layout.side * layout.ratio)) / layout.ratio;
  ctx.fillStyle = colours.tooth;
  ctx.fillRect(left - lip, top - lip, width + 2 * lip, height + 2 * lip);
}

/**
 * A tooth at both ends of every row and column.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
function teeth(ctx, layout, colours) {
  const { left, top, width, height } = fieldOf(layout);
  const { side } = layout;
  /** @type {(x: number, y: number, angle: number) => void} */
  const tooth = (x, y, angle) => {
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(angle);
    ctx.scale(side, side);
    ctx.fill(pathOf(SHAPES.tooth));
    ctx.restore();
  };
  ctx.fillStyle = colours.tooth;
  for (let row = 0; row < layout.rows; row += 1) {
    const y = top + (row + 0.5) * side;
    tooth(left, y, 0);
    tooth(left + width, y, Math.PI);
  }
  for (let column = 0; column < layout.columns; column += 1) {
    const x = left + (column + 0.5) * side;
    tooth(x, top, Math.PI / 2);
    tooth(x, top + height, -Math.PI / 2);
  }
}

/**
 * Letters below and numbers at the left, in the middle of the margin.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {string} colour
 * @param {number} weight
 */
function marginText(ctx, layout, colour, weight) {
  const { left, top, side } = layout;
  const size = Math.min(13, Math.max(9, 0.3 * side));
  ctx.font = `${weight} ${size}px ${layout.sans}`;
  ctx.fillStyle = colour;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const below = top + side * layout.rows;
  const gap = layout.height - below;
  for (let x = 1; x <= layout.columns; x += 1) {
    const { column } = cellOf(layout, nameOf(x, 1));
    ctx.fillText(nameOf(x, 1)[0], left + (column + 0.5) * side, below + gap / 2 + 1);
  }
  for (let y = 1; y <= layout.rows; y += 1) {
    const { row } = cellOf(layout, nameOf(1, y));
    ctx.fillText(String(y), left / 2, top + (row + 0.5) * side + 1);
  }
}

/**
 * The coordinates inside the squares (phone): pale where the square is burnt.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 * @param {(square: Square) => boolean} isBurnt
 */
export function insideText(ctx, layout, colours, isBurnt) {
  ctx.font = `600 9px ${layout.sans}`;
  const last = layout.rows - 1;
  for (const square of squaresOf(layout.columns, layout.rows)) {
    const { column, row } = cellOf(layout, square);
    if (column !== 0 && row !== last) continue;
    const [x, y] = [layout.left + column * layout.side, layout.top + row * layout.side];
    ctx.fillStyle = isBurnt(square) ? colours.coordOnChar : colours.ink;
    if (column === 0) {
      ctx.textAlign = "left";
      ctx.textBaseline = "top";
      ctx.fillText(String(placeOf(square).y), x + 2.5, y + 2.5);
    }
    if (row === last) {
      ctx.textAlign = "right";
      ctx.textBaseline = "alphabetic";
      ctx.fillText(square[0], x + layout.side - 2.5, y + layout.side - 3);
    }
  }
}

/** @type {Record<string, (ctx: CanvasRenderingContext2D, layout: Layout, colours: Palette) => void>} */
const SURROUNDS = {
  frame: (ctx, layout, colours) => {
    frame(ctx, layout, colours);
    if (!layout.bare) marginText(ctx, layout, colours.frameInk, 500);
  },
  wall: (ctx, layout, colours) => {
    stones(ctx, layout, colours);
    if (!layout.bare) marginText(ctx, layout, colours.ink, 600);
  },
  none: (ctx, layout, colours) => {
    ctx.fillStyle = colours.squareB;
    ctx.fillRect(0, 0, layout.width, layout.height);
  },
};

/**
 * Draws everything that doesn't change with the game. `layout.surround` is a key of SURROUNDS.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Layout} layout
 * @param {Palette} colours
 */
export function drawGround(ctx, layout, colours) {
  SURROUNDS[layout.surround ?? "none"](ctx, layout, colours);
  squares(ctx, layout, colours);
  sunk(ctx, layout, colours);
  if (layout.surround === "wall") teeth(ctx, layout, colours);
}
