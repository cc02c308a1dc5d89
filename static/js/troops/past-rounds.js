/** Blotto for spectators between two reveals: envelopes, and past rounds by field. Pure. */

import { OTHER } from "../lib/game-words.js";
import { t } from "../lib/text.js";

/**
 * The rounds that are over, by field: [{field, rounds: [{round, near, far}]}].
 *
 * @param {Wire.SplitView} view
 * @param {Role} near
 */
export function roundsByField({ fields, splits }, near) {
  return Array.from({ length: fields }, (_, field) => ({
    field,
    rounds: splits.map((split, index) => ({
      round: index + 1,
      near: split[near][field],
      far: split[OTHER[near]][field],
    })),
  }));
}

/**
 * The two envelopes, the near one first: [{role, name, state, word}].
 *
 * @param {Pick<Wire.SplitSnapshot, "seats" | "sealed">} snapshot
 * @param {Role} near
 */
export function envelopesOf({ seats, sealed }, near) {
  return [near, OTHER[near]].map((role) => {
    const isSealed = sealed.includes(role);
    const state = isSealed ? "sealed" : "open";
    return { role, name: seats[role].name, state, word: isSealed ? t("Locked in") : t("Placing") };
  });
}
