/**
 * Reloads a page that Back has brought into another session than its own.
 *
 * `data-session` of the page identifies its session. Each page notes its mark in the browser; a page that
 * comes out of the browser's memory or cache and finds another one was made before somebody logged in or out.
 */

const STORAGE_KEY = "quiver-session";

/** The mark of this page; undefined on pages made without a session, such as the error 500. */
const mark = document.body.dataset.session;

/** Returns the mark of the newest page; null where nothing can be stored. */
function noted() {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** @param {string} text */
function note(text) {
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Whether the browser may have taken the page from its cache without asking. */
function isFromHistory() {
  const [entry] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming} */ (entry).type === "back_forward";
}

/** Hides the contents of another session, and reloads the page. */
function reload() {
  document.body.hidden = true;
  location.reload();
}

if (mark !== undefined) {
  if (isFromHistory() && noted() !== mark) reload();
  else note(mark);
  addEventListener("pageshow", (event) => {
    if (event.persisted && noted() !== mark) reload();
  });
}
