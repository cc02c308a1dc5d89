/** The tray under the fields: troops in hand, the button that seals, and dragging of blocks. */

import { fitCanvas } from "../drawing/canvas.js";
import { drawBlock } from "../drawing/figure.js";
import { palette } from "../drawing/palette.js";
import { find } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { isIn, trayPlaces } from "./layout.js";
import { restSentence, sealButtonText, trayText } from "./troops-sentences.js";

/**
 * Labels of the button while it cannot be pressed for another reason than troops in hand.
 *
 * @type {Record<string, string>}
 */
const BLOCKED_TEXTS = { sealed: t("Locked in"), sent: t("Locking in") };

export class Tray {
  /**
   * @param {HTMLElement} element
   * @param {() => void} onSeal
   */
  constructor(element, onSeal) {
    /** @param {string} id */
    const part = (id) => find(element, `#${id}`);
    this.element = element;
    this.number = part("in-hand");
    this.words = part("in-hand-words");
    /** @type {HTMLCanvasElement} */
    this.places = find(element, "#places");
    this.said = part("rest-said");
    this.seal = part("seal");
    this.seal.addEventListener("click", onSeal);
    /** @type {TrayState | null} */
    this.state = null;
    /** The rest that was spoken last. @type {number | null} */
    this.spoken = null;
  }

  /**
   * `state`: {left, total, lifted, role, mode: "open" | "sent" | "sealed"}; a lifted block still
   * counts as in hand while its place is empty.
   *
   * @param {TrayState} state
   */
  show(state) {
    this.state = state;
    const { left, total, mode } = state;
    this.number.textContent = left === 0 ? "" : String(left);
    this.words.textContent = trayText(left, total);
    this.speak(mode, left);
    const ready = mode === "open" && left === 0;
    this.seal.className = ready ? "button primary" : "button blocked";
    this.seal.textContent = BLOCKED_TEXTS[mode] ?? sealButtonText(left);
    this.seal.setAttribute("aria-disabled", String(!ready));
    this.paint();
  }

  /**
   * Speaks the rest politely, after a change of it; never at first.
   *
   * @param {TrayState["mode"]} mode
   * @param {number} left
   */
  speak(mode, left) {
    const known = this.spoken;
    this.spoken = mode === "open" ? left : null;
    if (known == null || this.spoken === null || known === left) return;
    this.said.textContent = restSentence(left);
  }

  boxes() {
    const { clientWidth, clientHeight } = this.places;
    return trayPlaces(clientWidth, clientHeight, this.state?.total ?? 0);
  }

  paint() {
    if (!this.state || this.places.clientWidth === 0) return;
    const { ctx } = fitCanvas(this.places);
    const colours = palette();
    const { left, lifted, role } = this.state;
    const full = left - (lifted ? 1 : 0);
    this.boxes().forEach((box, index) => {
      if (index < full) drawBlock(ctx, box, role, colours);
      else this.paintEmpty(ctx, box, colours);
    });
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Box} box
   * @param {Palette} colours
   */
  paintEmpty(ctx, box, colours) {
    ctx.strokeStyle = colours.edge;
    ctx.lineWidth = 1;
    ctx.lineCap = "round";
    ctx.setLineDash([3, 2.5]);
    ctx.strokeRect(box.x + 0.5, box.y + 1.5, box.width - 1, (box.width * 2) / 3);
    ctx.setLineDash([]);
  }

  /**
   * Returns whether a block lies at a point of the page.
   *
   * @param {Point} point
   * @param {Element} element
   */
  holds(point, element) {
    if (element !== this.places || this.state === null) return false;
    const box = element.getBoundingClientRect();
    const at = { x: point.x - box.left, y: point.y - box.top };
    return this.boxes()
      .slice(0, this.state.left)
      .some((place) => isIn(place, at, 8));
  }
}
