/** The page of a ledger: shows the entries, compares them with this tab's receipts, and checks them. */

import { make } from "../troops/make.js";
import { checked } from "./chain.js";
import { Memory } from "./memory.js";
import { compared } from "./proof.js";
import { rowsOf } from "./rows.js";
import { checkWords, faultWords, receiptWords } from "./words.js";

const part = (id) => document.getElementById(id);

const ledger = JSON.parse(part("ledger").textContent);

/** What the entries leave out: they hold roles, and no names. */
function gameOf({ key }) {
  const { white, black } = part("entries").dataset;
  return { key, seats: { white: { name: white }, black: { name: black } } };
}

/** Says something in a box with a tick, or with a cross where something is wrong. */
function tell(box, isWell, sentences) {
  const notice = make("div", "finding", { "data-well": isWell });
  const words = make("div", "");
  words.append(...sentences.map((text, index) => make(index ? "p" : "strong", "", {}, text)));
  notice.append(make("span", "finding-mark", { "aria-hidden": "true" }, isWell ? "✓" : "✕"), words);
  box.replaceChildren(notice);
  box.hidden = false;
}

/** Marks the entries in which something is wrong, and opens them. */
function mark(faults) {
  document.querySelectorAll(".entry-fault").forEach((each) => each.remove());
  for (const fault of faults) {
    const row = document.querySelector(`.entry[data-index="${fault.index}"] summary`);
    row?.append(make("span", "entry-fault", {}, `✕ ${faultWords(fault)}`));
  }
}

function check() {
  const found = checked(ledger);
  tell(part("found"), found.faults.length === 0, checkWords(found));
  mark(found.faults);
}

const receipts = compared(new Memory(ledger.game).receipts, ledger);
part("entries").replaceChildren(...rowsOf(ledger, gameOf(ledger), receipts.fits));
const own = receiptWords(receipts);
if (own) {
  if (!own.ok) part("own").setAttribute("role", "alert");
  tell(part("own"), own.ok, own.say);
}
part("check").hidden = false;
part("check").addEventListener("click", check);
