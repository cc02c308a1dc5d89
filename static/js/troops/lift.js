/** Dragging troops: a block is lifted from tray or plot, hangs over its shadow, and is put down. */

import { crisp } from "../board/figure.js";
import { palette } from "../board/palette.js";
import { drawBlock } from "./blocks.js";

const SIZE = 72;
const TILT = (-7 * Math.PI) / 180;
const WIDTH = 46;

function hanging() {
  const canvas = document.createElement("canvas");
  canvas.className = "lifted";
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

function paint(canvas, role) {
  const { ctx, width, height } = crisp(canvas);
  ctx.fillStyle = "rgb(0 0 0 / 28%)";
  ctx.beginPath();
  ctx.ellipse(width / 2, height - 10, 0.36 * width, 6, 0, 0, 2 * Math.PI);
  ctx.fill();
  ctx.translate(width / 2, height / 2 - 8);
  ctx.rotate(TILT);
  drawBlock(ctx, { x: -WIDTH / 2, y: -WIDTH / 3, width: WIDTH }, role, palette());
}

/**
 * Listens on `root`. `hand`: `lift(point)` → whether a block was taken, `over(point)`, `drop(point)`,
 * `role()`. Points are those of the page.
 */
export function listenLift(root, hand) {
  let down = null;

  const follow = (point) => {
    down.canvas.style.transform = `translate(${point.x - SIZE / 2}px, ${point.y - SIZE / 2 + 6}px)`;
    hand.over(point);
  };
  const end = (point) => {
    down.canvas.remove();
    down = null;
    hand.drop(point);
  };
  const pointOf = ({ clientX: x, clientY: y }) => ({ x, y });

  root.addEventListener("pointerdown", (event) => {
    const point = pointOf(event);
    if (down !== null || event.button !== 0 || !hand.lift(point, event.target)) return;
    down = { id: event.pointerId, canvas: hanging() };
    root.append(down.canvas);
    paint(down.canvas, hand.role());
    root.setPointerCapture(event.pointerId);
    event.preventDefault();
    follow(point);
  });
  root.addEventListener("pointermove", (event) => {
    if (down !== null && event.pointerId === down.id) follow(pointOf(event));
  });
  root.addEventListener("pointerup", (event) => {
    if (down !== null && event.pointerId === down.id) end(pointOf(event));
  });
  root.addEventListener("pointercancel", (event) => {
    if (down !== null && event.pointerId === down.id) end(null);
  });
}
