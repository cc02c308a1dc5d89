/** Forms are sent once: a second press, while the answer to the first is on its way, does nothing. */

/** A form that has had no answer for this long may be sent again, in ms. */
export const AGAIN = 8000;

const CLOCK = {
  later: (call, wait) => setTimeout(call, wait),
  cancel: (timer) => clearTimeout(timer),
};

export class Once {
  constructor(clock = CLOCK) {
    this.clock = clock;
    /** The timer of each form on its way. */
    this.sent = new Map();
  }

  /** Lets a form go once, and marks it with `data-sent`; stops it the second time. */
  submit(event) {
    const form = event.target;
    if (this.sent.has(form)) event.preventDefault();
    else if (!event.defaultPrevented) {
      form.dataset.sent = "";
      this.sent.set(form, this.clock.later(() => this.free(form), AGAIN));
    }
  }

  free(form) {
    this.clock.cancel(this.sent.get(form));
    this.sent.delete(form);
    delete form.dataset.sent;
  }

  /** The page is back out of the browser's memory: nothing of it is on its way. */
  freeAll() {
    [...this.sent.keys()].forEach((form) => this.free(form));
  }
}

if (typeof document !== "undefined") {
  const once = new Once();
  document.addEventListener("submit", (event) => once.submit(event));
  addEventListener("pageshow", (event) => {
    if (event.persisted) once.freeAll();
  });
}
