/**
 * The search of the page's user: follows it, keeps it alive, and answers when it is paired.
 *
 * A pair becomes a game only when both pages have answered. This page answers by itself, unless a
 * person has to be asked (`asks`).
 */

import { follow } from "../lib/page-connection.js";
import { reactionTo } from "./search-state.js";

/** Delay before the end of an unfollowed search is shown, ms: it goes on when its page is back. */
const RESUME_MS = 1500;

/**
 * Time for which a page that is being left answers no question, ms. Its successor answers: else the
 * game would open in the page that is gone. A page that stays, as after a download, goes on.
 */
const LEAVE_MS = 5000;

/** A random name for this page. */
export function newTab() {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return [...words].map((word) => word.toString(36)).join("-");
}

export class SearchClient {
  /**
   * `isOpen`: the page shows a search that goes on; `isBusy`: its user plays the computer meanwhile.
   * `onShow(frame, reaction)` is called with each state, `onState` with each change of the connection.
   *
   * @param {{ isOpen: boolean, isBusy: boolean, onShow: (frame: Wire.SearchState, reaction: string) => void, onState?: (state: ConnectionState) => void }} options
   */
  constructor({ isOpen, isBusy, onShow, onState = () => {} }) {
    this.tab = newTab();
    this.isOpen = isOpen;
    this.isBusy = isBusy;
    this.onShow = onShow;
    this.rev = "";
    /** Between this page's clock and the server's, in ms. */
    this.offset = 0;
    /** @type {Wire.SearchState | null} */
    this.frame = null;
    this.timer = 0;
    this.leavingUntil = 0;
    addEventListener("beforeunload", () => {
      this.leavingUntil = performance.now() + LEAVE_MS;
    });
    addEventListener("pageshow", () => {
      this.leavingUntil = 0;
    });
    this.subscription = follow("search", {
      revOf: () => this.rev || -1,
      onMessage: (message) => {
        if (message.t === "search") this.receive(/** @type {Wire.SearchState} */ (message));
      },
      onOpen: () => this.present(),
      onState,
      isProbing: () => this.isOpen, // a question has to be answered within seconds
    });
    this.subscription.connect();
  }

  /** Tells the server that the page shows the search, which takes up one that was left. */
  present() {
    if (this.isOpen) this.subscription.send({ t: "present", busy: this.isBusy });
  }

  /** @param {Wire.SearchState} frame */
  receive(frame) {
    this.offset = frame.now - Date.now();
    if (frame.rev === this.rev) return; // sent again: a game that was found is not left again
    clearTimeout(this.timer);
    this.rev = frame.rev;
    this.frame = frame;
    if (frame.state === "ended" && this.isOpen && frame.left) {
      this.timer = setTimeout(() => this.show(frame), RESUME_MS);
      return;
    }
    this.show(frame);
  }

  /** @param {Wire.SearchState} frame */
  show(frame) {
    const reaction = reactionTo(frame, this.tab, this.isOpen);
    this.isOpen = frame.state === "looking" || frame.state === "asked";
    if (reaction === "answer" && performance.now() >= this.leavingUntil) this.answer(true);
    this.onShow(frame, reaction);
  }

  /** @param {boolean} isYes */
  answer(isYes) {
    if (this.frame === null) return;
    const { pairing } = this.frame;
    this.subscription.send({ t: "answer", pairing, yes: isYes, tab: this.tab });
  }

  /** Stops the search. */
  stop() {
    this.subscription.send({ t: "stop" });
  }

  /** Duration of the search so far, in ms. */
  elapsed() {
    return this.frame ? Date.now() + this.offset - this.frame.since : 0;
  }

  /** Time left to answer the question, in ms. */
  remaining() {
    return this.frame ? this.frame.pairing - Date.now() - this.offset : 0;
  }
}
