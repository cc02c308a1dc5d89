/**
 * Messages that want an answer: a go, a resignation, an offer. Each has an id and stays until the
 * server has answered it, also over a reconnect; then it is sent again under the same id, and the
 * server tells what became of it: the first receipt, or why it was refused.
 */

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An id; `crypto.randomUUID` exists only on secure origins, a game in a home network has none. */
export function newId(source = globalThis.crypto) {
  if (typeof source.randomUUID === "function") return source.randomUUID();
  return hex(source.getRandomValues(new Uint8Array(16)));
}

/** Ms until what may have been saved is asked again, time after time. */
const WAITS = [500, 1000, 2000, 4000, 8000, 8000];

export const ANSWERS = { accepted: "accepted", done: "already done", refused: "refused" };

export class Errands {
  constructor(makeId = newId) {
    this.makeId = makeId;
    this.open = new Map();
    this.asked = new Map(); // how often each was asked again
  }

  /** Takes a message on its way; gives it with its id. `extra` is kept with it and not sent. */
  add(message, extra = {}) {
    const id = this.makeId();
    const errand = Object.freeze({ id, message: Object.freeze({ ...message, id }), ...extra });
    this.open.set(id, errand);
    return errand;
  }

  /**
   * The errand that a receipt or refusal answers, with what became of it; null if it answers none.
   * A receipt marked `again` means that this id had been done before this message.
   */
  answer(reply) {
    const errand = this.open.get(reply.id);
    if (!errand) return null;
    this.open.delete(reply.id);
    this.asked.delete(reply.id);
    if (reply.t === "refused") return { errand, outcome: ANSWERS.refused, reply };
    return { errand, outcome: reply.again ? ANSWERS.done : ANSWERS.accepted, reply };
  }

  /** Ms until a message without an answer is to be asked again; null after too many times. */
  patience(id) {
    const times = this.asked.get(id) ?? 0;
    if (!this.open.has(id) || times === WAITS.length) return null;
    this.asked.set(id, times + 1);
    return WAITS[times];
  }

  /** The message of an id, if it has no answer yet: none or one. */
  withId(id) {
    return this.unanswered().filter((message) => message.id === id);
  }

  /** Every message without an answer, oldest first. */
  unanswered() {
    return [...this.open.values()].map(({ message }) => message);
  }

  has(kind) {
    return this.unanswered().some(({ t }) => t === kind);
  }

  /** Whether one like it has no answer yet: of its kind and, for a go, for the same turn. */
  hasLike(message) {
    return this.unanswered().some(({ t, turn }) => t === message.t && turn === message.turn);
  }
}
