/** What receipts and seals prove, compared with what the server shows now. Pure. */

import { OTHER } from "../panel/words.js";
import { t } from "../text.js";
import { commitmentOf, entryOf } from "./chain.js";
import { short } from "./mark.js";

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

/** The sentence about one side's orders, by what `verified` gives; `seen` may also be "last". */
export function verifiedWords({ fits, seen }, { name, commitment }) {
  const values = { name, mark: short(commitment) };
  if (!fits) return t("{name}: the opened orders do not make the fingerprint {mark}. They were changed.", values);
  const SEEN = {
    same: t("{name}: fits {mark}, which this page saw before the orders were opened.", values),
    other: t("{name}: fits {mark}, but before the orders were opened this page saw another one. They were changed.", values),
    last: t("{name}: fits {mark}. This was the last seal: it opened both, so nobody saw it closed.", values),
    unseen: t("{name}: fits {mark}, which this page did not see before the orders were opened.", values),
  };
  return SEEN[seen];
}

/** What a page can say of one side's orders of a resolved turn. */
function sideWords(game, turn, role, memory) {
  const { salt, commitment } = turn.seals[role];
  const action = `troops ${turn.text[role]}`;
  const order = { game: game.game, turn: turn.n, role, action, salt, commitment };
  const result = verified(order, memory.seen(turn.n, role));
  const isLast = result.seen === "unseen" && memory.seen(turn.n, OTHER[role]) !== null;
  const { name } = game.seats[role];
  return verifiedWords(isLast ? { ...result, seen: "last" } : result, { name, commitment });
}

/**
 * What a page can say of the rounds of a game. `turnOf(n)` gives a resolved turn, with its `seals`
 * where it was sealed verifiably; `memory` what the page saw before; `gameOf()` its snapshot.
 */
export function proofsOf(turnOf, memory, gameOf) {
  return {
    verify: (round) => {
      const turn = turnOf(round);
      return Object.keys(turn.seals).map((role) => sideWords(gameOf(), turn, role, memory));
    },
  };
}
