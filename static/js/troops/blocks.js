/** Troops: staff-map blocks, 3 to 2. Light has one rising stroke, dark a cross. */

const COLOURS = {
  white: { fill: "lightFill", low: "lightShade", line: "lightLine", sign: "lightLine" },
  black: { fill: "darkFill", low: "darkShade", line: "darkLine", sign: "darkTrim" },
};

const SIGNS = {
  white: [[-0.26, 0.16, 0.26, -0.16]],
  black: [[-0.2, 0.17, 0.2, -0.17], [-0.2, -0.17, 0.2, 0.17]],
};

/** Draws the block of `role` into a box {x, y, width}; its height is two thirds of its width. */
export function drawBlock(ctx, { x, y, width }, role, colours) {
  const set = COLOURS[role];
  const height = (width * 2) / 3;
  const line = Math.max(1.2, width * 0.045);
  const low = height * 0.12 + line / 2;
  const round = width * 0.07;
  ctx.lineJoin = "round";
  ctx.lineCap = "round";
  ctx.strokeStyle = colours[set.line];
  ctx.lineWidth = line;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height + low, round);
  ctx.fillStyle = colours[set.low];
  ctx.fill();
  ctx.stroke();
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, round);
  ctx.fillStyle = colours[set.fill];
  ctx.fill();
  ctx.stroke();
  ctx.strokeStyle = colours[set.sign];
  ctx.lineWidth = line * 1.15;
  ctx.beginPath();
  for (const [x1, y1, x2, y2] of SIGNS[role]) {
    ctx.moveTo(x + width * (0.5 + x1), y + height / 2 + width * y1);
    ctx.lineTo(x + width * (0.5 + x2), y + height / 2 + width * y2);
  }
  ctx.stroke();
}
