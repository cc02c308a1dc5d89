/**
 * Requests that wait for the server's answer: a turn, a resignation, an offer.
 *
 * Each has an id and stays until the server has answered it, also over a reconnect; then it is sent
 * again under the same id, and the server repeats its answer: the first receipt, or the refusal.
 *
 * @param {Uint8Array} bytes
 */

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * An id; `crypto.randomUUID` exists only on secure origins, a game in a home network has none.
 *
 * @param {Crypto} [source]
 */
export function newId(source = globalThis.crypto) {
  if (typeof source.randomUUID === "function") return source.randomUUID();
  return hex(source.getRandomValues(new Uint8Array(16)));
}

/** The ids of questions why a square cannot be chosen; nothing waits for their answers. */
export const EXPLAIN_ID = "why-";

/** Delays in ms before a request that may have been saved is sent again. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 8000];

export const OUTCOMES = { accepted: "accepted", done: "already done", refused: "refused" };

export class PendingRequests {
  /** @param {() => string} [makeId] */
  constructor(makeId = newId) {
    this.makeId = makeId;
    /** @type {Map<string, PendingRequest>} */
    this.open = new Map();
    /** Number of times that each was sent again. @type {Map<string, number>} */
    this.resends = new Map();
  }

  /**
   * Takes a message on its way; gives it with its id. `extra` is kept with it and not sent.
   *
   * @param {Wire.Request} message
   * @param {object} [extra]
   */
  add(message, extra = {}) {
    const id = this.makeId();
    const request = Object.freeze({ id, message: Object.freeze({ ...message, id }), ...extra });
    this.open.set(id, request);
    return request;
  }

  /**
   * The request that a receipt or refusal answers, with its outcome; null if it answers none.
   * A receipt marked `again` means that this id had been done before this message.
   *
   * @param {Wire.Reply} reply
   */
  answer(reply) {
    const request = this.open.get(reply.id ?? "");
    if (!request) return null;
    this.open.delete(request.id);
    this.resends.delete(request.id);
    if (reply.t === "refused") return { request, outcome: OUTCOMES.refused, reply };
    return { request, outcome: reply.again ? OUTCOMES.done : OUTCOMES.accepted, reply };
  }

  /**
   * Ms until a message without an answer is to be asked again; null after too many times.
   *
   * @param {string} id
   */
  nextDelay(id) {
    const times = this.resends.get(id) ?? 0;
    if (!this.open.has(id) || times === RETRY_DELAYS_MS.length) return null;
    this.resends.set(id, times + 1);
    return RETRY_DELAYS_MS[times];
  }

  /**
   * The message of an id, if it has no answer yet: none or one.
   *
   * @param {string} id
   */
  withId(id) {
    return this.unanswered().filter((message) => message.id === id);
  }

  /** Every message without an answer, oldest first. */
  unanswered() {
    return [...this.open.values()].map(({ message }) => message);
  }

  /** @param {string} kind */
  has(kind) {
    return this.unanswered().some(({ t }) => t === kind);
  }

  /**
   * Returns whether a similar request is pending: of its kind and, for a turn, for the same step.
   *
   * @param {Wire.Request} message
   */
  hasLike(message) {
    return this.unanswered().some(({ t, step }) => t === message.t && step === message.step);
  }
}
