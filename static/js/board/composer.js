/**
 * The composer of a path game: one hand for every go, whether it is sent at once, waits for a second
 * tap or a button, or is planned on the other side's time. No pixels, no clock; `shelf` keeps plans.
 */

import { actionsOf, back, carry, isComplete, openHand, rewind, tap } from "./path.js";
import { KEEP, OVER, SEND, planOf, verdictOf } from "./plan.js";

/** What is to be done after the hand has changed. */
export const DEEDS = { nothing: "nothing", send: "send", plan: "plan" };

const takebacksOf = (snapshot) => snapshot?.takebacks ?? 0;

export class Composer {
  /** `wayOf()`: the setting "send"; `shelf`: {load(game), save(plan), drop(game)}. */
  constructor({ wayOf, shelf }) {
    Object.assign(this, { wayOf, shelf });
    this.snapshot = null;
    this.hand = null;
    this.sent = null;
    this.plan = null;
    this.dropped = null; // why the last plan was dropped, until the hand begins something new
    this.planning = false;
  }

  /** The go in the hand is complete, and neither sent nor planned. */
  get isReady() {
    return this.hand !== null && !this.planning && isComplete(this.hand);
  }

  /**
   * Takes in a newer snapshot; `same`: the turn is the one shown before. Its `plan` is undefined until
   * it is known what who waits may plan. Gives the deed that is due:
   * "send" for a plan whose moment has come (it is forgotten here, so that it is never sent twice),
   * "plan" for a plan that was dropped.
   */
  meet(snapshot, { same }) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    if (before === null && snapshot.you) this.plan = this.shelf.load(snapshot.game);
    const was = { hand: this.hand, planning: this.planning, before };
    const kept = this.keptFrom(was, snapshot);
    this.planning = kept !== null || (!snapshot.prompt && Boolean(snapshot.plan));
    if (this.plan !== null) return this.meetPlan(snapshot, kept);
    this.hand = kept ?? this.handFor(snapshot, same, was);
    return DEEDS.nothing;
  }

  /** The hand begun on an older state, until it is known what may be planned on this one; else null. */
  keptFrom({ hand, planning, before }, snapshot) {
    const isKnown = Boolean(snapshot.prompt) || snapshot.plan !== undefined;
    if (isKnown || !planning || hand === null || snapshot.status === "over") return null;
    const goesOn = hand.path.length > 0 && takebacksOf(before) === takebacksOf(snapshot);
    return goesOn ? hand : null;
  }

  meetPlan(snapshot, kept) {
    const { verdict, hand } = verdictOf(this.plan, snapshot);
    if (verdict === KEEP) {
      this.hand = hand ?? kept;
      return DEEDS.nothing;
    }
    this.forget();
    if (verdict === SEND && this.sent === null) {
      this.hand = hand;
      return DEEDS.send;
    }
    this.dropped = verdict === OVER || verdict === SEND ? null : verdict;
    const prompt = this.promptOf(snapshot);
    this.hand = prompt && openHand(prompt);
    return DEEDS.plan;
  }

  promptOf({ status, prompt, plan }) {
    if (this.sent !== null || status === "over") return null;
    return prompt ?? plan ?? null;
  }

  handFor(snapshot, same, { hand, planning, before }) {
    const prompt = this.promptOf(snapshot);
    if (prompt === null) return null;
    const goesOn = same || (planning && takebacksOf(before) === takebacksOf(snapshot));
    if (!goesOn || hand === null) return openHand(prompt);
    const carried = carry(hand, prompt);
    const whole = isComplete(carried) && !isComplete(hand);
    return whole ? back(carried) : carried; // what a person hasn't finished is never finished for them
  }

  forget() {
    this.shelf.drop(this.plan.game);
    this.plan = null;
  }

  /** Puts another hand in place of the present one; gives the deed that is due. */
  put(hand) {
    this.hand = hand;
    this.dropped = null;
    if (!this.planning) {
      return isComplete(hand) && this.wayOf() === "once" ? DEEDS.send : DEEDS.nothing;
    }
    if (isComplete(hand)) {
      this.plan = planOf(hand, this.snapshot);
      this.shelf.save(this.plan);
    } else if (this.plan !== null) this.forget();
    else return DEEDS.nothing;
    return DEEDS.plan;
  }

  /** Whether a tap on this square sends the go that waits. */
  sends(square) {
    return this.isReady && this.wayOf() !== "button" && square === this.hand.path.at(-1);
  }

  /** The hand after a tap. */
  tapped(square) {
    return tap(this.hand, square);
  }

  /** The hand with one step taken back; a plan goes as a whole. */
  undone() {
    return this.plan !== null ? rewind(this.hand, 0) : back(this.hand);
  }

  /** The hand with nothing in it. */
  cleared() {
    return rewind(this.hand, 0);
  }

  /** The actions of the complete go in the hand. */
  actions() {
    return actionsOf(this.hand);
  }

  /** The hand is on its way. */
  send() {
    this.sent = this.hand;
    this.hand = null;
  }

  /** What was sent has been answered. */
  settle() {
    this.sent = null;
  }
}
