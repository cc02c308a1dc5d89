/** The figures of Pincer, its wedges and teeth, in the unit of a square around its centre. */

const HEIGHT = (0.72 * Math.sqrt(3)) / 2;
const TOP = -HEIGHT * 0.56;
const FOOT = HEIGHT * 0.44;
const HALF = 0.36;
const DISC = 0.32;

function triangle(ctx) {
  ctx.beginPath();
  ctx.moveTo(0, TOP);
  ctx.lineTo(HALF, FOOT);
  ctx.lineTo(-HALF, FOOT);
  ctx.closePath();
}

function disc(ctx) {
  ctx.beginPath();
  ctx.arc(0, 0, DISC, 0, 2 * Math.PI);
}

function facet(ctx, fill, points) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
  ctx.fill();
}

function shade(ctx, shape, lift) {
  const away = 0.035 + 0.02 * lift;
  ctx.save();
  ctx.translate(away, away);
  shape(ctx);
  ctx.fillStyle = "rgb(0 0 0 / 28%)";
  ctx.strokeStyle = "rgb(0 0 0 / 0%)";
  ctx.fill();
  ctx.restore();
}

function pyramid(ctx, side, colours, lift) {
  const width = Math.max(0.045, 1.4 / side);
  const peak = [0.03, FOOT - 0.2];
  const [a, b, c] = [[0, TOP], [HALF, FOOT], [-HALF, FOOT]];
  shade(ctx, triangle, lift);
  ctx.translate(0, -0.03 * lift);
  facet(ctx, colours.lightFill, [a, peak, c]);
  if (side >= 20) {
    facet(ctx, colours.lightShade, [a, b, peak]);
    facet(ctx, colours.lightFill, [peak, b, c]);
    ctx.globalAlpha *= 0.5;
    facet(ctx, colours.lightShade, [peak, b, c]);
    ctx.globalAlpha *= 2;
    ctx.strokeStyle = colours.lightLine;
    ctx.lineWidth = width * 0.36;
    ctx.beginPath();
    for (const corner of [a, b, c]) {
      ctx.moveTo(...peak);
      ctx.lineTo(...corner);
    }
    ctx.stroke();
  } else {
    facet(ctx, colours.lightFill, [a, b, c]);
  }
  triangle(ctx);
  ctx.strokeStyle = colours.lightLine;
  ctx.lineWidth = width;
  ctx.stroke();
}

function target(ctx, side, colours, lift) {
  shade(ctx, disc, lift);
  ctx.translate(0, -0.03 * lift);
  disc(ctx);
  ctx.fillStyle = colours.darkFill;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.rotate(-Math.PI / 4);
  ctx.fillStyle = colours.darkShade;
  ctx.fillRect(-1, 0, 2, 1);
  ctx.restore();
  disc(ctx);
  ctx.strokeStyle = colours.darkLine;
  ctx.lineWidth = Math.max(0.045, 1.2 / side);
  ctx.stroke();
  ctx.strokeStyle = colours.darkTrim;
  ctx.lineWidth = Math.max(0.045, 1 / side);
  ctx.beginPath();
  ctx.arc(0, 0, 0.19, 0, 2 * Math.PI);
  ctx.stroke();
  if (side < 14) return;
  ctx.fillStyle = colours.darkTrim;
  ctx.beginPath();
  ctx.arc(0, 0, 0.06, 0, 2 * Math.PI);
  ctx.fill();
}

/** Draws a triangle ("W") or a circle ("B"). */
export function drawPincer(ctx, mark, side, colours, lift = 0) {
  ctx.lineJoin = "round";
  (mark === "W" ? pyramid : target)(ctx, side, colours, lift);
}

/** The dashed outline of a piece: a ghost on its target, or a victim. */
export function outlineOf(ctx, mark) {
  (mark === "W" ? triangle : disc)(ctx);
}

/** A tooth or wedge: from the middle of its base towards +x. */
export function spike(ctx, base, height) {
  ctx.beginPath();
  ctx.moveTo(0, -base / 2);
  ctx.lineTo(height, 0);
  ctx.lineTo(0, base / 2);
  ctx.closePath();
}
