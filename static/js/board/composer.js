/**
 * The composer of a path game: one draft for every turn, whether it is sent at once, waits for a second tap
 * or a button, or is a premove. Knows no pixels and no clock; `storage` keeps premoves.
 */

import { required } from "../lib/required.js";
import { actionsOf, carry, isComplete, openDraft, rewind, stepBack, tap } from "./path-draft.js";
import { judgePremove, KEEP, makePremove, OVER, SEND } from "./premove.js";

/** The follow-ups of a changed draft: nothing, send it, or announce a premove. */
export const FOLLOW_UPS = { nothing: "nothing", send: "send", premove: "plan" };

/** @param {BoardState | null} snapshot */
const takebacksOf = (snapshot) => snapshot?.takebacks ?? 0;

export class Composer {
  /**
   * `wayOf()`: the setting "send"; `storage`: {load(game), save(premove), drop(game)}.
   *
   * @param {{ wayOf: () => string, storage: PremoveStorage }} options
   */
  constructor({ wayOf, storage }) {
    this.wayOf = wayOf;
    this.storage = storage;
    /** @type {BoardState | null} */
    this.snapshot = null;
    /** @type {Draft | null} */
    this.draft = null;
    /** @type {Draft | null} */
    this.sent = null;
    /** @type {Premove | null} */
    this.premove = null;
    /** Reason why the last premove was dropped, until the draft begins something new. @type {string | null} */
    this.dropped = null;
    this.planning = false;
  }

  /** The turn in the draft is complete, and neither sent nor planned. */
  get isReady() {
    return this.draft !== null && !this.planning && isComplete(this.draft);
  }

  /**
   * Takes in a newer snapshot; `same`: the step is the one shown before. Its `premove` is undefined while
   * the premove options are unknown. Returns the follow-up:
   * "send" for a premove whose moment has come (it is forgotten here, so that it is never sent twice),
   * "plan" for a premove that was dropped.
   *
   * @param {BoardState} snapshot
   * @param {{ same: boolean }} options
   */
  update(snapshot, { same }) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    if (before === null && snapshot.you) this.premove = this.storage.load(snapshot.game);
    const was = { draft: this.draft, planning: this.planning, before };
    const kept = this.keptFrom(was, snapshot);
    this.planning = kept !== null || (!snapshot.prompt && Boolean(snapshot.premove));
    if (this.premove !== null) return this.meetPremove(this.premove, snapshot, kept);
    this.draft = kept ?? this.draftFor(snapshot, same, was);
    return FOLLOW_UPS.nothing;
  }

  /**
   * The draft begun on an older state while the premove options of this one are unknown; else null.
   *
   * @param {{ draft: Draft | null, planning: boolean, before: BoardState | null }} was
   * @param {BoardState} snapshot
   */
  keptFrom({ draft, planning, before }, snapshot) {
    const isKnown = Boolean(snapshot.prompt) || snapshot.premove !== undefined;
    if (isKnown || !planning || draft === null || snapshot.status === "over") return null;
    const goesOn = draft.path.length > 0 && takebacksOf(before) === takebacksOf(snapshot);
    return goesOn ? draft : null;
  }

  /**
   * @param {Premove} premove
   * @param {BoardState} snapshot
   * @param {Draft | null} kept
   */
  meetPremove(premove, snapshot, kept) {
    const { verdict, draft } = judgePremove(premove, snapshot);
    if (verdict === KEEP) {
      this.draft = draft ?? kept;
      return FOLLOW_UPS.nothing;
    }
    this.forget();
    if (verdict === SEND && this.sent === null) {
      this.draft = draft;
      return FOLLOW_UPS.send;
    }
    this.dropped = verdict === OVER || verdict === SEND ? null : verdict;
    const prompt = this.promptOf(snapshot);
    this.draft = prompt && openDraft(prompt);
    return FOLLOW_UPS.premove;
  }

  /** @param {BoardState} snapshot */
  promptOf({ status, prompt, premove }) {
    if (this.sent !== null || status === "over") return null;
    return prompt ?? premove ?? null;
  }

  /**
   * @param {BoardState} snapshot
   * @param {boolean} same
   * @param {{ draft: Draft | null, planning: boolean, before: BoardState | null }} was
   */
  draftFor(snapshot, same, { draft, planning, before }) {
    const prompt = this.promptOf(snapshot);
    if (prompt === null) return null;
    const goesOn = same || (planning && takebacksOf(before) === takebacksOf(snapshot));
    if (!goesOn || draft === null) return openDraft(prompt);
    const carried = carry(draft, prompt);
    const whole = isComplete(carried) && !isComplete(draft);
    return whole ? stepBack(carried) : carried; // an unfinished turn is never completed automatically
  }

  forget() {
    if (this.premove !== null) this.storage.drop(this.premove.game);
    this.premove = null;
  }

  /**
   * Puts another draft in place of the present one; returns the task that is due.
   *
   * @param {Draft} draft
   */
  put(draft) {
    this.draft = draft;
    this.dropped = null;
    if (!this.planning) {
      return isComplete(draft) && this.wayOf() === "once" ? FOLLOW_UPS.send : FOLLOW_UPS.nothing;
    }
    if (isComplete(draft)) {
      this.premove = makePremove(draft, required(this.snapshot, "a snapshot"));
      this.storage.save(this.premove);
    } else if (this.premove !== null) this.forget();
    else return FOLLOW_UPS.nothing;
    return FOLLOW_UPS.premove;
  }

  /**
   * Returns whether a tap on this square sends the turn that waits.
   *
   * @param {Square} square
   */
  sends(square) {
    return this.isReady && this.wayOf() !== "button" && square === this.draft?.path.at(-1);
  }

  /** The draft; TypeError if there is none. */
  requireDraft() {
    return required(this.draft, "a draft");
  }

  /**
   * The draft after a tap.
   *
   * @param {Square} square
   */
  draftAfterTap(square) {
    return tap(this.requireDraft(), square);
  }

  /** The draft with one step taken back; a premove goes as a whole. */
  draftAfterUndo() {
    const draft = this.requireDraft();
    return this.premove !== null ? rewind(draft, 0) : stepBack(draft);
  }

  /** The draft with nothing in it. */
  emptyDraft() {
    return rewind(this.requireDraft(), 0);
  }

  /** The actions of the complete turn in the draft. */
  actions() {
    return actionsOf(this.requireDraft());
  }

  /** The draft is on its way. */
  send() {
    this.sent = this.draft;
    this.draft = null;
  }

  /** Forgets the draft that was sent: it has been answered. */
  settle() {
    this.sent = null;
  }
}
