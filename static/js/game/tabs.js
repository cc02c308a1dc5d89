/**
 * Tabs of the panel: which part is visible where there is no room for all: turn, moves, chat, more.
 *
 * On a wide screen the style sheet shows all tabs but one: moves and chat still share a place.
 */

export class Tabs {
  /** @param {HTMLElement} inner */
  constructor(inner) {
    this.inner = inner;
    /** @type {HTMLElement[]} */
    this.buttons = [...inner.querySelectorAll(".tab")];
    /** @type {string | null} */
    this.tab = null;
    this.buttons.forEach((button) => {
      button.addEventListener("click", () => this.choose(button.dataset.tab ?? ""));
    });
    /** @type {boolean | null} */
    this.compact = null;
    new ResizeObserver(() => this.fit()).observe(inner);
    this.fit();
  }

  /**
   * Returns whether the tab has a button in the present layout.
   *
   * @param {string} tab
   */
  isThere(tab) {
    const button = this.buttons.find((each) => each.dataset.tab === tab);
    return button !== undefined && !button.hidden && getComputedStyle(button).display !== "none";
  }

  fit() {
    const compact = this.isThere("turn");
    if (this.tab === "chat" && !this.isThere("chat")) this.choose(compact ? "turn" : "moves");
    if (compact === this.compact) return;
    this.compact = compact;
    if (compact && this.tab !== "chat") this.choose("turn");
    else if (!compact) this.choose(this.tab === "chat" ? "chat" : "moves");
  }

  /** @param {string} tab */
  choose(tab) {
    this.tab = tab;
    this.inner.dataset.tab = tab;
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
    }
  }

  /** Returns the focus to the tab that is open. */
  focus() {
    this.buttons.find((each) => each.dataset.tab === this.tab)?.focus();
  }

  /**
   * Brings a part into view if it is behind another tab: "turn", "moves" or "more".
   *
   * @param {string} tab
   */
  bring(tab) {
    if (this.isThere(tab)) this.choose(tab);
    else if (this.tab === "chat" && tab === "moves") this.choose("moves");
  }

  /**
   * The number of things behind a tab that want to be seen; 0 hides it.
   *
   * @param {string} tab
   * @param {number} number
   */
  count(tab, number) {
    const badge = this.buttons.find((each) => each.dataset.tab === tab)?.querySelector(".badge");
    if (!badge) return;
    badge.textContent = number > 0 ? String(number) : "";
    badge.hidden = number === 0;
  }

  /**
   * @param {string} tab
   * @param {boolean} on
   */
  allow(tab, on) {
    const button = this.buttons.find((each) => each.dataset.tab === tab);
    if (!button) return;
    button.hidden = !on;
    if (!on && this.tab === tab) this.choose(this.compact ? "turn" : "moves");
  }
}
