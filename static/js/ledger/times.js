/** Time that nobody pays for, in words. Pure. */

import { t } from "../text.js";

const SECOND = 1000;

/** That no server was there for so long (in ms), and what that means: two sentences. */
export function awayWords(ms) {
  const count = Math.max(1, Math.round(ms / SECOND));
  return [t("The server was away for {count} s.", { count }), t("No clock paid for it.")];
}

/** That an action was under way for so long. */
export function lagWords(ms) {
  return t("+{ms} ms for the line", { ms });
}
