/** A page's title that blinks until somebody looks, also on the next page of this tab. */

const STORAGE_KEY = "quiver-title-blink";

const PERIOD_MS = 1000;

/** The least time that a title blinks where somebody looks already. */
const SEEN_MS = 4000;

/**
 * The next title of one that blinks between the page's own and another. Pure.
 *
 * @param {string} title
 * @param {{ own: string, text: string }} titles
 */
export function nextTitle(title, { own, text }) {
  return title.endsWith(text) ? own : text;
}

/**
 * Blinks until the page has been visible for a moment. Other scripts may write the title meanwhile.
 *
 * @param {string} text
 */
export function blinkTitle(text) {
  let own = document.title;
  let seenSince = document.hidden ? null : performance.now();
  const blink = () => {
    if (!document.title.endsWith(text)) own = document.title;
    if (!document.hidden) seenSince ??= performance.now();
    if (seenSince !== null && performance.now() - seenSince > SEEN_MS) {
      clearInterval(timer);
      document.title = own;
    } else document.title = nextTitle(document.title, { own, text });
  };
  const timer = setInterval(blink, PERIOD_MS);
  blink();
}

/**
 * Has the next page of this tab blink if nobody looks at this one.
 *
 * @param {string} text
 */
export function handOverBlink(text) {
  if (!document.hidden) return;
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // nothing can be stored
  }
}

/** Blinks if the last page of this tab did, and nobody looks at this one. */
export function resumeBlink() {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    if (text === null) return;
    sessionStorage.removeItem(STORAGE_KEY);
    if (document.hidden) blinkTitle(text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // nothing can be stored
  }
}
