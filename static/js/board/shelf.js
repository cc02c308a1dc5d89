/** Where a plan outlives a reload: the session of this tab. Without storage it lives as long as the page. */

import { readPlan, writePlan } from "./plan.js";

const keyOf = (game) => `quiver-plan-${game}`;

function attempt(deed) {
  try {
    return deed(globalThis.sessionStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

export const SHELF = {
  /** The plan kept for a game; null if none is. */
  load(game) {
    return readPlan(attempt((storage) => storage.getItem(keyOf(game))) ?? "");
  },
  save(plan) {
    attempt((storage) => storage.setItem(keyOf(plan.game), writePlan(plan)));
  },
  drop(game) {
    attempt((storage) => storage.removeItem(keyOf(game)));
  },
};
