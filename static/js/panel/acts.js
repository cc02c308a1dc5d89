/** The row of side actions. Each has its slot for as long as the game runs, and another set after it. */

import { allow, mean, onEachPress, onPress } from "./guard.js";
import { holdable } from "./hold.js";

const IDS = ["resign", "draw", "takeback", "copy-link", "record", "ledger", "flip", "open-setup"];

export class Acts {
  /** `deeds` has a function for each of: ask(what), resign, abort, offer, askBack, copy, flip, setup. */
  constructor(root, deeds) {
    Object.assign(this, { root, deeds });
    this.parts = Object.fromEntries(IDS.map((id) => [id, root.querySelector(`#${id}`)]));
    const { parts } = this;
    this.hold = holdable(parts.resign, {
      may: () => !this.isBlocked(parts.resign),
      onDone: () => deeds[this.end](),
    });
    onPress(parts.resign, () => {
      if (!this.hold.wasLong) deeds.ask(this.end);
    });
    onPress(parts.draw, () => deeds.offer());
    onPress(parts.takeback, () => deeds.askBack());
    onPress(parts["copy-link"], () => deeds.copy());
    onEachPress(parts.flip, () => deeds.flip());
    onEachPress(parts["open-setup"], () => deeds.setup());
    this.end = "resign";
    this.first = true;
  }

  isBlocked(button) {
    return button.getAttribute("aria-disabled") === "true";
  }

  /** `flips`: there is a board that has two sides. */
  show({ may, you, status, key }, { flips }) {
    const { parts, first } = this;
    const live = status === "live" && you !== null;
    const end = may.includes("abort") ? "abort" : "resign";
    const shown = {
      resign: live,
      draw: live,
      takeback: live && key !== "blotto",
      "copy-link": !live,
      record: status === "over",
      ledger: !live || key === "blotto", // the row of who plays on a board is full: see the settings
      flip: flips,
      "open-setup": true,
    };
    if (end !== this.end) this.hold.cancel();
    this.end = end;
    mean(parts.resign, end, { first });
    allow(parts.resign, may.includes(end));
    allow(parts.draw, may.includes("draw"));
    allow(parts.takeback, may.includes("takeback"));
    for (const [id, on] of Object.entries(shown)) this.swap(parts[id], on);
    this.first = false;
  }

  /** A button that goes with the focus in it hands it to the row. */
  swap(button, on) {
    if (button.hidden === !on) return;
    if (!on && document.activeElement === button) this.root.focus();
    button.hidden = !on;
  }
}
