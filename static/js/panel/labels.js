/** Names that come over the wire in English, in the reader's language. Pure. */

import { t, tn } from "../text.js";

const NAMES = {
  "amazons-10x10": t("Amazons"),
  "amazons-8x8": t("Amazons 8×8"),
  amazons: t("Amazons, free arrow"),
  blotto: t("Colonel Blotto"),
  pincer: t("Pincer"),
};

/** The name of a rule set; the server's own where the page knows none. */
export function gameName({ key, name }) {
  return NAMES[key] ?? name;
}

const SECOND = 1000;
const DAY = 86_400_000;

/** Each kind of clock: `split` says that a go is called a round. */
const CLOCKS = {
  none: () => t("no clock"),
  days: ({ initial }, split) => {
    const days = Math.round(initial / DAY);
    return split
      ? tn("{count} day a round", "{count} days a round", days)
      : tn("{count} day a go", "{count} days a go", days);
  },
  limit: ({ initial }, split) => {
    const seconds = Math.round(initial / SECOND);
    const count = seconds % 60 === 0 ? seconds / 60 : seconds;
    if (seconds % 60 === 0) {
      return split ? t("{count} min a round", { count }) : t("{count} min a go", { count });
    }
    return split ? t("{count} s a round", { count }) : t("{count} s a go", { count });
  },
};

/** The clock's rule: "5 + 3", "30 s a round", "2 days a go", "no clock". */
export function clockLabel({ key, clock }) {
  return CLOCKS[clock.kind]?.(clock, key === "blotto") ?? clock.label;
}
