/** Territory in Amazons: the regions of the shown position, with their certain moves or squares. */

import { byId, makeElement } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { countsMoves, regionText, standingText } from "../result/territory-text.js";

export class TerritoryPanel {
  /**
   * @param {EngineKey} key
   * @param {object} options
   * @param {Wire.ByRole<string>} options.names
   * @param {(isOn: boolean) => void} options.onTurn has the server asked about each position, or no more
   * @param {(regions: readonly BoardRegion[]) => void} options.onRegions takes the regions, to draw them
   */
  constructor(key, { names, onTurn, onRegions }) {
    this.names = names;
    this.onTurn = onTurn;
    this.onRegions = onRegions;
    this.isMoves = countsMoves(key);
    this.isOn = false;
    /** @type {PositionStanding | null} */
    this.standing = null;
    this.toggle = byId("territory-toggle");
    this.toggle.addEventListener("click", () => this.turn(!this.isOn));
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.toggle.textContent = isOn ? t("Hide territory") : t("Show territory");
    this.onTurn(isOn);
    this.write();
  }

  /** @param {PositionStanding | null} standing null: not known yet */
  show(standing) {
    if (standing === this.standing) return;
    this.standing = standing;
    this.write();
  }

  write() {
    const standing = this.isOn ? this.standing : null;
    const regions = standing?.regions ?? [];
    this.onRegions(regions);
    byId("territory-say").textContent = standing
      ? standingText(standing, this.names, this.isMoves)
      : "";
    byId("territory-regions").replaceChildren(
      ...regions.map((region) =>
        makeElement("li", "", {}, regionText(region, this.names, this.isMoves)),
      ),
    );
  }
}
