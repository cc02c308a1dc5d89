/**
 * The toggle "Territory" of the game page: the regions of the shown position, and their certain moves.
 *
 * For spectators, and for players after the end; the server computes it for each position.
 */

import { drawnRegion } from "../board/regions.js";
import { palette } from "../drawing/palette.js";
import { drawRegions } from "../drawing/regions.js";
import { countsMoves, standingText } from "./territory-text.js";

export class TerritoryToggle {
  /**
   * @param {import("../game/game-page.js").Game} game
   * @param {HTMLElement} button
   */
  constructor(game, button) {
    this.game = game;
    this.button = button;
    this.isOn = false;
    /** @type {PositionStanding | null} */
    this.standing = null;
    /** @type {readonly DrawnRegion[]} */
    this.regions = [];
    this.board = /** @type {import("../board/board.js").Board} */ (game.surface);
    this.board.stage.overlays.push((ctx, layout) =>
      drawRegions(ctx, this.regions, { layout, colours: palette() }),
    );
    button.hidden = false;
    button.addEventListener("click", () => this.turn(!this.isOn));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.button.setAttribute("aria-pressed", String(isOn));
    this.write();
  }

  /** @param {PositionStanding | null} standing null: not known yet */
  show(standing) {
    this.standing = standing;
    this.write();
  }

  write() {
    const { panel, gate } = this.game;
    const { key, seats } = gate.snapshot;
    const standing = this.isOn ? this.standing : null;
    const { board } = this.board.shown.view;
    this.regions = (standing?.regions ?? []).map((region) => drawnRegion(region, board));
    this.board.element.dataset.regions = String(this.regions.length);
    this.board.stage.wake();
    if (!standing) {
      panel.notices.hide("territory");
      return;
    }
    const names = { white: seats.white.name, black: seats.black.name };
    // The notice of a decided game has that sentence already.
    const text = standingText({ ...standing, decided: null }, names, countsMoves(key));
    panel.notices.show("territory", [text, ""]);
  }
}
