/** The entries of a ledger on the page: each is a line that opens to its exact text and hash. */

import { make } from "../troops/make.js";
import { t } from "../text.js";
import { entryOf } from "./chain.js";
import { short } from "./mark.js";
import { lagWords } from "./times.js";
import { clockWords, entryWords } from "./words.js";

const language = document.documentElement.lang;
const TIME = new Intl.DateTimeFormat(language, { timeStyle: "medium", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });

/** When it was received: the day only where it is another one than of the entry before. */
function timeOf(at, before) {
  const moment = new Date(at);
  const time = make("time", "entry-time number", { datetime: moment.toISOString() });
  const day = DAY.format(moment);
  const isSame = before !== null && DAY.format(new Date(before)) === day;
  time.textContent = isSame ? TIME.format(moment) : `${day}, ${TIME.format(moment)}`;
  return time;
}

const isTime = (at) => Number.isSafeInteger(at) && Math.abs(at) <= 8.64e15;

function exactOf({ text, hash }) {
  const exact = make("dl", "exact");
  for (const [name, value] of [[t("Text"), text], [t("Hash"), hash]]) {
    const line = make("div", "");
    line.append(make("dt", "note", {}, name), make("dd", "digits", {}, value));
    exact.append(line);
  }
  return exact;
}

/** What stands below the sentence: clocks, the credit for the line, and the receipt. */
function moreOf(entry, game, receipt) {
  const more = [clockWords(entry, game.seats), entry.lag > 0 ? lagWords(entry.lag) : ""];
  if (receipt) more.push(t("✓ your receipt"));
  return more.filter(Boolean).join(" · ");
}

/** The entry's sentence; null for one of a shape that no server writes. */
function wordsOf(entry, game) {
  try {
    return entryWords(entry, game) ?? null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** One entry; `game`: {key, seats}, `before`: when the one above it was received, or null. */
export function rowOf(each, index, game, { receipt, before }) {
  const entry = entryOf(each.text) ?? {};
  const row = make("li", "entry", { "data-index": index });
  const [opens, head] = [make("details", ""), make("summary", "")];
  const words = wordsOf(entry, game) ?? t("This entry cannot be read.");
  head.append(make("span", "entry-rev number", {}, String(entry.rev ?? "?")), make("span", "entry-what", {}, words));
  if (isTime(entry.at)) head.append(timeOf(entry.at, before));
  head.append(make("span", "entry-more number", {}, moreOf(entry, game, receipt)));
  head.append(make("span", "entry-hash number", {}, short(each.hash)));
  opens.append(head, exactOf(each));
  row.append(opens);
  return row;
}

/** All entries, oldest first; `fits`: receipts by the entry's index. */
export function rowsOf({ entries }, game, fits) {
  const times = entries.map(({ text }) => entryOf(text)?.at ?? null);
  return entries.map((each, index) =>
    rowOf(each, index, game, { receipt: fits.get(index), before: times[index - 1] ?? null }),
  );
}
