/** What is said to those who hear the page: politely, or at once. */

export class Voice {
  constructor(polite, urgent) {
    Object.assign(this, { polite, urgent });
  }

  say(sentence) {
    this.polite.textContent = sentence;
  }

  /** Own go, refusals, the connection. The same words twice in a row are said twice. */
  call(sentence) {
    this.urgent.textContent = "";
    this.urgent.textContent = sentence;
  }
}
