/**
 * The bar that says who is ahead, the tint of the squares behind it, and the piece slots at the names.
 *
 * Its place stands in the page's grid from the start, so nothing moves when it is filled.
 */

import { squaresOf } from "../drawing/geometry.js";
import { makeElement } from "../lib/dom.js";
import { familyOf, OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { PINCER_PIECES, standingOf, standingSentence } from "./standing.js";

const SVG = "http://www.w3.org/2000/svg";

/** A piece in a slot of 12 × 12. @type {Wire.ByRole<string>} */
const PIECE_PATHS = { white: "M6 1.5 11 10.5H1Z", black: "M6 1.5a4.5 4.5 0 1 0 .01 0Z" };

/**
 * @param {Role} role
 * @param {boolean} lost
 */
function slotOf(role, lost) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("class", lost ? "slot lost" : "slot");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PIECE_PATHS[role]);
  svg.append(path);
  return svg;
}

/**
 * The pieces that a side has, lost ones hollow.
 *
 * @param {HTMLElement} place
 * @param {Role} role
 * @param {number} count
 */
function showSlots(place, role, count) {
  const label = t("{count} of {all} pieces", { count, all: PINCER_PIECES });
  const key = `${role} ${label}`;
  if (place.dataset.slots === key) return;
  place.dataset.slots = key;
  place.setAttribute("aria-label", label);
  place.title = label;
  place.hidden = false;
  const slots = Array.from({ length: PINCER_PIECES }, (_, index) => slotOf(role, index >= count));
  place.replaceChildren(...slots);
}

/** The tint of squares by the side that they count for, over the board and under the pointer. */
class TerritoryTint {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    this.element = makeElement("div", "territory", { "aria-hidden": "true" });
  }

  /**
   * @param {Territory} squares
   * @param {BoardSize} size
   * @param {Role} low
   */
  show(squares, { columns, rows }, low) {
    const { left, top, width, height } = this.board.querySelector(".grid")?.style ?? {};
    Object.assign(this.element.style, { left, top, width, height });
    this.element.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    const names = squaresOf(columns, rows);
    if (low === "black") names.reverse();
    const owners = new Map();
    for (const owner of /** @type {const} */ (["white", "black", "contested"])) {
      for (const square of squares[owner]) owners.set(square, owner);
    }
    this.element.replaceChildren(
      ...names.map((name) => makeElement("i", owners.get(name) ?? "none")),
    );
    this.board.append(this.element);
  }

  hide() {
    this.element.remove();
  }
}

export class Balance {
  /**
   * `strips` are the players' strips; in Blotto there is no board to tint. A notice has the bar's sentence
   * while the bar is pointed at.
   *
   * @param {HTMLElement} element
   * @param {HTMLElement[]} strips
   * @param {import("../game/notices.js").Notices} notices
   */
  constructor(element, strips, notices) {
    this.notices = notices;
    this.sentence = "";
    const board = document.getElementById("board");
    this.element = element;
    this.strips = strips;
    this.tint = board && new TerritoryTint(board);
    /** Of the regions that decide; see certainty.js. */
    this.lit = board && new TerritoryTint(board);
    this.isTinted = false;
    this.key = "";
    /** @type {{ standing: Standing, size: BoardSize, low: Role } | null} */
    this.shown = null;
    const on = () => this.setTint(true);
    const off = () => this.setTint(false);
    element.addEventListener("pointerenter", on);
    element.addEventListener("pointerleave", off);
    element.addEventListener("pointercancel", off);
    element.addEventListener("focusin", on);
    element.addEventListener("focusout", off);
    element.addEventListener("contextmenu", (event) => {
      if (this.isTinted) event.preventDefault(); // a long press holds the tint
    });
  }

  /**
   * Shows the standing of the position `view`, or nothing where this page may show none.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {Wire.View} view
   * @param {Role} low
   */
  show(snapshot, view, low) {
    const key = JSON.stringify([snapshot.you, snapshot.status, view, low]);
    if (key !== this.key) {
      this.key = key;
      const standing = standingOf(snapshot, view);
      this.fill(snapshot, standing, low);
      const size = "board" in view && view.board ? view : null;
      this.shown = standing &&
        size && { standing, low, size: { columns: size.width, rows: size.height } };
      this.setTint(this.isTinted);
    }
    const pieces =
      "board" in view && familyOf(snapshot.key) === "pincer" && this.shown?.standing.pieces;
    if (pieces) this.showPieces(pieces);
  }

  /** @param {Wire.ByRole<number>} pieces */
  showPieces(pieces) {
    for (const strip of this.strips) {
      const role = strip.dataset.role === "black" ? "black" : "white";
      const place = strip.querySelector(".slots");
      if (place) showSlots(place, role, pieces[role]);
    }
  }

  /**
   * @param {Wire.Snapshot} snapshot
   * @param {Standing | null} standing
   * @param {Role} low
   */
  fill(snapshot, standing, low) {
    this.sentence = standing ? standingSentence(standing, snapshot, low) : "";
    if (standing === null) {
      this.element.replaceChildren();
      return;
    }
    const high = OTHER[low];
    const rest = standing.total - standing.white - standing.black;
    const meter = makeElement("div", "meter number", {
      role: "meter",
      "aria-label": t("Who is ahead"),
      "aria-valuemin": 0,
      "aria-valuemax": standing.total,
      "aria-valuenow": standing[low],
      "aria-valuetext": this.sentence,
    });
    if (standing.squares) meter.tabIndex = 0;
    meter.dataset.key = familyOf(snapshot.key);
    const bar = makeElement("div", "meter-bar");
    const middle = makeElement("i", "middle");
    if (standing.middle !== "") middle.append(makeElement("b", "", {}, standing.middle));
    /** @type {[HTMLElement, number][]} */
    const parts = [
      [makeElement("i", high), standing[high]],
      [middle, rest],
      [makeElement("i", low), standing[low]],
    ];
    for (const [part, share] of parts) {
      part.style.flexGrow = String(share);
      if (share > 0 || part === middle) bar.append(part);
    }
    /** @param {Role} role */
    const number = (role) => makeElement("b", `end ${role}`, {}, String(standing[role]));
    meter.append(number(high), bar, number(low));
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(meter);
    if (hadFocus) meter.focus();
  }

  /** @param {boolean} on */
  setTint(on) {
    this.isTinted = on;
    if (on && this.sentence) this.notices.show("balance", [this.sentence, ""]);
    else this.notices.hide("balance");
    const { shown } = this;
    if (on && shown?.standing.squares) {
      this.tint?.show(shown.standing.squares, shown.size, shown.low);
    } else this.tint?.hide();
  }
}
