/** An envelope: open flap while its owner decides, closed with wax when he has sealed. */

import { EASE, share } from "../board/tween.js";

export const SEALING = { flap: 140, wax: 120 };
export const SEAL_LENGTH = SEALING.flap + SEALING.wax;

/** How far flap and wax are at `time` of the sealing. */
export function sealAt(time) {
  return {
    flap: EASE.inOut(share(time, 0, SEALING.flap)),
    wax: EASE.out(share(time, SEALING.flap, SEAL_LENGTH)),
  };
}

function trace(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

function bowStamp(ctx, r) {
  ctx.lineWidth = 0.13 * r;
  ctx.beginPath();
  ctx.arc(-0.02 * r, 0, 0.46 * r, -Math.PI / 2, Math.PI / 2);
  ctx.closePath();
  ctx.moveTo(-0.52 * r, 0);
  ctx.lineTo(0.58 * r, 0);
  ctx.stroke();
}

function wax(ctx, x, y, r, grown, colours) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(grown, grown);
  ctx.beginPath();
  for (let step = 0; step <= 40; step += 1) {
    const angle = (step / 40) * 2 * Math.PI;
    const edge = r * (1 + 0.05 * Math.sin(5 * angle + 0.6) + 0.03 * Math.sin(3 * angle));
    ctx.lineTo(edge * Math.cos(angle), edge * Math.sin(angle));
  }
  ctx.closePath();
  ctx.fillStyle = colours.wax;
  ctx.fill();
  ctx.strokeStyle = colours.waxStamp;
  ctx.lineCap = "round";
  bowStamp(ctx, r);
  ctx.restore();
}

function paper(ctx, box, colours) {
  const { x, y, width, height } = box;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, 2);
  ctx.fillStyle = colours.waxPaper;
  ctx.fill();
  ctx.stroke();
}

function openOne(ctx, box, flap, colours) {
  const { x, y, width, height } = box;
  const tip = y - 0.28 * height * (1 - 2 * flap) ;
  paper(ctx, box, colours);
  if (flap < 0.5) {
    trace(ctx, [[x, y], [x + width / 2, tip], [x + width, y]]);
    ctx.closePath();
    ctx.fillStyle = colours.lightShade;
    ctx.fill();
    ctx.stroke();
  }
  trace(ctx, [[x, y], [x + width / 2, y + 0.5 * height], [x + width, y]]);
  ctx.stroke();
}

function closedOne(ctx, box, colours) {
  const { x, y, width, height } = box;
  const [cx, cy] = [x + width / 2, y + 0.56 * height];
  paper(ctx, box, colours);
  trace(ctx, [[x, y + height], [cx, cy], [x + width, y + height]]);
  ctx.stroke();
  trace(ctx, [[x, y], [cx, cy], [x + width, y]]);
  ctx.closePath();
  ctx.fillStyle = colours.lightShade;
  ctx.fill();
  ctx.stroke();
}

/** Draws an envelope into {width, height}. `flap` 1 and `wax` 1: sealed; both 0: open. */
export function drawEnvelope(ctx, { width, height }, seal, colours) {
  ctx.clearRect(0, 0, width, height);
  ctx.lineJoin = "round";
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colours.lightLine;
  const closed = seal.flap >= 1;
  const room = closed ? 0.92 : 0.72;
  const box = { x: 2, width: width - 4, height: room * height, y: height - room * height - 2 };
  if (!closed) {
    openOne(ctx, box, seal.flap, colours);
    return;
  }
  box.y = (height - box.height) / 2;
  closedOne(ctx, box, colours);
  const r = 0.26 * box.height;
  if (seal.wax > 0) wax(ctx, width / 2, box.y + 0.56 * box.height, r, seal.wax, colours);
}
