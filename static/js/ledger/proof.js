/** What receipts and seals prove, compared with what the server shows now. Pure. */

import { t } from "../text.js";
import { commitmentOf, entryOf } from "./chain.js";

/** "3f9a 12c0", never broken between lines: what people compare of 64 digits. */
export function short(hash) {
  return `${hash.slice(0, 4)}\u00a0${hash.slice(4, 8)}`;
}

/**
 * What became of receipts in a ledger: {fits: Map from the entry's index to its receipt, lost: those
 * whose entry is not there, other: those whose entry has another id or hash}.
 */
export function compared(receipts, { entries }) {
  const places = new Map(entries.map(({ text }, index) => [entryOf(text)?.rev, index]));
  const found = { fits: new Map(), lost: [], other: [] };
  for (const receipt of receipts) {
    const index = places.get(receipt.rev);
    const row = entries[index];
    if (row === undefined) found.lost.push(receipt);
    else if (row.hash === receipt.hash && entryOf(row.text).id === receipt.id) {
      found.fits.set(index, receipt);
    } else found.other.push(receipt);
  }
  return found;
}

/**
 * What can be said of orders that were opened. `opened`: {game, turn, role, action, salt,
 * commitment}; `seen`: the fingerprint that the page saw while they were sealed, or null. Gives
 * {fits: the opened orders make the fingerprint, seen: "same", "other" or "unseen"}.
 */
export function verified(opened, seen) {
  const computed = commitmentOf(opened);
  const fits = computed === opened.commitment;
  if (seen === null) return { fits, seen: "unseen" };
  return { fits, seen: seen === computed ? "same" : "other" };
}

/** The sentence about one side's orders, by what `verified` gives. */
export function verifiedWords({ fits, seen }, { name, commitment }) {
  const values = { name, mark: short(commitment) };
  if (!fits) return t("{name}: the opened orders do not make the fingerprint {mark}. They were changed.", values);
  const SEEN = {
    same: t("{name}: fits {mark}, which this page saw before the orders were opened.", values),
    other: t("{name}: fits {mark}, but before the orders were opened this page saw another one. They were changed.", values),
    unseen: t("{name}: fits {mark}, which this page did not see before the orders were opened.", values),
  };
  return SEEN[seen];
}

/**
 * What a page can say of the rounds of a game. `turnOf(n)` gives a resolved turn, with its `seals`
 * where it was sealed verifiably; `memory` what the page saw before; `snapshotOf()` the game.
 */
export function proofsOf(turnOf, memory, snapshotOf) {
  const sealsOf = (round) => turnOf(round)?.seals ?? null;
  return {
    may: (round) => sealsOf(round) !== null,
    verify: (round) => {
      const { game, seats } = snapshotOf();
      return Object.entries(sealsOf(round)).map(([role, { salt, commitment }]) => {
        const action = `troops ${turnOf(round).text[role]}`;
        const result = verified({ game, turn: round, role, action, salt, commitment }, memory.seen(round, role));
        return verifiedWords(result, { name: seats[role].name, commitment });
      });
    },
  };
}
