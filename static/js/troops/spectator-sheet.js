/**
 * Blotto for spectators between two reveals: who has locked in, and the past rounds as bars.
 *
 * Everything comes from the snapshot: the roles that have sealed, and rounds that are revealed. A
 * drawing changes only with one of them, never with what somebody is doing.
 */

import { fitCanvas } from "../drawing/canvas.js";
import { palette } from "../drawing/palette.js";
import { find, makeElement } from "../lib/dom.js";
import { FIELDS, OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { drawEnvelope } from "./envelope.js";
import { envelopesOf, roundsByField } from "./past-rounds.js";

/** @type {Record<string, { flap: number, wax: number }>} */
const ENVELOPES = { open: { flap: 0, wax: 0 }, sealed: { flap: 1, wax: 1 } };

/**
 * @param {Role} role
 * @param {number} count
 * @param {number} total
 */
function barOf(role, count, total) {
  const bar = makeElement("i", count === 0 ? `${role} none` : role);
  bar.style.width = `${(100 * count) / total}%`;
  return bar;
}

export class SpectatorSheet {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.key = "";
    this.element = makeElement("div", "spectator-sheet");
    this.element.hidden = true;
    root.append(this.element);
  }

  /**
   * Shows the round that is being played; null: another sheet is shown.
   *
   * @param {Wire.SplitSnapshot | null} snapshot
   * @param {Role} near
   */
  show(snapshot, near) {
    this.element.hidden = snapshot === null;
    if (snapshot === null) return;
    const { view, seats, sealed } = snapshot;
    const key = JSON.stringify([view.splits, seats, sealed, near]);
    if (key === this.key) return;
    this.key = key;
    this.element.replaceChildren(this.envelopes(snapshot, near), this.fields(snapshot, near));
    this.paint();
  }

  /**
   * @param {Wire.SplitSnapshot} snapshot
   * @param {Role} near
   */
  envelopes(snapshot, near) {
    const row = makeElement("div", "spectator-envelopes");
    for (const { role, name, state, word } of envelopesOf(snapshot, near)) {
      const item = makeElement("div", "spectator-envelope", { "data-role": role });
      item.dataset.state = state;
      const words = makeElement("p", "");
      words.append(makeElement("b", "", {}, name), " ", makeElement("span", "small", {}, word));
      item.append(makeElement("canvas", "", { "aria-hidden": "true" }), words);
      row.append(item);
    }
    return row;
  }

  /**
   * @param {Wire.SplitSnapshot} snapshot
   * @param {Role} near
   */
  fields({ view, seats }, near) {
    const far = OTHER[near];
    const row = makeElement("div", "spectator-fields");
    for (const { field, rounds } of roundsByField(view, near)) {
      const column = makeElement("section", "spectator-field");
      const list = makeElement("ol", "number");
      for (const each of rounds) {
        const words = { round: each.round, near: seats[near].name, far: seats[far].name };
        const label = t("Round {round}: {near} {ours}, {far} {theirs}", {
          ...words,
          ours: each.near,
          theirs: each.far,
        });
        const item = makeElement("li", "");
        const drawing = makeElement("span", "spectator-bars", { role: "img", "aria-label": label });
        drawing.append(
          makeElement("b", "", {}, String(each.near)),
          barOf(near, each.near, view.total),
          barOf(far, each.far, view.total),
          makeElement("b", "", {}, String(each.far)),
        );
        item.append(drawing);
        list.append(item);
      }
      column.append(makeElement("h3", "", {}, FIELDS[field] ?? String(field + 1)), list);
      if (rounds.length === 0) column.append(makeElement("p", "small", {}, t("No round yet.")));
      row.append(column);
    }
    return row;
  }

  paint() {
    for (const item of this.element.querySelectorAll(".spectator-envelope")) {
      /** @type {HTMLCanvasElement} */
      const canvas = find(item, "canvas");
      if (canvas.clientWidth === 0) continue;
      const { ctx, width, height } = fitCanvas(canvas);
      drawEnvelope(ctx, { width, height }, ENVELOPES[item.dataset.state ?? "open"], palette());
    }
  }
}
