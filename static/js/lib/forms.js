/** Forms: sent once, and by script where the page stays open. */

import { t } from "./text.js";

/** A form that has had no answer for this long may be sent again, in ms. */
export const SENT_TIMEOUT_MS = 8000;

const TIMERS = {
  /** @param {() => void} call @param {number} wait */
  later: (call, wait) => setTimeout(call, wait),
  /** @param {number | undefined} timer */
  cancel: (timer) => clearTimeout(timer),
};

export class SubmitGuard {
  /** @param {typeof TIMERS} [clock] */
  constructor(clock = TIMERS) {
    this.clock = clock;
    /** The timer of each form on its way. @type {Map<HTMLFormElement, number>} */
    this.sent = new Map();
  }

  /**
   * Lets a form go once, and marks it with `data-sent`; stops it the second time.
   *
   * @param {SubmitEvent} event
   */
  submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (this.sent.has(form)) event.preventDefault();
    else if (!event.defaultPrevented) {
      form.dataset.sent = "";
      this.sent.set(
        form,
        this.clock.later(() => this.free(form), SENT_TIMEOUT_MS),
      );
    }
  }

  /** @param {HTMLFormElement} form */
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
  const once = new SubmitGuard();
  document.addEventListener("submit", (event) => once.submit(event));
  addEventListener("pageshow", (event) => {
    if (event.persisted) once.freeAll();
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} submitter
 */
function bodyOf(form, submitter) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const fields = [...body].map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields);
}

/**
 * The answer to a form: {next, frame, you, refused}; null if it got lost on the way. Any other
 * answer is left to the browser, which sends the form again and shows the page.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} submitter
 */
export async function sendForm(form, submitter) {
  let answer;
  try {
    answer = await fetch(form.getAttribute("action") ?? "", {
      method: "POST",
      body: bodyOf(form, submitter),
      headers: { Accept: "application/json" },
      redirect: "error",
    });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  if (answer.headers.get("Content-Type") === "application/json") return answer.json();
  form.submit();
  return new Promise(() => {});
}

/**
 * The sentence with which the server refused a request that accepts JSON.
 *
 * @param {Response} answer
 * @returns {Promise<string>}
 */
export async function refusalOf(answer) {
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const { refused } = isJson ? await answer.json() : {};
  return refused?.say ?? t("The server refused that.");
}
