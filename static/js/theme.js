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

  function remember(theme) {
    try {
      if (theme) localStorage.setItem(KEY, theme);
      else localStorage.removeItem(KEY);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }

  function apply(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  /** From the system's theme to the other one, then to the system's for good, then back to it. */
  function next(theme) {
    const [own, other] = system.matches ? ["dark", "light"] : ["light", "dark"];
    if (theme === null) return other;
    return theme === other ? own : null;
  }

  /** The buttons: one with a picture in the header, one with words in the phone's menu. */
  function buttons() {
    return [...document.querySelectorAll(".theme-button")];
  }

  function describe(button) {
    const theme = root.dataset.theme ?? null;
    const follows = next(theme) ?? "as the system";
    button.setAttribute("aria-label", `Theme: ${theme ?? "as the system"}. Change to ${follows}`);
    button.title = `Theme: ${theme ?? "as the system"}`;
    const word = button.querySelector(".theme-word");
    if (word) word.textContent = button.title;
    const isDark = theme === "dark" || (theme === null && system.matches);
    button.querySelector("[data-when=dark]")?.toggleAttribute("hidden", !isDark);
    button.querySelector("[data-when=light]")?.toggleAttribute("hidden", isDark);
  }

  function wire() {
    for (const button of buttons()) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const theme = next(root.dataset.theme ?? null);
        apply(theme);
        remember(theme);
        buttons().forEach(describe);
      });
    }
    buttons().forEach(describe);
    system.addEventListener("change", () => buttons().forEach(describe));
  }

  apply(remembered());
  document.addEventListener("DOMContentLoaded", wire);
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) {
      apply(remembered());
      buttons().forEach(describe);
    }
  });
})();
