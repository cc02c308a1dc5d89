/**
 * Recompute a game's ledger: the hash of every entry and the fingerprint of every seal. Pure.
 *
 * A ledger is {game, key, rev, head, entries: [{text, hash}, …]}, oldest entry first.
 */

import { sha256 } from "./sha256.js";

/** The hash before the first entry. */
export const GENESIS = "0".repeat(64);

const SEAL_FORMAT = "quiver seal 1"; // the first line of a commitment's text

/**
 * The hash of an entry, from the hash before it and its text.
 *
 * @param {string} previous
 * @param {string} text
 */
export function entryHash(previous, text) {
  return sha256(`${previous}\n${text}`);
}

/**
 * Returns the commitment that is published when a role seals an action.
 *
 * @param {{ game: string, step: number | undefined, role: string, action: string, salt: string }} seal
 */
export function commitmentOf({ game, step, role, action, salt }) {
  return sha256([SEAL_FORMAT, game, step, role, action, salt].join("\n"));
}

/**
 * Parses the text of an entry; null if it is no JSON object.
 *
 * @param {string} text
 * @returns {Wire.LedgerEntry | null}
 */
export function parseEntry(text) {
  try {
    const entry = JSON.parse(text);
    return typeof entry === "object" ? entry : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The faults of one entry, by the entry before it and its hash.
 *
 * @param {Wire.LedgerRow} row
 * @param {Wire.LedgerEntry | null} entry
 * @param {Wire.LedgerEntry | null} before
 * @param {string} previous
 * @param {string} game
 */
function linkFaults({ text, hash }, entry, before, previous, game) {
  const faults = [];
  if (entryHash(previous, text) !== hash) faults.push("hash");
  if (entry === null) return [...faults, "unreadable"];
  if (entry.game !== game) faults.push("game");
  if (before !== null && entry.rev !== before.rev + 1) faults.push("gap");
  return faults;
}

/**
 * The faults of the actions that an entry opens; `waiting`: role to the commitment that waited for it.
 *
 * @param {Pick<Wire.LedgerEntry, "game" | "role" | "body">} entry
 * @param {Map<string, string>} waiting
 */
function sealFaults({ game, role, body }, waiting) {
  const faults = [];
  for (const [side, seal] of Object.entries(body.reveal ?? {})) {
    const opened = commitmentOf({ game, step: body.step, role: side, ...seal });
    const sealed = side === role ? body.commitment : waiting.get(side);
    if (opened !== sealed) faults.push("seal");
  }
  return faults;
}

/** Follows the seals of a game from entry to entry. */
class Seals {
  constructor() {
    /** @type {Map<string, string>} */
    this.waiting = new Map();
    /** @type {number | null | undefined} */
    this.step = null;
    this.opened = 0;
  }

  /**
   * The faults that show with one more entry.
   *
   * @param {Wire.LedgerEntry} entry
   */
  take({ game, kind, role, body }) {
    if (kind !== "act" || !body?.commitment) return [];
    const isSecond = this.step === body.step && this.waiting.size > 0;
    if (!body.reveal) {
      if (!isSecond) this.waiting.clear();
      this.step = body.step;
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
 * {entries, seals: how many were computed, faults: [{index, rev, kind}]}. Kinds: `hash` the text
 * does not match its hash; `unreadable`; `game` of another one; `gap` an entry is missing;
 * `seal` the opened action is not the sealed one; `unopened`; `head` the end is not the last entry.
 *
 * @param {Wire.Ledger} ledger
 */
export function checkLedger({ game, rev, head, entries }) {
  /** @type {LedgerFault[]} */
  const faults = [];
  const seals = new Seals();
  let previous = GENESIS;
  /** @type {Wire.LedgerEntry | null} */
  let before = null;
  for (const [index, each] of entries.entries()) {
    const entry = parseEntry(each.text);
    const kinds = linkFaults(each, entry, before, previous, game);
    if (entry !== null) kinds.push(...seals.take(entry));
    faults.push(...kinds.map((kind) => ({ index, rev: entry?.rev ?? null, kind })));
    previous = each.hash;
    before = entry;
  }
  const ends = entries.length > 0 && head === previous && (before === null || rev === before.rev);
  if (!ends) faults.push({ index: entries.length - 1, rev: null, kind: "head" });
  return { entries: entries.length, seals: seals.opened, faults };
}
