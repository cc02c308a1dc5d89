/** The sheet with the rules of this game: in the panel, on narrow pages from the bottom edge. */

import { makeElement } from "../lib/dom.js";
import { gameName } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { rulesSheetOf } from "../teach/rules-words.js";
import { drawThumbnail } from "./thumbnail.js";

/**
 * @param {string} key
 * @param {RulesPicture} picture
 */
function canvasOf(key, picture) {
  const canvas = /** @type {HTMLCanvasElement} */ (
    makeElement("canvas", "rules-picture", { "aria-hidden": "true" })
  );
  drawThumbnail(canvas, { key, ...picture });
  return canvas;
}

/**
 * @param {string} key
 * @param {{ picture: RulesPicture, say: string }} shown
 * @param {string} tag
 * @param {string} [className]
 */
function figureOf(key, { picture, say }, tag, className = "") {
  const figure = makeElement(tag, className);
  figure.append(canvasOf(key, picture), makeElement("p", "", {}, say));
  return figure;
}

/**
 * @param {Wire.Snapshot} snapshot
 * @param {string} lesson address of the lesson
 * @param {() => void} close
 */
function contentOf(snapshot, lesson, close) {
  const { key } = snapshot;
  const { goal, picture, turn, steps, ends } = rulesSheetOf(key, {
    isCounted: snapshot.count !== null,
  });
  const head = makeElement("div", "setup-head");
  const shut = makeElement("button", "button plain", { type: "button" }, t("Close"));
  shut.addEventListener("click", close);
  head.append(makeElement("h2", "", { id: "rules-name" }, gameName(snapshot)), shut);
  const pair = makeElement("ol", "rules-pair");
  pair.append(...steps.map((step) => figureOf(key, step, "li")));
  const list = makeElement("ul", "rules-ends");
  list.append(...ends.map((end) => makeElement("li", "", {}, end)));
  const more = makeElement("p", "setup-more");
  const link = makeElement("a", "", { href: lesson }, t("The full lesson, with positions to try"));
  more.append(link);
  return [
    head,
    figureOf(key, { picture, say: goal }, "div", "rules-goal"),
    makeElement("h3", "", {}, turn),
    pair,
    makeElement("h3", "", {}, t("The end")),
    list,
    more,
  ];
}

export class RulesSheet {
  /**
   * `panel`: where the sheet lies while the page has room beside the board, which `isNarrow()` denies.
   *
   * @param {HTMLElement} opener
   * @param {{ panel: HTMLElement, snapshot: Wire.Snapshot, isNarrow: () => boolean }} options
   */
  constructor(opener, { panel, snapshot, isNarrow }) {
    this.opener = opener;
    this.isNarrow = isNarrow;
    const attributes = { id: "rules", "aria-labelledby": "rules-name" };
    this.dialog = /** @type {HTMLDialogElement} */ (
      makeElement("dialog", "setup rules", attributes)
    );
    const lesson = opener.dataset.lesson ?? "";
    this.dialog.append(...contentOf(snapshot, lesson, () => this.close()));
    panel.append(this.dialog);
    this.dialog.addEventListener("close", () => this.handleClose());
    document.addEventListener("pointerdown", (event) => this.handlePress(event), true);
    document.addEventListener("keydown", (event) => this.handleKey(event), true);
  }

  toggle() {
    if (this.dialog.open) this.close();
    else this.open();
  }

  open() {
    if (this.isNarrow()) this.dialog.showModal();
    else this.dialog.show();
    this.opener.setAttribute("aria-expanded", "true");
    this.dialog.scrollTop = 0;
  }

  /** Closes the sheet; the focus goes back to its button if it was in the sheet. */
  close() {
    const inside = this.dialog.contains(document.activeElement);
    this.dialog.close();
    if (inside) this.opener.focus();
  }

  handleClose() {
    this.opener.setAttribute("aria-expanded", "false");
    if (document.activeElement === document.body) this.opener.focus();
  }

  /** A press outside closes the sheet; its button does so itself. @param {PointerEvent} event */
  handlePress(event) {
    const { dialog, opener } = this;
    const target = /** @type {Node} */ (event.target);
    if (!dialog.open || opener.contains(target)) return;
    if (target === dialog ? !isWithin(dialog, event) : !dialog.contains(target)) this.close();
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.key !== "Escape" || !this.dialog.open) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  }
}

/**
 * Whether a press lies in the box of an element, and not on its backdrop.
 *
 * @param {HTMLElement} element
 * @param {PointerEvent} event
 */
function isWithin(element, { clientX, clientY }) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
