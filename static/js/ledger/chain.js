/**
 * The ledger of a game, computed anew: what every entry's hash has to be, and every seal's
 * fingerprint. Pure. A ledger is {game, key, rev, head, entries: [{text, hash}, …]}, oldest first.
 */

import { sha256 } from "./sha256.js";

/** What the first entry follows. */
export const GENESIS = "0".repeat(64);

const SEAL = "quiver seal 1"; // the first line of what a commitment is taken over

/** The hash of an entry, from the hash before it and its text. */
export function chained(previous, text) {
  return sha256(`${previous}\n${text}`);
}

/** What is published when a role seals an action. */
export function commitmentOf({ game, turn, role, action, salt }) {
  return sha256([SEAL, game, turn, role, action, salt].join("\n"));
}

/** What a text says; null if it is no JSON object. */
export function entryOf(text) {
  try {
    const entry = JSON.parse(text);
    return typeof entry === "object" ? entry : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The faults of one entry, by the entry before it and its hash. */
function linkFaults({ text, hash }, entry, before, previous, game) {
  const faults = [];
  if (chained(previous, text) !== hash) faults.push("hash");
  if (entry === null) return [...faults, "unreadable"];
  if (entry.game !== game) faults.push("game");
  if (before !== null && entry.rev !== before.rev + 1) faults.push("gap");
  return faults;
}

/** The faults of what an entry opens; `waiting`: role to the commitment that waited for it. */
function sealFaults({ game, role, body }, waiting) {
  const faults = [];
  for (const [side, seal] of Object.entries(body.reveal)) {
    const opened = commitmentOf({ game, turn: body.turn, role: side, ...seal });
    const sealed = side === role ? body.commitment : waiting.get(side);
    if (opened !== sealed) faults.push("seal");
  }
  return faults;
}

/** Follows the seals of a game from entry to entry. */
class Seals {
  constructor() {
    this.waiting = new Map();
    this.turn = null;
    this.opened = 0;
  }

  /** The faults that show with one more entry. */
  take({ game, kind, role, body }) {
    if (kind !== "act" || !body?.commitment) return [];
    const isSecond = this.turn === body.turn && this.waiting.size > 0;
    if (!body.reveal) {
      if (!isSecond) this.waiting.clear();
      this.turn = body.turn;
      this.waiting.set(role, body.commitment);
      return isSecond ? ["unopened"] : [];
    }
    const faults = sealFaults({ game, role, body }, this.waiting);
    this.opened += Object.keys(body.reveal).length;
    this.waiting.clear();
    return faults;
  }
}

/**
 * {entries, seals: how many were computed, faults: [{index, rev, kind}]}. Kinds: `hash` the text is
 * not what the hash was taken of; `unreadable`; `game` of another one; `gap` an entry is missing;
 * `seal` what was opened is not what was sealed; `unopened`; `head` the end is not the last entry.
 */
export function checked({ game, rev, head, entries }) {
  const faults = [];
  const seals = new Seals();
  let [previous, before] = [GENESIS, null];
  entries.forEach((each, index) => {
    const entry = entryOf(each.text);
    const kinds = linkFaults(each, entry, before, previous, game);
    if (entry !== null) kinds.push(...seals.take(entry));
    faults.push(...kinds.map((kind) => ({ index, rev: entry?.rev ?? null, kind })));
    [previous, before] = [each.hash, entry];
  });
  const ends = entries.length > 0 && head === previous && (before === null || rev === before.rev);
  if (!ends) faults.push({ index: entries.length - 1, rev: null, kind: "head" });
  return { entries: entries.length, seals: seals.opened, faults };
}
