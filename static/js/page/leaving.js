/** Whoever leaves while a complete go waits to be sent is asked whether they mean it. */

function stay(event) {
  event.preventDefault();
}

export class Leaving {
  isAsked = false;

  /** `waits`: a complete go has not been sent. */
  guard(waits) {
    if (waits === this.isAsked) return;
    this.isAsked = waits;
    if (waits) addEventListener("beforeunload", stay);
    else removeEventListener("beforeunload", stay);
  }
}
