/**
 * The two archers, drawn in the unit of a square around its centre: light faces right, dark left.
 * `side` is the side of the square in CSS pixels and decides how much of them is drawn.
 */

const ALL = 30;
const PLAIN = 19;
const BARE = 12;
const ARM = -0.043;

function path(ctx, draw) {
  ctx.beginPath();
  draw(ctx);
}

function fillAndLine(ctx, fill, line, width) {
  if (fill) {
    ctx.fillStyle = fill;
    ctx.fill();
  }
  ctx.strokeStyle = line;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** A limb: a stroke of `fill` inside a stroke of `line`. */
function limb(ctx, draw, thick, fill, line, width) {
  path(ctx, draw);
  ctx.strokeStyle = line;
  ctx.lineWidth = thick + 2 * width;
  ctx.stroke();
  ctx.strokeStyle = fill;
  ctx.lineWidth = thick;
  ctx.stroke();
}

function shadow(ctx, x, lift) {
  ctx.save();
  ctx.fillStyle = "rgb(0 0 0 / 26%)";
  path(ctx, (c) => c.ellipse(x, 0.4 + lift, 0.29 + lift, 0.06 + lift / 3, 0, 0, 2 * Math.PI));
  ctx.fill();
  ctx.restore();
}

const BODY = {
  light(c) {
    c.moveTo(-0.155, -0.1);
    c.quadraticCurveTo(-0.075, -0.165, 0.012, -0.115);
    c.lineTo(0.075, 0.09);
    c.lineTo(0.188, 0.345);
    c.quadraticCurveTo(-0.07, 0.47, -0.335, 0.345);
    c.lineTo(-0.225, 0.09);
    c.closePath();
  },
  dark(c) {
    c.moveTo(0.288, -0.455);
    c.quadraticCurveTo(0.11, -0.475, 0.02, -0.39);
    c.quadraticCurveTo(-0.06, -0.31, -0.07, -0.2);
    c.quadraticCurveTo(-0.06, -0.12, -0.085, -0.04);
    c.lineTo(-0.185, 0.35);
    c.quadraticCurveTo(0.1, 0.455, 0.352, 0.37);
    c.quadraticCurveTo(0.28, 0.02, 0.225, -0.22);
    c.quadraticCurveTo(0.215, -0.35, 0.288, -0.455);
    c.closePath();
  },
};

const BOW = {
  light(c) {
    c.moveTo(0.105, -0.385);
    c.bezierCurveTo(0.27, -0.35, 0.4, -0.2, 0.4, ARM);
    c.bezierCurveTo(0.4, 0.1, 0.31, 0.24, 0.16, 0.285);
  },
  dark(c) {
    c.moveTo(-0.19, -0.415);
    c.bezierCurveTo(-0.12, -0.4, -0.14, -0.32, -0.2, -0.27);
    c.bezierCurveTo(-0.29, -0.2, -0.36, -0.13, -0.37, ARM);
    c.bezierCurveTo(-0.36, 0.06, -0.31, 0.13, -0.235, 0.24);
    c.bezierCurveTo(-0.21, 0.28, -0.2, 0.31, -0.2, 0.345);
  },
};

function quiver(ctx, colours, width) {
  ctx.save();
  ctx.translate(-0.235, -0.17);
  ctx.rotate((-19 * Math.PI) / 180);
  path(ctx, (c) => c.rect(-0.052, -0.13, 0.104, 0.38));
  fillAndLine(ctx, colours.leather, colours.lightLine, width);
  path(ctx, (c) => {
    c.moveTo(-0.052, -0.08);
    c.lineTo(0.052, -0.08);
  });
  fillAndLine(ctx, null, colours.lightLine, width * 0.8);
  path(ctx, (c) => {
    c.moveTo(-0.045, -0.13);
    c.lineTo(-0.085, -0.23);
    c.lineTo(-0.03, -0.195);
    c.lineTo(0, -0.25);
    c.lineTo(0.03, -0.195);
    c.lineTo(0.085, -0.23);
    c.lineTo(0.045, -0.13);
    c.closePath();
  });
  fillAndLine(ctx, colours.lightFill, colours.lightLine, width * 0.8);
  ctx.restore();
}

function lightHead(ctx, colours, width, hair) {
  const [x, y, r] = [-0.075, -0.285, 0.115];
  path(ctx, (c) => c.arc(x, y, r, 0, 2 * Math.PI));
  fillAndLine(ctx, colours.lightFill, colours.lightLine, width);
  if (!hair) return;
  ctx.fillStyle = colours.lightLine;
  path(ctx, (c) => {
    c.arc(x, y, r + width / 2, 0.78 * Math.PI, 1.78 * Math.PI);
    c.bezierCurveTo(x + 0.03, y - 0.1, x - 0.05, y - 0.03, x - 0.06, y + 0.03);
    c.closePath();
  });
  ctx.fill();
}

function lightBody(ctx, colours, width) {
  path(ctx, BODY.light);
  ctx.fillStyle = colours.lightFill;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.fillStyle = colours.lightShade;
  path(ctx, (c) => {
    c.moveTo(-0.035, -0.2);
    c.lineTo(-0.02, 0.1);
    c.lineTo(0.02, 0.5);
    c.lineTo(0.4, 0.5);
    c.lineTo(0.4, -0.2);
    c.closePath();
  });
  ctx.fill();
  ctx.restore();
  path(ctx, BODY.light);
  fillAndLine(ctx, null, colours.lightLine, width);
}

function bar(ctx, from, to, fill, line, width) {
  path(ctx, (c) => c.roundRect(Math.min(from, to), ARM - 0.036, Math.abs(to - from), 0.072, 0.036));
  fillAndLine(ctx, fill, line, width);
}

function head(ctx, base, tip, fill) {
  path(ctx, (c) => {
    c.moveTo(tip, ARM);
    c.lineTo(base, ARM - 0.045);
    c.lineTo(base, ARM + 0.045);
    c.closePath();
  });
  ctx.fillStyle = fill;
  ctx.fill();
}

function string(ctx, line, width, top, hand) {
  path(ctx, (c) => {
    c.moveTo(...top);
    c.lineTo(...hand);
  });
  fillAndLine(ctx, null, line, width * 0.45);
}

function light(ctx, side, colours, width) {
  const line = colours.lightLine;
  if (side >= ALL) quiver(ctx, colours, width);
  if (side >= PLAIN) {
    limb(ctx, BOW.light, 0.05, colours.lightFill, line, width);
    string(ctx, line, width, [0.105, -0.37], [0.02, ARM - 0.05]);
  } else if (side >= BARE) {
    path(ctx, BOW.light);
    fillAndLine(ctx, null, line, width);
  }
  lightBody(ctx, colours, width);
  if (side < BARE) return;
  path(ctx, (c) => {
    c.moveTo(-0.225, 0.09);
    c.lineTo(0.075, 0.09);
  });
  fillAndLine(ctx, null, line, Math.max(0.036, width));
  lightHead(ctx, colours, width, side >= ALL);
  if (side < PLAIN) return;
  if (side >= ALL) head(ctx, 0.4, 0.485, line);
  bar(ctx, -0.065, 0.375, colours.lightFill, line, width);
}

function darkBody(ctx, colours, width) {
  path(ctx, BODY.dark);
  ctx.fillStyle = colours.darkFill;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.fillStyle = colours.darkShade;
  path(ctx, (c) => {
    c.moveTo(0.17, -0.5);
    c.quadraticCurveTo(0.11, -0.25, 0.155, 0);
    c.lineTo(0.2, 0.5);
    c.lineTo(0.5, 0.5);
    c.lineTo(0.5, -0.5);
    c.closePath();
  });
  ctx.fill();
  ctx.restore();
}

function bands(ctx, colours, count) {
  const at = [
    [-0.135, 0.245, 0.3],
    [-0.155, 0.33, 0.318],
  ];
  ctx.lineCap = "butt";
  for (const [left, y, right] of at.slice(2 - count)) {
    path(ctx, (c) => {
      c.moveTo(left, y - 0.01);
      c.quadraticCurveTo(0.1, y + 0.075, right, y - 0.005);
    });
    fillAndLine(ctx, null, colours.darkTrim, 0.03);
  }
  ctx.lineCap = "round";
}

function face(ctx, colours) {
  ctx.fillStyle = colours.darkTrim;
  path(ctx, (c) => {
    c.moveTo(-0.055, -0.27);
    c.bezierCurveTo(0, -0.31, 0.055, -0.25, 0.045, -0.18);
    c.bezierCurveTo(0.035, -0.1, -0.03, -0.1, -0.055, -0.16);
    c.closePath();
  });
  ctx.fill();
}

function dark(ctx, side, colours, width) {
  const line = colours.darkLine;
  if (side >= PLAIN) {
    limb(ctx, BOW.dark, 0.055, colours.darkFill, line, width);
    string(ctx, line, width, [-0.15, -0.33], [-0.06, ARM - 0.03]);
  } else if (side >= BARE) {
    path(ctx, BOW.dark);
    fillAndLine(ctx, null, line, width);
  }
  darkBody(ctx, colours, width);
  if (side >= BARE) {
    bands(ctx, colours, side >= ALL ? 2 : 1);
    face(ctx, colours);
  }
  path(ctx, BODY.dark);
  fillAndLine(ctx, null, line, width);
  if (side < PLAIN) return;
  if (side >= ALL) head(ctx, -0.4, -0.485, line);
  bar(ctx, 0.06, -0.36, colours.darkFill, line, width);
}

/** Draws an archer ("W" light, "B" dark); the context's origin is the centre, its unit the square. */
export function drawArcher(ctx, mark, side, colours, lift = 0) {
  const width = Math.max(0.034, 1.2 / side);
  ctx.lineJoin = "round";
  ctx.lineCap = "round";
  shadow(ctx, mark === "W" ? 0.02 : 0.08, 0.04 * lift);
  ctx.translate(0, -0.03 * lift);
  (mark === "W" ? light : dark)(ctx, side, colours, width);
}

/** The outline of an archer, to be drawn as a line: body and, for the light one, the head. */
export function outlineArcher(ctx, mark) {
  ctx.beginPath();
  BODY[mark === "W" ? "light" : "dark"](ctx);
  if (mark !== "W") return;
  ctx.moveTo(0.055, -0.285);
  ctx.arc(-0.075, -0.285, 0.13, 0, 2 * Math.PI);
}
