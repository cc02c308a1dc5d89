/** Compare receipts and seals with the server's present data. Pure. */

import { OTHER, shortHash } from "../lib/game-words.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import { commitmentOf, parseEntry } from "./chain.js";

/**
 * Compares receipts with a ledger: {fits: Map from the entry's index to its receipt, lost: those
 * whose entry is not there, other: those whose entry has another id or hash}.
 *
 * @param {KeptReceipt[]} receipts
 * @param {Pick<Wire.Ledger, "entries">} ledger
 */
export function compareReceipts(receipts, { entries }) {
  const places = new Map(entries.map(({ text }, index) => [parseEntry(text)?.rev, index]));
  /** @type {ReceiptFindings} */
  const found = { fits: new Map(), lost: [], other: [] };
  for (const receipt of receipts) {
    const index = places.get(receipt.rev);
    if (index === undefined) {
      found.lost.push(receipt);
      continue;
    }
    const row = entries[index];
    if (row.hash === receipt.hash && parseEntry(row.text)?.id === receipt.id) {
      found.fits.set(index, receipt);
    } else found.other.push(receipt);
  }
  return found;
}

/**
 * Verifies orders that were opened. `opened`: {game, step, role, action, salt,
 * commitment}; `seen`: the fingerprint that the page saw while they were sealed, or null. Gives
 * {fits: the opened orders make the fingerprint, seen: "same", "other" or "unseen"}.
 *
 * @param {Parameters<typeof commitmentOf>[0] & { commitment: string }} opened
 * @param {string | null} seen
 * @returns {OrdersProof}
 */
export function verifyOrders(opened, seen) {
  const computed = commitmentOf(opened);
  const fits = computed === opened.commitment;
  if (seen === null) return { fits, seen: "unseen" };
  return { fits, seen: seen === computed ? "same" : "other" };
}

/**
 * The sentence about one side's orders, by the result of `verifyOrders`; `seen` may also be "last".
 *
 * @param {OrdersProof} proof
 * @param {{ name: string, commitment: string }} seal
 */
export function verificationSentence({ fits, seen }, { name, commitment }) {
  const values = { name, mark: shortHash(commitment) };
  if (!fits)
    return t(
      "{name}: the revealed orders don’t match the fingerprint {mark}. They were changed.",
      values,
    );
  const SEEN = {
    same: t("{name}: matches {mark}, which this page got before the reveal.", values),
    other: t(
      "{name}: matches {mark}, but this page got a different one before the reveal. The orders were changed.",
      values,
    ),
    last: t("{name}: matches {mark}. These orders came last and were revealed at once.", values),
    unseen: t("{name}: matches {mark}, which this page didn’t get before the reveal.", values),
  };
  return SEEN[seen];
}

/**
 * Returns the sentence about one side's orders of a resolved step.
 *
 * @param {Wire.Snapshot} game
 * @param {Wire.ResolvedStep} step
 * @param {Role} role
 * @param {import("./receipts.js").GameReceipts} receipts
 */
function sideSentence(game, step, role, receipts) {
  const { salt, commitment } = required(step.seals?.[role], `the seal of ${role}`);
  const action = `troops ${step.text[role]}`;
  const order = { game: game.game, step: step.n, role, action, salt, commitment };
  const result = verifyOrders(order, receipts.commitmentSeen(step.n, role));
  const isLast = result.seen === "unseen" && receipts.commitmentSeen(step.n, OTHER[role]) !== null;
  const { name } = game.seats[role];
  return verificationSentence(isLast ? { ...result, seen: "last" } : result, { name, commitment });
}

/**
 * Makes the proofs of a game's rounds. `stepOf(n)` gives a resolved step, with its `seals`
 * where it was sealed verifiably; `receipts` the fingerprints seen before; `gameOf()` the snapshot.
 *
 * @param {(n: number) => Wire.ResolvedStep | undefined} stepOf
 * @param {import("./receipts.js").GameReceipts} receipts
 * @param {() => Wire.Snapshot} gameOf
 */
export function proofsOf(stepOf, receipts, gameOf) {
  return {
    verify: (/** @type {number} */ round) => {
      const step = stepOf(round);
      if (step === undefined) return [];
      return /** @type {Role[]} */ (Object.keys(step.seals ?? {})).map((role) =>
        sideSentence(gameOf(), step, role, receipts),
      );
    },
  };
}
