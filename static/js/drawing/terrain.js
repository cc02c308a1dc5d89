/** The three maps behind the troops: hill, ford and wood, in 1 px lines. They mean nothing. */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} width
 * @param {number} height
 */
function hill(ctx, width, height) {
  const [cx, cy] = [0.52 * width, 0.34 * height];
  for (let ring = 0; ring < 8; ring += 1) {
    const [rx, ry] = [
      (0.09 + 0.1 * ring) * width,
      (0.05 + 0.062 * ring) * Math.min(height, 1.6 * width),
    ];
    ctx.beginPath();
    for (let step = 0; step <= 48; step += 1) {
      const angle = (step / 48) * 2 * Math.PI;
      const wave = 1 + 0.09 * Math.sin(2 * angle + 0.5 * ring) + 0.05 * Math.sin(3 * angle + 1.3);
      const [x, y] = [cx + rx * wave * Math.cos(angle), cy + ry * wave * Math.sin(angle)];
      if (step === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    ctx.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} width
 * @param {number} height
 */
function ford(ctx, width, height) {
  for (const bank of [0, 1]) {
    const [a, b, c] = bank ? [0.8, 0.72, 0.56] : [0.45, 0.22, 0.28];
    ctx.beginPath();
    ctx.moveTo(a * width, 0);
    ctx.bezierCurveTo(
      a * width,
      0.3 * height,
      b * width,
      0.45 * height,
      (b - 0.02) * width,
      0.6 * height,
    );
    ctx.bezierCurveTo((b - 0.02) * width, 0.8 * height, c * width, 0.9 * height, c * width, height);
    ctx.stroke();
  }
  for (let ripple = 0; ripple < 9; ripple += 1) {
    const y = (0.07 + 0.105 * ripple) * height;
    const x = (0.6 - 0.17 * Math.sin((ripple / 9) * 2.4) + 0.05 * (ripple % 2)) * width;
    ctx.beginPath();
    ctx.arc(x, y + 6, Math.min(9, 0.06 * width), 1.25 * Math.PI, 1.75 * Math.PI);
    ctx.stroke();
  }
}

const FIRS = [
  [0.14, 0.07],
  [0.47, 0.1],
  [0.82, 0.04],
  [0.9, 0.16],
  [0.4, 0.22],
  [0.62, 0.27],
  [0.83, 0.33],
  [0.15, 0.36],
  [0.52, 0.42],
  [0.92, 0.48],
  [0.3, 0.52],
  [0.72, 0.56],
  [0.12, 0.66],
  [0.48, 0.68],
  [0.86, 0.7],
  [0.25, 0.78],
  [0.66, 0.82],
  [0.9, 0.87],
  [0.12, 0.93],
  [0.42, 0.92],
  [0.76, 0.95],
];

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} width
 * @param {number} height
 */
function wood(ctx, width, height) {
  for (const [x, y] of FIRS) {
    const size = Math.min(9, 0.055 * width);
    const [cx, cy] = [x * width, y * height];
    ctx.beginPath();
    ctx.moveTo(cx, cy - 1.3 * size);
    ctx.lineTo(cx + 0.75 * size, cy + 0.5 * size);
    ctx.lineTo(cx - 0.75 * size, cy + 0.5 * size);
    ctx.closePath();
    ctx.moveTo(cx, cy + 0.5 * size);
    ctx.lineTo(cx, cy + 1.1 * size);
    ctx.stroke();
  }
}

const MAPS = [hill, ford, wood];

/**
 * Draws the map of a field into a box {width, height} at the context's origin.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} field
 * @param {Size} size
 * @param {Palette} colours
 */
export function drawTerrain(ctx, field, { width, height }, colours) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  ctx.clip();
  ctx.strokeStyle = colours.terrain;
  ctx.lineWidth = 1;
  MAPS[field % MAPS.length](ctx, width, height);
  ctx.restore();
}

/**
 * The far part of a plot while it is not known: hatched.
 *
 * @param {CanvasRenderingContext2D} ctx
 * @param {Size} size
 * @param {Palette} colours
 */
export function drawUnknown(ctx, { width, height }, colours) {
  ctx.save();
  ctx.fillStyle = colours.squareB;
  ctx.fillRect(0, 0, width, height);
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  ctx.clip();
  ctx.strokeStyle = colours.terrain;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = -height; x < width; x += 9) {
    ctx.moveTo(x, height);
    ctx.lineTo(x + height, 0);
  }
  ctx.stroke();
  ctx.restore();
}
