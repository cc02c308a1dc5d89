/**
 * Light, dark, or as the system says; remembered in this browser.
 * A classic script in the head: it sets the theme before anything is painted.
 */
(() => {
  const KEY = "quiver-theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  /** The remembered theme; null follows the system. Storage may be forbidden: then nothing is kept. */
  function remembered() {
    try {
      const theme = localStorage.getItem(KEY);
      return theme === "light" || theme === "dark" ? theme : null;
    } catch (error) {
      if (error instanceof DOMException) return null;
      throw error;
    }
  }

  /** @param {string | null} theme */
  function remember(theme) {
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /** @param {string | null} theme */
  function apply(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  /**
   * From the system's theme to the other one, then to the system's for good, then back to it.
   *
   * @param {string | null} theme
   */
  function next(theme) {
    const [own, other] = system.matches ? ["dark", "light"] : ["light", "dark"];
    if (theme === null) return other;
    return theme === other ? own : null;
  }

  /** The kept size of the boards of games (game/board-size.js), so that nothing shifts later. */
  function applyBoardScale() {
    try {
      const { board } = JSON.parse(localStorage.getItem("quiver-settings") ?? "{}") ?? {};
      if (board >= 50 && board <= 100) root.style.setProperty("--board-scale", String(board / 100));
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    }
  }

  /** The buttons: one with a picture in the header, one with words in the phone's menu. */
  function buttons() {
    return [...document.querySelectorAll(".theme-button")];
  }

  /**
   * The words of the page's language; this script runs before any module.
   *
   * @param {string} text
   */
  function t(text) {
    const block = document.getElementById("texts");
    return (block && JSON.parse(block.textContent)[text]) ?? text;
  }

  /** @param {string | null} theme */
  function nameOf(theme) {
    if (theme === "light") return t("Theme: light");
    return theme === "dark" ? t("Theme: dark") : t("Theme: as the system");
  }

  /** @param {string | null} theme */
  function wayTo(theme) {
    if (theme === "light") return t("Change the theme to light");
    return theme === "dark" ? t("Change the theme to dark") : t("Let the theme follow the system");
  }

  /** @param {HTMLElement} button */
  function describe(button) {
    const theme = root.dataset.theme ?? null;
    button.setAttribute("aria-label", `${nameOf(theme)}. ${wayTo(next(theme))}`);
    button.title = nameOf(theme);
    const word = button.querySelector(".theme-word");
    if (word) word.textContent = button.title;
    const isDark = theme === "dark" || (theme === null && system.matches);
    button.querySelector("[data-when=dark]")?.toggleAttribute("hidden", !isDark);
    button.querySelector("[data-when=light]")?.toggleAttribute("hidden", isDark);
  }

  /** The page of settings chooses by radio buttons. */
  function radios() {
    return /** @type {HTMLInputElement[]} */ ([
      ...document.querySelectorAll("input[type=radio][name=theme]"),
    ]);
  }

  function show() {
    buttons().forEach(describe);
    for (const radio of radios()) radio.checked = radio.value === (root.dataset.theme ?? "system");
  }

  /** @param {string | null} theme */
  function take(theme) {
    apply(theme);
    remember(theme);
    show();
  }

  function wire() {
    for (const button of buttons()) {
      button.hidden = false;
      button.addEventListener("click", () => take(next(root.dataset.theme ?? null)));
    }
    for (const radio of radios()) {
      radio.addEventListener("change", () => take(radio.value === "system" ? null : radio.value));
    }
    show();
    system.addEventListener("change", show);
  }

  apply(remembered());
  applyBoardScale();
  document.addEventListener("DOMContentLoaded", wire);
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) {
      apply(remembered());
      show();
    }
  });
})();
