/** Burnt squares. Their waver comes from the square itself, so that it never changes. */

const SMALL = 16;
const EMBER = 0.05;
const LINE = 0.026;
const SPARKS = [0.16, 0.2, 0.07, 0.26];

/** A repeatable row of numbers in 0…1 from a square's name. */
function waver(square) {
  let seed = 2166136261;
  for (const letter of square) seed = Math.imul(seed ^ letter.charCodeAt(0), 16777619);
  return () => {
    seed = Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x9e3779b9;
    return ((seed ^ (seed >>> 13)) >>> 0) / 4294967296;
  };
}

function tile(random, half, depth, steps) {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  const points = [];
  corners.forEach(([x, y], index) => {
    const [nx, ny] = corners[(index + 1) % 4];
    for (let step = 0; step < steps; step += 1) {
      const along = (step + (step ? (random() - 0.5) * 0.4 : 0)) / steps;
      const inward = half - depth * random();
      const px = x + (nx - x) * along;
      const py = y + (ny - y) * along;
      points.push([px * (Math.abs(px) === 1 ? inward : half), py * (Math.abs(py) === 1 ? inward : half)]);
    }
  });
  return points;
}

const shapes = new Map();

function shapeOf(square) {
  if (!shapes.has(square)) {
    const random = waver(square);
    const between = (low, high) => low + (high - low) * random();
    shapes.set(square, {
      ash: tile(random, 0.478, 0.03, 4),
      char: tile(random, 0.445, 0.045, 3),
      left: [-0.5, between(-0.27, -0.1)],
      top: [between(0.12, 0.34), -0.5],
      right: [0.5, between(0.12, 0.27)],
      foot: [between(-0.3, -0.12), 0.5],
      first: [between(-0.04, 0.12), between(-0.12, 0.02)],
      second: [between(0, 0.14), between(0.1, 0.22)],
    });
  }
  return shapes.get(square);
}

function trace(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
}

function seams(ctx, shape, share) {
  const { left, top, right, foot, first, second } = shape;
  const toward = (from, to) => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  ctx.beginPath();
  for (const [from, to] of [[first, left], [first, top], [first, second], [second, right], [second, foot]]) {
    ctx.moveTo(...from);
    ctx.lineTo(...toward(from, to));
  }
}

function plates(ctx, shape, colours) {
  const { left, top, right, foot, first, second } = shape;
  ctx.fillStyle = colours.char2;
  trace(ctx, [[-0.5, -0.5], top, first, left]);
  ctx.fill();
  trace(ctx, [second, right, [0.5, 0.5], foot]);
  ctx.fill();
}

const RIMS = {
  ember: (ctx, item, colours, side) => {
    ctx.strokeStyle = colours.ember;
    ctx.lineWidth = Math.max(EMBER, 1.8 / side);
    ctx.globalAlpha *= item.edge;
  },
  rust: (ctx, item, colours, side) => {
    ctx.strokeStyle = colours.rust;
    ctx.lineWidth = Math.max(LINE, 1 / side);
  },
  sparks: (ctx, item, colours, side) => {
    ctx.strokeStyle = colours.rust;
    ctx.lineWidth = Math.max(LINE, 1 / side);
    ctx.setLineDash(SPARKS);
    ctx.lineCap = "butt";
  },
};

function rim(ctx, shape, item, heat, colours, side) {
  ctx.save();
  RIMS[heat](ctx, item, colours, side);
  trace(ctx, shape.char);
  ctx.stroke();
  ctx.restore();
}

function hotSeams(ctx, shape, colours, side, share) {
  if (share <= 0) return;
  seams(ctx, shape, share);
  ctx.strokeStyle = colours.ember;
  ctx.lineWidth = Math.max(0.02, 1 / side);
  ctx.stroke();
}

function small(ctx, item, colours) {
  ctx.fillStyle = colours.char;
  ctx.fillRect(-0.44, -0.44, 0.88, 0.88);
  ctx.strokeStyle = item.heat === "ember" ? colours.ember : colours.ash;
  ctx.lineWidth = 0.09;
  ctx.strokeRect(-0.395, -0.395, 0.79, 0.79);
}

function hotness(ctx, shape, item, colours, side) {
  rim(ctx, shape, item, item.heat, colours, side);
  if (item.cooling <= 0) return;
  ctx.save();
  ctx.globalAlpha *= item.cooling;
  hotSeams(ctx, shape, colours, side, 1);
  rim(ctx, shape, { ...item, edge: 1 }, "ember", colours, side);
  ctx.restore();
}

/** Draws a burnt square; origin at its centre, the unit is the square. */
export function drawBurnt(ctx, item, colours, side) {
  if (side < SMALL) {
    small(ctx, item, colours);
    return;
  }
  const shape = shapeOf(item.square);
  ctx.lineJoin = "round";
  ctx.scale(item.grow, item.grow);
  trace(ctx, shape.ash);
  ctx.fillStyle = colours.ash;
  ctx.fill();
  trace(ctx, shape.char);
  ctx.fillStyle = colours.char;
  ctx.fill();
  ctx.save();
  ctx.clip();
  plates(ctx, shape, colours);
  seams(ctx, shape, 1);
  ctx.strokeStyle = colours.crack;
  ctx.lineWidth = Math.max(0.016, 0.7 / side);
  ctx.stroke();
  if (item.heat === "ember") hotSeams(ctx, shape, colours, side, item.seams);
  ctx.restore();
  hotness(ctx, shape, item, colours, side);
}
