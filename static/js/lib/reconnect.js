/** Reconnection of a page: repeats requests that failed, and removes texts about the lost network. */

/** @type {Set<() => void>} */
const calls = new Set();

/** Sentences on the page that are true only while it is not connected. @type {Set<string>} */
const sentences = new Set();

/**
 * `call` repeats what failed meanwhile; it is called whenever the network may be back.
 *
 * @param {() => void} call
 */
export function onReconnect(call) {
  calls.add(call);
}

/**
 * Returns a sentence about the lost network; wherever it stands then, it goes when the network is back.
 *
 * @param {string} sentence
 */
export function untilReconnect(sentence) {
  sentences.add(sentence);
  return sentence;
}

/** The page's socket is open again, or the browser is online. */
export function handleReconnect() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (sentences.size > 0 && texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    if (sentences.has(text.data)) text.data = "";
  }
  sentences.clear();
  for (const call of calls) call();
}

globalThis.addEventListener?.("online", handleReconnect);
