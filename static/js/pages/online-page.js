/** Entry of the page that searches for an opponent. */

import "./base.js";
import { byId, find, syncRows } from "../lib/dom.js";
import { leaveFor } from "../lib/leave.js";
import { follow } from "../lib/page-connection.js";
import { t, tn } from "../lib/text.js";
import { SearchClient } from "../search/search-client.js";
import { elapsedText } from "../search/search-state.js";

/** Time alone in the search after which the reader is offered alternatives, ms. */
const ALONE_MS = 15_000;

const TICK_MS = 250;

/**
 * The number of people who search. `isLooking`: the reader is one of them.
 *
 * @param {number} total
 * @param {boolean} isLooking
 */
function countText(total, isLooking) {
  if (isLooking && total === 1) return t("No one else is searching yet");
  return total > 0 ? tn("{count} person searching", "{count} people searching", total) : " ";
}

/**
 * Writes a text where it differs: a live region speaks of every change.
 *
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

class OnlinePage {
  constructor() {
    this.looking = byId("looking");
    this.form = byId("search-form");
    this.client = new SearchClient({
      isOpen: !this.looking.hidden,
      isBusy: false,
      onShow: (frame, reaction) => this.show(frame, reaction),
      onState: ({ open }) => this.looking.classList.toggle("offline", !open),
    });
    for (const button of this.looking.querySelectorAll("[data-answer]"))
      button.addEventListener("click", () => this.client.answer(button.dataset.answer === "yes"));
    setInterval(() => this.tick(), TICK_MS);
  }

  /**
   * @param {Wire.SearchState} frame
   * @param {string} reaction
   */
  show(frame, reaction) {
    if (reaction === "enter" && frame.game) {
      leaveFor(frame.game);
      return;
    }
    const isOpen = frame.state === "looking" || frame.state === "asked";
    const isElsewhere = reaction === "another";
    this.looking.hidden = !isOpen && !isElsewhere;
    this.form.hidden = !this.looking.hidden;
    byId("question").hidden = reaction !== "ask";
    byId("cancel").hidden = reaction === "ask" || isElsewhere;
    byId("elsewhere").hidden = !isElsewhere;
    if (isElsewhere) find(byId("elsewhere"), "a").setAttribute("href", frame.game ?? "");
    if (isOpen) showChoices(frame.choices);
    write("looking-terms", frame.terms);
    byId("casual-too").hidden = !frame.only_rated;
    const rated = document.getElementById("open-rated"); // guests have none
    if (rated instanceof HTMLInputElement) rated.value = frame.only_rated ? "yes" : "no";
    write("looking-say", sentenceOf(frame, reaction));
    if (frame.say) this.tell(frame.say);
    this.tick();
  }

  /** @param {string} sentence */
  tell(sentence) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent = sentence;
    byId("online-notice").replaceChildren(notice);
  }

  tick() {
    const { frame } = this.client;
    if (frame === null || this.looking.hidden) return;
    const isLooking = frame.state === "looking";
    const elapsed = this.client.elapsed();
    const shown = frame.asks ? Math.ceil(this.client.remaining() / 1000) * 1000 : elapsed;
    write("looking-time", frame.state === "paired" ? "" : elapsedText(shown));
    byId("meanwhile").classList.toggle("shown", isLooking && elapsed >= ALONE_MS);
  }
}

/** @param {readonly string[]} choices */
function showChoices(choices) {
  syncRows(byId("looking-choices"), choices, {
    keyOf: (choice) => choice,
    make: () => document.createElement("li"),
    show: (row, choice) => {
      if (row.textContent !== choice) row.textContent = choice;
    },
  });
}

/**
 * @param {Wire.SearchState} frame
 * @param {string} reaction
 */
function sentenceOf(frame, reaction) {
  if (reaction === "ask") return frame.offer;
  if (reaction === "another") return t("Your game has opened in another tab.");
  if (frame.state === "asked") return t("Opponent found. Waiting for their answer…");
  return t("Looking for an opponent…");
}

/** The button is off while no game or no pace is chosen. */
function guardForm() {
  const form = byId("search-form");
  /** @type {HTMLButtonElement} */
  const find = byId("find");
  const isChosen = (/** @type {string} */ name) =>
    form.querySelector(`input[name=${name}]:checked`) !== null;
  const check = () => {
    find.disabled = !isChosen("game") || !isChosen("pace");
  };
  form.addEventListener("change", check);
  check();
}

function followCount() {
  let rev = "";
  const subscription = follow("searches", {
    revOf: () => rev || -1,
    onMessage: (message) => {
      if (message.t !== "searches") return;
      const frame = /** @type {Wire.SearchesState} */ (/** @type {unknown} */ (message));
      rev = frame.rev;
      write("looking-count", countText(frame.total, true));
      write("form-count", countText(frame.total, false));
    },
    onOpen: () => {},
    onState: () => {},
  });
  subscription.connect();
}

guardForm();

followCount();

if (byId("looking").dataset.user) new OnlinePage();
