/** The rematch, which is made in the game's lobby: its button for the players, the way there for all. */

import { freeze, onPress } from "../lib/action-buttons.js";
import { find, whenVisible } from "../lib/dom.js";
import { follow } from "../lib/page-connection.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";

/** Time for which the notice of the search is shown before the page is left, ms. */
const SEARCH_NOTICE_MS = 1500;

/**
 * Returns the texts and state of the rematch button for a lobby's `again`. Pure.
 *
 * @param {Wire.Rematch | null} again
 * @param {boolean} isOtherHere
 * @returns {{ word: string | null, may: boolean, say: string, next: string | null }}
 */
export function rematchOf(again, isOtherHere = true) {
  if (!again) return { word: null, may: false, say: "", next: null };
  if (again.follow) {
    return { word: null, may: false, say: t("The rematch has started."), next: again.next };
  }
  if (!again.may) {
    const say = again.changed ? t("The lobby has a different game now.") : "";
    return { word: null, may: false, say, next: again.changed ? null : again.next };
  }
  const { mine, theirs, next, other: name, swaps } = again;
  if (next) return { word: null, may: false, say: t("The rematch has started."), next };
  if (mine) {
    const asked = swaps
      ? t("You asked {name} for a rematch, sides swapped.", { name })
      : t("You asked {name} for a rematch.", { name });
    const say = isOtherHere
      ? asked
      : t("You asked {name} for a rematch. They’re away right now.", { name });
    return { word: t("Rematch offered"), may: false, say, next: null };
  }
  if (theirs) {
    const say = swaps
      ? t("{name} wants a rematch, sides swapped.", { name })
      : t("{name} wants a rematch.", { name });
    return { word: t("Rematch"), may: true, say, next: null };
  }
  return { word: t("Rematch"), may: true, say: "", next: null };
}

export class Rematch {
  /**
   * `root` is the result sheet, `lobby` the way to the lobby beside it, which a rematch takes; `leave(url)` goes to another page; `tell(sentence)` speaks;
   * `mayLeave()`: whether a spectator may be taken along now.
   *
   * @param {HTMLElement} root
   * @param {HTMLAnchorElement} lobby
   * @param {{ leave: (url: string) => void, tell: (sentence: string) => void, mayLeave: () => boolean }} options
   */
  constructor(root, lobby, { leave, tell, mayLeave }) {
    this.leave = leave;
    this.tell = tell;
    this.mayLeave = mayLeave;
    /** Only those who sat have the form. @type {HTMLFormElement | null} */
    this.form = root.querySelector("#rematch-form");
    this.button = this.form && find(this.form, "#rematch");
    this.say = find(root, "#again-say");
    /** @type {HTMLAnchorElement} */
    this.next = find(root, "#next-game");
    this.lobby = lobby;
    this.rev = -1;
    /** @type {Wire.Rematch | null} */
    this.again = null;
    /** The names of those who have a page of the lobby or game open; null: not told yet. @type {readonly string[] | null} */
    this.here = null;
    /** The game has ended while this page was open. */
    this.sawEnd = false;
    /** This page was open, or asked, before a rematch began: pages opened later stay at this game. */
    this.isAwaited = false;
    this.isSearching = false;
    /** @type {import("../lib/subscription.js").Subscription | null} */
    this.subscription = null;
    if (this.button) onPress(this.button, () => {});
    this.form?.addEventListener("submit", (event) => this.ask(event));
  }

  /**
   * Follows the lobby of a game that is over: for those who sat, and for spectators who saw the end.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {{ ended: boolean }} news
   */
  show({ lobby, you }, { ended }) {
    this.sawEnd = ended;
    if (lobby && (you !== null || ended) && this.subscription === null) this.follow(lobby);
  }

  /** @param {string} lobby */
  follow(lobby) {
    this.subscription = follow(`lobby:${lobby}`, {
      revOf: () => this.rev,
      onMessage: (/** @type {SiteMessage<"lobby:CODE">} */ message) => this.receive(message),
      onOpen: () => {},
      onState: () => {},
    });
    this.subscription.connect();
  }

  /** @param {SiteMessage<"lobby:CODE">} message */
  receive(message) {
    if (message.t === "lobby") {
      this.rev = message.rev;
      this.again = /** @type {Wire.Lobby} */ (message).again;
      this.showLobbyState(this.again);
    } else if (message.t === "people") {
      this.here = message.here;
      this.showLobbyState(this.again);
    }
  }

  /** @param {Wire.Rematch | null} again */
  showLobbyState(again) {
    const here = again && again.game === location.pathname;
    if (this.isSearching) return;
    if (here && again.search && this.sawEnd) {
      this.search();
      return;
    }
    const shown = rematchOf(here ? again : null, !again || this.here?.includes(again.other));
    if (here && !again.next) this.isAwaited = true;
    if (here && again.next && this.isAwaited && (again.mine || (again.follow && this.mayLeave()))) {
      this.subscription?.close();
      this.leave(again.next);
      return;
    }
    this.paint(shown);
  }

  /** @param {ReturnType<typeof rematchOf>} shown */
  paint({ word, may, say, next }) {
    if (this.button && this.form) {
      this.form.hidden = word === null;
      if (word !== null && this.button.textContent !== word) {
        this.button.textContent = word;
        freeze(this.button);
      }
      if (may) delete this.button.dataset.blocked;
      else this.button.dataset.blocked = "";
      if (!("inert" in this.button.dataset))
        this.button.setAttribute("aria-disabled", String(!may));
      this.button.classList.toggle("primary", may);
      this.button.classList.toggle("blocked", !may);
    }
    this.next.hidden = next === null;
    if (next) {
      this.next.href = this.lobby.href = next;
      this.lobby.textContent = this.next.textContent;
      this.lobby.className = this.next.className;
    }
    if (say !== this.say.textContent) {
      this.say.textContent = say;
      if (say) this.tell(say);
    }
  }

  /** Looks for another opponent, as soon as somebody sees the page. */
  async search() {
    const { form } = this;
    if (form === null) return;
    this.isSearching = true;
    this.paint({
      word: null,
      may: false,
      say: t("Your opponent didn’t make a move. Looking for a new one…"),
      next: null,
    });
    await whenVisible();
    await new Promise((resolve) => setTimeout(resolve, SEARCH_NOTICE_MS));
    const address = new URL("../search/", form.action);
    await this.post(form, address.href);
  }

  /** @param {SubmitEvent} event */
  async ask(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.submitter?.getAttribute("aria-disabled") === "true") return;
    this.isAwaited = true; // also if the lobby's first frame comes when the rematch has begun
    await this.post(form, form.action);
  }

  /**
   * @param {HTMLFormElement} form
   * @param {string} address
   */
  async post(form, address) {
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new FormData(form),
      });
      const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
      const { next, refused } = isJson ? await answer.json() : {};
      if (next) this.leave(next);
      else if (!answer.ok)
        this.sayFailure(refused?.say ?? t("That didn’t work. See the lobby for the reason."));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network
      this.sayFailure(untilReconnect(t("Not connected. Try again in a moment.")));
    }
  }

  /** @param {string} say */
  sayFailure(say) {
    this.say.textContent = say;
    this.tell(say);
  }
}
