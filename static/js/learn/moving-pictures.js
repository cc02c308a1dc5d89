/**
 * Draws the moving pictures of the rules, and shows their frames one after the other.
 *
 * Every frame has a canvas of its own. The style sheet lays them over each other; where nothing is to move,
 * it lays them side by side, and all are seen.
 */

import { drawThumbnail } from "../game/thumbnail.js";
import { framesOf } from "./rule-frames.js";

const FRAME_MS = 1600;

/** @type {NodeListOf<HTMLElement>} */
const pictures = document.querySelectorAll("[data-frames]");

for (const picture of pictures) {
  const { game: key = "", frames: name = "" } = picture.dataset;
  const frames = framesOf(key, name);
  /** @type {NodeListOf<HTMLCanvasElement>} */
  const canvases = picture.querySelectorAll("canvas");
  canvases.forEach((canvas, index) => drawThumbnail(canvas, { key, ...frames[index] }));
}

let count = 0;

let isPaused = false;

function showNext() {
  if (isPaused || document.hidden) return;
  count += 1;
  for (const picture of pictures)
    [...picture.children].forEach((canvas, index) =>
      canvas.classList.toggle("now", index === count % picture.children.length),
    );
}

const pause = document.getElementById("pause-frames");

if (pause !== null) {
  pause.hidden = false;
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  });
}

if (pictures.length > 0) setInterval(showNext, FRAME_MS);
