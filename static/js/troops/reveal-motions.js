/** Motions at both ends of a reveal: the two envelopes break open, and points fly to the score line. */

import { fitCanvas } from "../drawing/canvas.js";
import { palette } from "../drawing/palette.js";
import { makeElement } from "../lib/dom.js";
import { motionSpeed, reducedMotion } from "../lib/motion.js";
import { drawEnvelope } from "./envelope.js";
import { breakingAt, REVEAL_MS } from "./layout.js";

const FLIGHT_MS = 420;

/** The envelopes of both sides, beside the headline while the reveal opens. */
export class BreakingSeals {
  /** @param {HTMLElement} headline */
  constructor(headline) {
    this.headline = headline;
    this.element = makeElement("div", "headline-seals", { "aria-hidden": "true", hidden: "" });
    this.canvases = [0, 1].map(() => document.createElement("canvas"));
    this.element.append(...this.canvases);
    headline.append(this.element);
  }

  /**
   * Draws the envelopes at `time` of a reveal; nothing is drawn after its opening or without motion.
   *
   * @param {number} time
   */
  paint(time) {
    const isOpening = time < REVEAL_MS.opening && !reducedMotion();
    this.headline.classList.toggle("opening", isOpening);
    this.element.hidden = !isOpening;
    if (!isOpening) return;
    const { alpha, ...seal } = breakingAt(time);
    for (const canvas of this.canvases) {
      const { ctx, width, height } = fitCanvas(canvas);
      ctx.globalAlpha = alpha;
      drawEnvelope(ctx, { width, height }, seal, palette());
    }
  }
}

/**
 * Lets points fly from a field's verdict to the number that they are added to.
 *
 * @param {HTMLElement} from
 * @param {HTMLElement} to
 * @param {string} text
 */
export function flyPoints(from, to, text) {
  if (reducedMotion()) return;
  const [start, end] = [from, to].map((element) => element.getBoundingClientRect());
  const points = makeElement("b", "flying-points number", { "aria-hidden": "true" }, text);
  document.body.append(points);
  /** @param {DOMRect} box */
  const centre = ({ x, y, width, height }) => `${x + width / 2}px ${y + height / 2}px`;
  const flight = points.animate(
    [
      { translate: centre(start), opacity: 1 },
      { translate: centre(end), opacity: 0.2 },
    ],
    { duration: FLIGHT_MS / motionSpeed(), easing: "ease-in" },
  );
  flight.finished.finally(() => points.remove());
}
