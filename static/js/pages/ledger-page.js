/**
 * Entry of a ledger: shows the entries, compares them with this tab's receipts, and checks them.
 *
 * Each entry is a line that opens to its exact text and hash.
 */

import "./base.js";
import { checkLedger, parseEntry } from "../ledger/chain.js";
import {
  checkSentences,
  clocksText,
  entrySentence,
  faultSentence,
  receiptSentences,
} from "../ledger/entry-sentences.js";
import { compareReceipts } from "../ledger/proof.js";
import { GameReceipts } from "../ledger/receipts.js";
import { lagText } from "../lib/clock.js";
import { byId, makeElement, readJson } from "../lib/dom.js";
import { shortHash } from "../lib/game-words.js";
import { t } from "../lib/text.js";

const language = document.documentElement.lang;

const TIME = new Intl.DateTimeFormat(language, { timeStyle: "medium", hourCycle: "h23" });

const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });

/**
 * Makes the time of receipt, with the day only where the entry before has another one.
 *
 * @param {number} at
 * @param {number | null} before
 */
function timeOf(at, before) {
  const moment = new Date(at);
  const time = makeElement("time", "entry-time number", { datetime: moment.toISOString() });
  const day = DAY.format(moment);
  const isSame = before !== null && DAY.format(new Date(before)) === day;
  time.textContent = isSame ? TIME.format(moment) : `${day}, ${TIME.format(moment)}`;
  return time;
}

/**
 * @param {unknown} at
 * @returns {at is number}
 */
const isTime = (at) => Number.isSafeInteger(at) && Math.abs(Number(at)) <= 8.64e15;

/** @param {Wire.LedgerRow} row */
function exactOf({ text, hash }) {
  const exact = makeElement("dl", "exact");
  for (const [name, value] of [
    [t("Text"), text],
    [t("Hash"), hash],
  ]) {
    const line = makeElement("div", "");
    line.append(makeElement("dt", "note", {}, name), makeElement("dd", "digits", {}, value));
    exact.append(line);
  }
  return exact;
}

/**
 * Returns the details below the sentence: clocks, the credit for lag, and the receipt.
 *
 * @param {Wire.LedgerEntry} entry
 * @param {NamedGame} game
 * @param {KeptReceipt | undefined} receipt
 */
function detailsOf(entry, game, receipt) {
  const more = [clocksText(entry, game.seats), entry.lag ? lagText(entry.lag) : ""];
  if (receipt) more.push(t("✓ your receipt"));
  return more.filter(Boolean).join(" · ");
}

/**
 * The entry's sentence; null for one of a shape that no server writes.
 *
 * @param {Wire.LedgerEntry} entry
 * @param {NamedGame} game
 */
function sentenceOf(entry, game) {
  try {
    return entrySentence(entry, game) ?? null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * One entry; `game`: {key, seats}, `before`: when the one above it was received, or null.
 *
 * @param {Wire.LedgerRow} each
 * @param {number} index
 * @param {NamedGame} game
 * @param {{ receipt?: KeptReceipt, before: number | null }} context
 */
export function rowOf(each, index, game, { receipt, before }) {
  const entry = parseEntry(each.text) ?? /** @type {Wire.LedgerEntry} */ ({});
  const row = makeElement("li", "entry", { "data-index": index });
  const [opens, head] = [makeElement("details", ""), makeElement("summary", "")];
  const words = sentenceOf(entry, game) ?? t("This entry can’t be read.");
  head.append(
    makeElement("span", "entry-rev number", {}, String(entry.rev ?? "?")),
    makeElement("span", "entry-what", {}, words),
  );
  if (isTime(entry.at)) head.append(timeOf(entry.at, before));
  head.append(makeElement("span", "entry-more number", {}, detailsOf(entry, game, receipt)));
  head.append(makeElement("span", "entry-hash number", {}, shortHash(each.hash)));
  opens.append(head, exactOf(each));
  row.append(opens);
  return row;
}

/**
 * All entries, oldest first; `fits`: receipts by the entry's index.
 *
 * @param {Wire.Ledger} ledger
 * @param {NamedGame} game
 * @param {Map<number, KeptReceipt>} fits
 */
export function rowsOf({ entries }, game, fits) {
  const times = entries.map(({ text }) => parseEntry(text)?.at ?? null);
  return entries.map((each, index) =>
    rowOf(each, index, game, { receipt: fits.get(index), before: times[index - 1] ?? null }),
  );
}

/** @param {string} id */
const part = (id) => byId(id);

/** @type {Wire.Ledger} */
const ledger = readJson("ledger");

/**
 * Returns the names that the entries leave out.
 *
 * @param {Wire.Ledger} ledger
 */
function gameOf({ key }) {
  const { white = "", black = "" } = part("entries").dataset;
  return { key, seats: { white: { name: white }, black: { name: black } } };
}

/**
 * Says something in a box with a tick, or with a cross where something is wrong.
 *
 * @param {HTMLElement} box
 * @param {boolean} isWell
 * @param {string[]} sentences
 */
function showFinding(box, isWell, sentences) {
  const notice = makeElement("div", "finding", { "data-well": isWell });
  const words = makeElement("div", "");
  words.append(
    ...sentences.map((text, index) => makeElement(index ? "p" : "strong", "", {}, text)),
  );
  notice.append(
    makeElement("span", "finding-mark", { "aria-hidden": "true" }, isWell ? "✓" : "✕"),
    words,
  );
  box.replaceChildren(notice);
  box.hidden = false;
}

/**
 * Marks the entries in which something is wrong, and opens them.
 *
 * @param {LedgerFault[]} faults
 */
function markFaults(faults) {
  document.querySelectorAll(".entry-fault").forEach((each) => each.remove());
  for (const fault of faults) {
    const row = document.querySelector(`.entry[data-index="${fault.index}"] summary`);
    row?.append(makeElement("span", "entry-fault", {}, `✕ ${faultSentence(fault)}`));
  }
}

function check() {
  const found = checkLedger(ledger);
  showFinding(part("found"), found.faults.length === 0, checkSentences(found));
  markFaults(found.faults);
}

const receipts = compareReceipts(new GameReceipts(ledger.game).receipts, ledger);

part("entries").replaceChildren(...rowsOf(ledger, gameOf(ledger), receipts.fits));

const receiptFinding = receiptSentences(receipts);

if (receiptFinding) {
  if (!receiptFinding.ok) part("own").setAttribute("role", "alert");
  showFinding(part("own"), receiptFinding.ok, receiptFinding.say);
}

part("check").hidden = false;

part("check").addEventListener("click", check);
