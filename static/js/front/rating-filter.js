/** The filter of open games by rating: those whose host is near the reader in the game's pool. */

import { find } from "../lib/dom.js";
import { chooseSetting, setting } from "../lib/settings.js";
import { t, tn } from "../lib/text.js";

/** Points of rating between the reader and a host who is near. */
const RANGE = 200;

/** @typedef {Record<string, number>} OwnRatings points by pool, such as "pincer/live" */

/**
 * Whether an open game is near. Where one of the two has no rating in its pool, nobody knows: it is.
 *
 * @param {Pick<Wire.ListedLobby, "pool" | "points">} lobby
 * @param {OwnRatings} own
 */
export function isNear({ pool, points }, own) {
  const mine = own[pool];
  return mine === undefined || points === null || Math.abs(points - mine) <= RANGE;
}

/**
 * The sentence below the open games while the filter is on.
 *
 * @param {OwnRatings} own
 * @param {number} hidden how many open games are not shown
 */
export function noteText(own, hidden) {
  if (Object.keys(own).length === 0) return t("You have no rating yet, so all games are shown.");
  if (hidden === 0) return "";
  return tn(
    "{count} open game isn’t near your rating.",
    "{count} open games aren’t near your rating.",
    hidden,
  );
}

/** The two buttons, the reader's ratings once they are asked for, and the note. */
export class RatingFilter {
  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} note
   * @param {() => void} onChange
   */
  constructor(element, note, onChange) {
    this.element = element;
    this.note = note;
    this.onChange = onChange;
    /** Null until the filter is on and the server has answered. @type {OwnRatings | null} */
    this.own = null;
    for (const button of element.querySelectorAll("button"))
      button.addEventListener("click", () => this.choose(button.dataset.choice ?? "all"));
    this.press();
    if (this.isOn) this.load();
  }

  get isOn() {
    return setting("lobbies") === "near";
  }

  /** @param {string} value all or near */
  choose(value) {
    if (value !== setting("lobbies")) chooseSetting("lobbies", value);
    this.press();
    if (this.isOn && this.own === null) this.load();
    else this.onChange();
  }

  press() {
    for (const button of this.element.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.choice === setting("lobbies")));
  }

  /** Asks for the reader's ratings; without an answer all games are shown. */
  async load() {
    const answer = await fetch(this.element.dataset.ratings ?? "").catch(() => null);
    if (answer?.ok) this.own = await answer.json();
    this.onChange();
  }

  /**
   * The open games to show, the reader's own ones among them; says how many are not.
   *
   * @param {Wire.ListedLobby[]} lobbies
   * @param {string | undefined} me
   */
  select(lobbies, me) {
    const { own } = this;
    const isOn = this.isOn && own !== null;
    const shown = isOn
      ? lobbies.filter((lobby) => lobby.host === me || isNear(lobby, own))
      : lobbies;
    const say = isOn && lobbies.length > 0 ? noteText(own, lobbies.length - shown.length) : "";
    this.element.hidden = lobbies.length === 0;
    this.note.hidden = say === "";
    if (this.note.textContent !== say) this.note.textContent = say;
    return shown;
  }
}

/**
 * The filter of a page; null on pages without it, and for readers without an account.
 *
 * @param {HTMLElement} root
 * @param {() => void} onChange
 */
export function findRatingFilter(root, onChange) {
  /** @type {HTMLElement | null} */
  const element = root.querySelector("#near");
  return element && new RatingFilter(element, find(root, "#near-note"), onChange);
}
