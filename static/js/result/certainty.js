/**
 * Says in a decided position who has won and why, and lights the regions of the proof on the board; has
 * the toggle "Territory".
 *
 * For spectators of casual games, and for everybody after the end. The server computes it for each
 * position.
 */

import { squaresOf } from "../drawing/geometry.js";
import { decidedNotice, litSquares, stepsUntil } from "./decided-notice.js";
import { TerritoryToggle } from "./territory-toggle.js";

/** Delay from showing a position to the request about it, ms. */
const SETTLED_MS = 300;

/**
 * Draws a line around each region, where the next square belongs to another one.
 *
 * @param {HTMLCollection} cells of the board, from its upper left corner
 * @param {string[]} regions names of squares with blanks between
 * @param {BoardSize} size
 * @param {Role} low
 */
function drawOutlines(cells, regions, { columns, rows }, low) {
  const order = squaresOf(columns, rows);
  if (low === "black") order.reverse();
  const region = new Map();
  regions.forEach((text, index) => {
    for (const name of text.split(" ")) region.set(name, index);
  });
  order.forEach((name, at) => {
    if (!region.has(name)) return;
    /** @type {[string, number, boolean][]} */
    const sides = [
      ["Top", at - columns, at >= columns],
      ["Bottom", at + columns, at + columns < order.length],
      ["Left", at - 1, at % columns > 0],
      ["Right", at + 1, (at + 1) % columns > 0],
    ];
    const cell = /** @type {HTMLElement} */ (cells[at]);
    for (const [side, next, exists] of sides) {
      const isInside = exists && region.get(order[next]) === region.get(name);
      if (!isInside)
        cell.style.setProperty(`border-${side.toLowerCase()}`, "2px solid var(--mark)");
    }
  });
}

export class Certainty {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    this.key = "";
    this.timer = 0;
    const button = document.getElementById("territory");
    this.territory = button && new TerritoryToggle(game, button);
  }

  /** Asks about the position that is shown, unless it has been asked. */
  show() {
    const { gate, replay, record, low } = this.game;
    const { takebacks } = gate.snapshot;
    const step = stepsUntil(record.turns(), replay.shown);
    const key = JSON.stringify([takebacks, step, low, gate.snapshot.status]);
    if (key === this.key) return;
    this.key = key;
    this.territory?.show(null);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask(step, key), SETTLED_MS);
  }

  /**
   * @param {number} step
   * @param {string} key
   */
  async ask(step, key) {
    // Without a connection nothing is shown; the page says elsewhere that it is lost.
    const answer = await fetch(`standing?step=${step}`).catch(() => null);
    /** @type {PositionStanding | null} */
    const standing = answer?.ok ? await answer.json() : null;
    if (this.key !== key) return;
    this.territory?.show(standing);
    if (this.game.gate.snapshot.claims) this.tell(standing?.decided ?? null);
  }

  /** @param {Decided | null} decided null: not decided, or the server could not be asked */
  tell(decided) {
    const { later, panel, gate } = this.game;
    if (decided) panel.notices.show("decided", decidedNotice(decided, gate.snapshot));
    else panel.notices.hide("decided");
    later.balance(({ lit }) => {
      lit?.hide();
      if (lit && decided) this.light(decided, lit);
    });
  }

  /**
   * Lights the regions of a proof on the board.
   *
   * @param {Decided} decided
   * @param {NonNullable<import("./balance.js").Balance["lit"]>} tint
   */
  light(decided, tint) {
    const { gate, low } = this.game;
    const { view } = gate.snapshot;
    if (!("board" in view) || !view.board) return;
    const size = { columns: view.width, rows: view.height };
    tint.show(litSquares(decided), size, low);
    drawOutlines(tint.element.children, [...decided.own, ...decided.open], size, low);
  }
}
