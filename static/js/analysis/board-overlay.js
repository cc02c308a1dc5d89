/** The drawings of an analysis on its board: regions, the best turn, and the threat. */

import { drawnRegion } from "../board/regions.js";
import { palette } from "../drawing/palette.js";
import { drawRegions } from "../drawing/regions.js";
import { drawTurnLines } from "../drawing/turn-lines.js";
import { linesOf } from "./turn-text.js";

export class BoardOverlay {
  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {readonly DrawnRegion[]} */
    this.regions = [];
    /** @type {readonly TurnLine[]} */
    this.best = [];
    /** @type {readonly TurnLine[]} */
    this.threat = [];
    board.stage.overlays.push((ctx, layout) => this.draw(ctx, layout));
  }

  /** @param {readonly BoardRegion[]} regions of the position that is shown */
  showRegions(regions) {
    this.regions = regions.map((region) => drawnRegion(region, this.board.shown.view.board));
    this.refresh();
  }

  /** @param {readonly string[]} actions */
  showBest(actions) {
    this.best = linesOf(actions);
    this.refresh();
  }

  /** @param {readonly string[]} actions */
  showThreat(actions) {
    this.threat = linesOf(actions);
    this.refresh();
  }

  /** Draws again, and lists the drawings in attributes of the element, for tests. */
  refresh() {
    const textOf = (/** @type {readonly TurnLine[]} */ lines) =>
      lines.map(({ start, end, isShot }) => `${start}${isShot ? "/" : "-"}${end}`).join(" ");
    const { dataset } = this.board.element;
    dataset.best = textOf(this.best);
    dataset.threat = textOf(this.threat);
    dataset.regions = String(this.regions.length);
    this.board.stage.wake();
  }

  /**
   * Lines are left out while a turn is composed.
   *
   * @param {CanvasRenderingContext2D} ctx
   * @param {Layout} layout
   */
  draw(ctx, layout) {
    const colours = palette();
    drawRegions(ctx, this.regions, { layout, colours });
    if (this.board.draft?.path.length || this.board.moving) return;
    drawTurnLines(ctx, this.threat, { layout, colours, isThreat: true });
    drawTurnLines(ctx, this.best, { layout, colours, isThreat: false });
  }
}
