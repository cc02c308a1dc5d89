/** The tray under the plots: what is still in hand, its places, and the button that seals. */

import { crisp } from "../board/figure.js";
import { palette } from "../board/palette.js";
import { drawBlock } from "./blocks.js";
import { isIn, trayPlaces } from "./places.js";
import { t } from "../text.js";
import { restWords, sealWords, trayWords } from "./words.js";

/** What the button says when it can't be pressed for another reason than troops in hand. */
const SHUT = { sealed: t("Sealed"), sent: t("Sealing") };

export class Tray {
  constructor(element, onSeal) {
    const part = (id) => element.querySelector(`#${id}`);
    this.element = element;
    this.number = part("in-hand");
    this.words = part("in-hand-words");
    this.places = part("places");
    this.said = part("rest-said");
    this.seal = part("seal");
    this.seal.addEventListener("click", onSeal);
    this.state = null;
    this.spoken = null; // the rest that was spoken last
  }

  /**
   * `state`: {left, total, lifted, role, mode: "open" | "sent" | "sealed"}; a lifted block still
   * counts as in hand while its place is empty.
   */
  show(state) {
    this.state = state;
    const { left, total, mode } = state;
    this.number.textContent = String(left);
    this.words.textContent = trayWords(left, total);
    this.speak(mode, left);
    const ready = mode === "open" && left === 0;
    this.seal.className = ready ? "button primary" : "button blocked";
    this.seal.textContent = SHUT[mode] ?? sealWords(left);
    this.seal.setAttribute("aria-disabled", String(!ready));
    this.paint();
  }

  /** Speaks the rest politely, after a change of it; never at first. */
  speak(mode, left) {
    const known = this.spoken;
    this.spoken = mode === "open" ? left : null;
    if (known == null || this.spoken === null || known === left) return;
    this.said.textContent = restWords(left);
  }

  boxes() {
    const { clientWidth, clientHeight } = this.places;
    return trayPlaces(clientWidth, clientHeight, this.state.total);
  }

  paint() {
    if (!this.state || this.places.clientWidth === 0) return;
    const { ctx } = crisp(this.places);
    const colours = palette();
    const { left, lifted, role } = this.state;
    const full = left - (lifted ? 1 : 0);
    this.boxes().forEach((box, index) => {
      if (index < full) drawBlock(ctx, box, role, colours);
      else this.paintEmpty(ctx, box, colours);
    });
  }

  paintEmpty(ctx, box, colours) {
    ctx.strokeStyle = colours.edge;
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 2.5]);
    ctx.strokeRect(box.x + 0.5, box.y + 1.5, box.width - 1, (box.width * 2) / 3);
    ctx.setLineDash([]);
  }

  /** Whether a block lies at a point of the page. */
  holds(point, element) {
    if (element !== this.places || this.state === null) return false;
    const box = element.getBoundingClientRect();
    const at = { x: point.x - box.left, y: point.y - box.top };
    return this.boxes()
      .slice(0, this.state.left)
      .some((place) => isIn(place, at, 8));
  }
}
