/**
 * What who waits may plan: the board asks for it when somebody turns to it, once for each rev, and
 * does then what was done before the answer had come.
 */

import { unpacked } from "./unpack.js";

export class Wish {
  constructor(board) {
    this.board = board;
    this.asked = null; // the rev that was asked for last
    this.late = []; // deeds that wait for the answer
  }

  /** Whether who sits here waits, and it is not known what may be planned. */
  get isOpen() {
    const { snapshot, sent, past, veiled, events } = this.board;
    const { you, status, prompt, plan } = snapshot;
    const waits = you && status === "live" && !prompt && plan === undefined;
    return Boolean(waits && events.onWish) && sent === null && past === null && !veiled;
  }

  /** Somebody turns to the board. */
  touch() {
    const { rev } = this.board.snapshot;
    if (this.isOpen && this.asked !== rev && this.board.events.onWish(rev)) this.asked = rev;
  }

  /** Asks anew if somebody is at it: he plans, or is in the grid. */
  goOn() {
    const { hand, plan, element } = this.board;
    const begun = hand !== null && hand.path.length > 0;
    const inGrid = element.contains(document.activeElement);
    if (begun || inGrid || plan !== null || this.late.length > 0) this.touch();
  }

  /** Whether a deed has to wait for the answer. */
  defers(deed) {
    if (this.board.isActive() || !this.isOpen) return false;
    this.late.push(deed);
    this.touch();
    return true;
  }

  /** The plan of a newer snapshot, if it is known; what was meant for another go is not done in it. */
  knownOf(snapshot) {
    const { rev, plan, takebacks } = this.board.snapshot;
    if (snapshot.prompt || snapshot.takebacks !== takebacks) this.late = [];
    return rev === snapshot.rev ? plan : undefined;
  }

  /** Hears the answer; `plan` is null if there is nothing to plan. */
  hear({ rev, plan }) {
    if (rev !== this.board.snapshot.rev) return;
    this.board.learn(unpacked(plan, this.board.snapshot.view.board));
    const { late } = this;
    this.late = [];
    if (plan) late.forEach((deed) => deed());
  }

  /** The line is open anew: what was asked has no answer any more. */
  reached() {
    this.asked = null;
    this.goOn();
  }

  forget() {
    this.late = [];
  }
}
