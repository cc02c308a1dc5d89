/** The form that begins a game against the computer from the position that is shown. */

import { byId, find } from "../lib/dom.js";
import { refusalOf } from "../lib/forms.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";
import { ROOT } from "./turn-tree.js";

export class PlayOn {
  /** @param {import("./turn-tree.js").TurnTree} tree */
  constructor(tree) {
    this.tree = tree;
    this.at = ROOT;
    this.isSending = false;
    this.form = byId("play-on");
    this.level = /** @type {HTMLSelectElement} */ (byId("play-on-level"));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
  }

  /** Offers the position after a turn; the start and ended games are played elsewhere, or not. @param {number} at */
  show(at) {
    this.at = at;
    byId("play-on-say").textContent = "";
    const isOver = this.tree.at(at).ending !== null;
    this.form.hidden = at === ROOT || isOver || this.level.options.length === 0;
  }

  focus() {
    this.level.focus();
  }

  async start() {
    if (this.isSending) return;
    this.isSending = true;
    byId("play-on-say").textContent = t("The game begins…");
    const turns = this.tree.requestFor(this.at).map(({ actions }) => actions);
    const say = await this.send({ turns, level: Number(this.level.value) });
    this.isSending = false;
    if (say !== null) byId("play-on-say").textContent = say;
  }

  /**
   * Opens the page of the game; returns the sentence that says why it did not begin, or null.
   *
   * @param {{ turns: string[][], level: number }} asked
   * @returns {Promise<string | null>}
   */
  async send(asked) {
    const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"));
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "X-CSRFToken": token.value,
    };
    try {
      const url = this.form.dataset.url ?? "";
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(asked) });
      if (!answer.ok) return await refusalOf(answer);
      location.assign((await answer.json()).game);
      return null;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return untilReconnect(t("Not connected. No game was begun."));
    }
  }
}
