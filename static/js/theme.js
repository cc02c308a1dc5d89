/**
 * The theme and the settings that change the first picture; remembered in this browser.
 * A classic script in the head: it sets them before anything is painted.
 */
(() => {
  const KEY = "quiver-theme";
  const SETTINGS = "quiver-settings"; // also the name of the event that tells of a change
  const root = document.documentElement;
  const { choices = "" } = document.currentScript?.dataset ?? {};

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

  /** The settings of lib/settings.js, as they are stored. */
  function stored() {
    try {
      return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}") ?? {};
    } catch (error) {
      if (error instanceof DOMException || error instanceof SyntaxError) return {};
      throw error;
    }
  }

  /**
   * @param {string} name
   * @param {string | undefined} value
   * @param {string} standard
   */
  function mark(name, value, standard) {
    if (value && value !== standard) root.dataset[name] = value;
    else delete root.dataset[name];
  }

  /** @type {HTMLLinkElement | null} */
  let sheet = null;

  /** The style sheet of settings other than the default: boards, zen mode. Loaded once, when it is needed. */
  function loadChoices() {
    if (sheet) return;
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = choices;
    link.setAttribute("blocking", "render");
    link.addEventListener("load", () => {
      root.dataset.choices = "loaded"; // canvases are painted again
    });
    link.addEventListener("error", () => {
      link.remove();
      sheet = null;
    });
    document.head.append(link);
    sheet = link;
  }

  /** @param {Record<string, string>} settings */
  function applySettings({ board, ground, motion, zen } = stored()) {
    const scale = Number(board);
    if (scale >= 50 && scale <= 100) root.style.setProperty("--board-scale", String(scale / 100));
    mark("motion", motion, "system");
    mark("ground", ground, "paper");
    mark("zen", zen, "off");
    if (root.dataset.ground || root.dataset.zen) loadChoices();
  }

  /** Radio buttons choose the theme, in the footer and on the page of settings. */
  function radios() {
    return /** @type {HTMLInputElement[]} */ ([
      ...document.querySelectorAll("input[type=radio][name=theme]"),
    ]);
  }

  function show() {
    for (const radio of radios()) radio.checked = radio.value === (root.dataset.theme ?? "system");
  }

  /** @param {string | null} theme */
  function take(theme) {
    apply(theme);
    remember(theme);
    show();
  }

  function wire() {
    document.getElementById("footer-theme")?.removeAttribute("hidden");
    for (const radio of radios()) {
      radio.addEventListener("change", () => take(radio.value === "system" ? null : radio.value));
    }
    show();
  }

  apply(remembered());
  applySettings();
  document.addEventListener("DOMContentLoaded", wire);
  addEventListener(SETTINGS, (event) =>
    applySettings(/** @type {CustomEvent<Record<string, string>>} */ (event).detail),
  );
  addEventListener("quiver-choices", loadChoices);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return; // out of the browser's memory: another page may have changed it
    apply(remembered());
    applySettings();
    show();
  });
  addEventListener("storage", (event) => {
    if (event.key === SETTINGS || event.key === null) applySettings();
    if (event.key === KEY || event.key === null) {
      apply(remembered());
      show();
    }
  });
})();
