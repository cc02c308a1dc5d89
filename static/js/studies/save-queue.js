/**
 * Saves a study while it is edited: soon after a change, one request at a time, each based on the rev
 * that the one before has made. Pure but for the timers and the sender that it is given.
 */

/** Delay from a change to its save, ms: a comment is saved while it is written, but not letter by letter. */
export const SAVE_DELAY_MS = 1500;

/** Delays before a failed request is repeated, ms. */
export const RETRY_DELAYS_MS = [3000, 10_000, 30_000];

const TIMERS = {
  /** @param {() => void} call @param {number} wait @returns {number} */
  later: (call, wait) => window.setTimeout(call, wait),
  /** @param {number | undefined} timer */
  cancel: (timer) => clearTimeout(timer),
};

/** @type {readonly (keyof StudyContents)[]} */
const PARTS = ["title", "visibility", "nodes"];

/** In these states nothing is sent. @type {readonly SaveState["name"][]} */
const AT_REST = ["conflict", "hidden", "closed"];

export class SaveQueue {
  /**
   * @param {number} rev
   * @param {StudyContents} saved what the server has at this rev
   * @param {{ send: (body: SaveBody) => Promise<StudyReply>, onState: (state: SaveState) => void,
   *     onConflict: (conflict: StudyConflict) => void }} options
   * @param {typeof TIMERS} [timers]
   */
  constructor(rev, saved, { send, onState, onConflict }, timers = TIMERS) {
    this.rev = rev;
    this.saved = saved;
    this.contents = saved;
    this.send = send;
    this.onState = onState;
    this.onConflict = onConflict;
    this.timers = timers;
    /** @type {SaveState} */
    this.state = { name: "saved", say: "" };
    /** @type {number | undefined} */
    this.timer = undefined;
    this.failures = 0;
    /** Whether the last failure was a refusal. */
    this.isRefused = false;
  }

  /** Whether the server lacks something of this page. */
  get isDirty() {
    return this.changedParts().length > 0;
  }

  changedParts() {
    return PARTS.filter((part) => this.contents[part] !== this.saved[part]);
  }

  /** @param {SaveState["name"]} name @param {string} [say] */
  enter(name, say = "") {
    this.state = { name, say };
    this.onState(this.state);
  }

  /**
   * Takes the contents of the page, and saves them soon if they are new.
   *
   * @param {StudyContents} contents
   */
  offer(contents) {
    const isNew = PARTS.some((part) => contents[part] !== this.contents[part]);
    this.contents = contents;
    if (!isNew || AT_REST.includes(this.state.name)) return;
    if (this.state.name === "saving") return; // looked at again when the answer is there
    if (!this.isDirty) {
      this.timers.cancel(this.timer);
      this.enter("saved");
      return;
    }
    this.enter("changed");
    this.plan(SAVE_DELAY_MS);
  }

  /** @param {number} wait */
  plan(wait) {
    this.timers.cancel(this.timer);
    this.timer = this.timers.later(() => this.save(), wait);
  }

  /** Saves unsaved changes at once. */
  async save() {
    const { name } = this.state;
    if (!this.isDirty || name === "saving" || AT_REST.includes(name)) return;
    this.timers.cancel(this.timer);
    const sent = this.contents;
    /** @type {SaveBody} */
    const body = { rev: this.rev };
    for (const part of this.changedParts()) body[part] = sent[part];
    this.enter("saving");
    this.receive(sent, await this.send(body));
  }

  /**
   * @param {StudyContents} sent
   * @param {StudyReply} reply
   */
  receive(sent, reply) {
    if ("done" in reply) {
      this.rev = reply.done.rev;
      this.saved = sent;
    }
    if (this.state.name === "hidden") this.enter("hidden"); // there may be fewer unsaved changes now
    if (this.state.name !== "saving") return; // hidden or closed meanwhile
    if ("conflict" in reply) {
      this.enter("conflict");
      this.onConflict(reply.conflict);
    } else if ("failed" in reply) this.fail(reply);
    else {
      this.failures = 0;
      this.enter(this.isDirty ? "changed" : "saved");
      if (this.isDirty) this.plan(SAVE_DELAY_MS);
    }
  }

  /** Saves what could not be saved, because the network is back; a refusal waits for the next change. */
  retry() {
    if (this.state.name !== "failed" || this.isRefused) return;
    this.failures = 0;
    this.save();
  }

  /** A refusal waits for the next change; all else is tried again. @param {StudyFailure} failure */
  fail({ failed, isFinal }) {
    this.isRefused = isFinal;
    this.enter("failed", failed);
    if (isFinal) return;
    const last = RETRY_DELAYS_MS.length - 1;
    this.plan(RETRY_DELAYS_MS[Math.min(this.failures, last)]);
    this.failures += 1;
  }

  /**
   * Takes the server's contents at a rev, which the page shows.
   *
   * @param {number} rev
   * @param {StudyContents} contents
   */
  adopt(rev, contents) {
    this.timers.cancel(this.timer);
    this.rev = rev;
    this.saved = contents;
    this.contents = contents;
    this.enter("saved");
  }

  /** A moderator has hidden the study: nothing is saved any more, not even earlier changes. */
  hide() {
    this.timers.cancel(this.timer);
    this.enter("hidden");
  }

  /** Nothing is saved any more. */
  close() {
    this.timers.cancel(this.timer);
    this.enter("closed");
  }
}
