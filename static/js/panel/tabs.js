/**
 * Which part of the panel is seen where there is no room for all: Go, Moves, Talk, More. Where there
 * is room, the style sheet shows everything but one: Moves and Talk still share a place.
 */

export class Tabs {
  constructor(inner) {
    this.inner = inner;
    this.buttons = [...inner.querySelectorAll(".tab")];
    this.tab = null;
    this.buttons.forEach((button) => {
      button.addEventListener("click", () => this.choose(button.dataset.tab));
    });
    this.compact = null;
    new ResizeObserver(() => this.fit()).observe(inner);
    this.fit();
  }

  /** Whether the tab has a button in the present layout. */
  isThere(tab) {
    const button = this.buttons.find((each) => each.dataset.tab === tab);
    return button !== undefined && !button.hidden && getComputedStyle(button).display !== "none";
  }

  fit() {
    const compact = this.isThere("go");
    if (compact === this.compact) return;
    this.compact = compact;
    if (compact && this.tab !== "talk") this.choose("go");
    else if (!compact) this.choose(this.tab === "talk" ? "talk" : "moves");
  }

  choose(tab) {
    this.tab = tab;
    this.inner.dataset.tab = tab;
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
    }
  }

  /** Gives the focus to the tab that is open. */
  focus() {
    this.buttons.find((each) => each.dataset.tab === this.tab).focus();
  }

  /** Brings a part into view if it is behind another tab: "go", "moves" or "more". */
  bring(tab) {
    if (this.isThere(tab)) this.choose(tab);
    else if (this.tab === "talk" && tab === "moves") this.choose("moves");
  }

  /** The number of things behind a tab that want to be seen; 0 hides it. */
  count(tab, number) {
    const badge = this.buttons.find((each) => each.dataset.tab === tab)?.querySelector(".badge");
    if (!badge) return;
    badge.textContent = number > 0 ? String(number) : "";
    badge.hidden = number === 0;
  }

  allow(tab, on) {
    const button = this.buttons.find((each) => each.dataset.tab === tab);
    if (!button) return;
    button.hidden = !on;
    if (!on && this.tab === tab) this.choose(this.compact ? "go" : "moves");
  }
}
