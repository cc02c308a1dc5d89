/**
 * The question in the game's panel, once for each account: whether to be told of one's turns.
 *
 * It comes after the reader's own turn, never on arrival, and the browser asks for its permission
 * only after a click on “Tell me”.
 */

import { byId, find } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { blockedText, homeScreenText, readState, turnOn } from "./push-device.js";
import { noteAsked, wasAsked } from "./push-storage.js";

const DONE_SHOWN_MS = 6000;

/**
 * Returns whether a turn has just been made: the page's game waited for its reader, and waits for the
 * opponent now. Pure.
 *
 * @param {string | undefined} before values of `data-turn`
 * @param {string | undefined} after
 */
export const isOwnTurnMade = (before, after) => before === "yours" && after === "waits";

class PushAsk {
  /**
   * @param {HTMLElement} root
   * @param {string} state
   */
  constructor(root, state) {
    this.root = root;
    this.state = state;
    this.key = root.dataset.vapidKey ?? "";
    this.user = root.dataset.user ?? "";
    this.text = find(root, ".push-ask-text");
    this.answers = find(root, ".ask-answers");
    find(root, "#push-yes").addEventListener("click", () => this.accept());
    find(root, "#push-no").addEventListener("click", () => this.close());
  }

  /** An account is asked once, so it counts as asked when it sees the question. */
  show() {
    noteAsked(this.user);
    this.root.hidden = false;
  }

  close() {
    this.root.hidden = true;
  }

  async accept() {
    if (this.state === "home-screen") this.say(homeScreenText());
    else if (this.state === "blocked") this.say(blockedText());
    else {
      /** @type {HTMLButtonElement} */
      const yes = find(this.root, "#push-yes");
      yes.disabled = true;
      const result = await turnOn(this.key);
      if (result.state === "on") {
        this.say(t("Done. You’ll be told on this device."));
        setTimeout(() => this.close(), DONE_SHOWN_MS);
      } else if (result.error === "") this.close();
      else this.say(result.error);
    }
  }

  /** @param {string} sentence */
  say(sentence) {
    this.text.textContent = sentence;
    this.answers.hidden = true;
    find(this.root, ".push-ask-more").hidden = false;
  }
}

/**
 * Watches the game of this page, and asks after the first turn that its reader makes here.
 *
 * @param {HTMLElement} root the question, which the page has where it may be asked
 */
export async function askLater(root) {
  if (wasAsked(root.dataset.user ?? "")) return;
  const state = await readState(root.dataset.vapidKey ?? "", async () => true);
  if (state === "site-off" || state === "unsupported" || state === "on") return;
  const game = byId("game");
  let before = game.dataset.turn;
  const observer = new MutationObserver(() => {
    const { turn } = game.dataset;
    if (isOwnTurnMade(before, turn)) {
      observer.disconnect();
      new PushAsk(root, state).show();
    }
    before = turn;
  });
  observer.observe(game, { attributeFilter: ["data-turn"] });
}
