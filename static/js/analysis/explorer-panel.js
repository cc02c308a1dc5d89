/** Table of the turns that public games have played from the shown position; a press plays one. */

import { byId, makeElement } from "../lib/dom.js";
import { onReconnect } from "../lib/reconnect.js";
import { t, tn } from "../lib/text.js";
import { percentText } from "./sentences.js";

/** Positions after so many turns of both sides are not counted. */
const MAX_TURNS = 12;

/** Delay from showing a position to the request for its table, ms. */
const DELAY_MS = 200;

/** @type {readonly ("white" | "draws" | "black")[]} */
const RESULTS = ["white", "draws", "black"];

export class ExplorerPanel {
  /**
   * @param {string} language
   * @param {(actions: string[]) => void} onTurn
   */
  constructor(language, onTurn) {
    this.language = language;
    this.onTurn = onTurn;
    this.url = byId("explorer").dataset.url ?? "";
    this.group = /** @type {HTMLSelectElement} */ (byId("explorer-group"));
    this.group.addEventListener("change", () => this.ask());
    /** @type {AnalysisPosition | null} */
    this.position = null;
    /** Answers, by address. @type {Map<string, OpeningTable>} */
    this.tables = new Map();
    this.timer = 0;
    /** Whether the last table asked for could not be had. */
    this.isMissing = false;
    onReconnect(() => {
      if (this.isMissing) this.ask();
    });
  }

  /** @param {AnalysisPosition} position */
  show(position) {
    if (this.position === position) return;
    this.position = position;
    this.ask();
  }

  /** Shows the table of the position, and asks for it after a moment if it isn't known. */
  ask() {
    const { position } = this;
    clearTimeout(this.timer);
    if (!position) return;
    if (position.ending) this.clear(t("The game is over here."));
    else if (position.view.turns >= MAX_TURNS)
      this.clear(t("Only the first {count} moves are counted.", { count: MAX_TURNS }));
    else {
      const query = new URLSearchParams({ position: position.position, group: this.group.value });
      const address = `${this.url}?${query}`;
      const known = this.tables.get(address);
      if (known) this.write(known, position);
      else this.timer = window.setTimeout(() => this.load(address, position), DELAY_MS);
    }
  }

  /**
   * @param {string} address
   * @param {AnalysisPosition} position
   */
  async load(address, position) {
    const group = this.group.value;
    const table = await requestTable(address);
    this.isMissing = table === null;
    if (table) this.tables.set(address, table);
    if (this.position !== position || this.group.value !== group) return;
    if (table) this.write(table, position);
    else this.clear(t("The games can’t be loaded right now."));
  }

  /** @param {string} say */
  clear(say) {
    byId("explorer-say").textContent = say;
    byId("explorer-table").hidden = true;
    byId("explorer-more").textContent = "";
    byId("explorer-newest").hidden = true;
  }

  /**
   * @param {OpeningTable} table
   * @param {AnalysisPosition} position to which it belongs
   */
  write({ games, turns, left_out, newest }, position) {
    const hasFocus = byId("explorer-turns").contains(document.activeElement);
    this.clear(
      games === 0
        ? t("No public game has gone on from here yet.")
        : tn("{size} public game.", "{size} public games.", games, { size: this.number(games) }),
    );
    byId("explorer-table").hidden = games === 0;
    byId("explorer-turns").replaceChildren(...turns.map((turn) => this.row(turn, position)));
    if (left_out)
      byId("explorer-more").textContent = tn(
        "And {size} rarer move.",
        "And {size} rarer moves.",
        left_out,
        {
          size: this.number(left_out),
        },
      );
    byId("explorer-newest").hidden = newest.length === 0;
    byId("explorer-games").replaceChildren(...newest.map(gameItem));
    // The pressed button is gone: focus the first turn, so that keys can go on.
    if (hasFocus) (byId("explorer-turns").querySelector("button") ?? this.group).focus();
  }

  /** @param {number} value */
  number(value) {
    return value.toLocaleString(this.language);
  }

  /**
   * @param {OpeningRow} row
   * @param {AnalysisPosition} position
   */
  row({ turn, actions, games, ...results }, position) {
    const row = makeElement("tr", "");
    const head = makeElement("th", "", { scope: "row" });
    const button = makeElement("button", "engine-turn number", { type: "button" }, turn);
    button.addEventListener("click", () => {
      if (this.position === position) this.onTurn(actions); // else the next table is on its way
    });
    head.append(button);
    const bar = makeElement("div", "explorer-bar", { "aria-hidden": "true" });
    for (const name of RESULTS) {
      const part = makeElement("span", "", { "data-result": name });
      part.style.flexGrow = String(results[name]);
      bar.append(part);
    }
    const percents = RESULTS.map((name) => percentText(results[name] / games, this.language));
    const cell = makeElement("td", "");
    cell.append(bar, makeElement("span", "small number", {}, percents.join(" – ")));
    row.append(head, makeElement("td", "number", {}, this.number(games)), cell);
    return row;
  }
}

/** @param {OpeningGame} game */
function gameItem({ url, white, black, winner }) {
  const item = makeElement("li", "");
  const names = t("{white} against {black}", { white, black });
  const link = makeElement("a", "text-link", { href: url }, names);
  const say =
    winner === null ? t("draw") : t("{name} won", { name: winner === "white" ? white : black });
  item.append(link, makeElement("span", "small", {}, ` · ${say}`));
  return item;
}

/**
 * The server's table of a position; null if it could not be had.
 *
 * @param {string} address
 * @returns {Promise<OpeningTable | null>}
 */
async function requestTable(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null; // not connected
  }
}
