/**
 * Premoves: a turn composed while the opponent is to move, its storage, and its options.
 *
 * A premove is a frozen value that remembers the position it was made on; each new snapshot decides
 * whether it is kept, sent or dropped, and `judgePremove` alone makes that decision.
 */

import { required } from "../lib/required.js";
import { choose, draftText, isComplete, openDraft, targetsOf, wordAt } from "./path-draft.js";
import { unpackPrompt } from "./prompt.js";

export const KEEP = "keep";

export const SEND = "send";

export const OVER = "over";

/** The two reasons for which a premove is dropped while the game runs. */
export const GONE_ON = "gone on";

export const NO_LONGER_LEGAL = "no longer legal";

/** @param {BoardState} snapshot */
const turnsOf = ({ turns, view }) => turns ?? view.turns;

/** @param {BoardState} snapshot */
const takebacksOf = ({ takebacks }) => takebacks ?? 0;

/**
 * The draft that has gone this path through a prompt; null if the tree doesn't lead there.
 *
 * @param {Wire.BoardPrompt} prompt
 * @param {readonly Square[]} path
 */
export function followPath(prompt, path) {
  let draft = openDraft(prompt);
  for (const square of path) {
    if (!targetsOf(draft).includes(square)) return null;
    draft = choose(draft, square);
  }
  return draft;
}

/**
 * The premove of a complete draft, made on this snapshot.
 *
 * @param {Draft} draft
 * @param {BoardState} snapshot
 * @returns {Premove}
 */
export function makePremove(draft, snapshot) {
  return Object.freeze({
    game: snapshot.game,
    role: required(snapshot.you, "the role of who premoves"),
    step: snapshot.step,
    turns: turnsOf(snapshot),
    takebacks: takebacksOf(snapshot),
    path: draft.path,
    words: Object.freeze(draft.path.map((_, index) => wordAt(draft, index))),
    text: draftText(draft),
  });
}

/**
 * @param {Premove} premove
 * @param {Wire.BoardPrompt} prompt
 */
function followPremove(premove, prompt) {
  const words = prompt.steps.map(({ word }) => word);
  if (!premove.words.every((word, index) => word === words[index])) return null;
  const draft = followPath(prompt, premove.path);
  return draft !== null && isComplete(draft) ? draft : null;
}

/**
 * Judges a premove against a snapshot: {verdict, draft}. `draft` is the premove under
 * the present prompt for KEEP and SEND (null where a kept premove has no prompt to stand on), else null.
 *
 * @param {Premove} premove
 * @param {BoardState} snapshot
 */
export function judgePremove(premove, snapshot) {
  /** @param {string} verdict */
  const dropped = (verdict) => ({ verdict, draft: /** @type {Draft | null} */ (null) });
  if (snapshot.status === "over") return dropped(OVER);
  const same = premove.game === snapshot.game && premove.role === snapshot.you;
  if (!same || premove.takebacks !== takebacksOf(snapshot) || snapshot.step < premove.step) {
    return dropped(GONE_ON);
  }
  const later = turnsOf(snapshot) - premove.turns;
  const { prompt } = snapshot;
  if (later !== (prompt ? 1 : 0)) return dropped(GONE_ON);
  const options = prompt ?? snapshot.premove;
  if (!options) return { verdict: KEEP, draft: null };
  const draft = followPremove(premove, options);
  return draft ? { verdict: prompt ? SEND : KEEP, draft } : dropped(NO_LONGER_LEGAL);
}

/** @param {unknown} value */
const isText = (value) => typeof value === "string";

/** @param {unknown} value */
const isTextList = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

/**
 * A premove from stored text; null for anything that isn't one.
 *
 * @param {string} text
 */
export function parsePremove(text) {
  let premove = null;
  try {
    premove = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (premove === null || typeof premove !== "object") return null;
  const numbers = [premove.step, premove.turns, premove.takebacks].every(Number.isInteger);
  const texts = [premove.game, premove.role, premove.text].every(isText);
  const paths =
    isTextList(premove.path) &&
    isTextList(premove.words) &&
    premove.words.length === premove.path.length;
  if (!numbers || !texts || !paths) return null;
  const { game, role, step, turns, takebacks, path, words, text: textOfTurn } = premove;
  return Object.freeze({ game, role, step, turns, takebacks, path, words, text: textOfTurn });
}

/** @param {Premove} premove */
export function writePremove(premove) {
  return JSON.stringify(premove);
}

/** @param {string} game */
const keyOf = (game) => `quiver-plan-${game}`;

/**
 * @template T
 * @param {(storage: Storage) => T} task
 */
function tryStorage(task) {
  try {
    return task(globalThis.sessionStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

/** @type {PremoveStorage} */
export const PREMOVE_STORAGE = {
  /** The premove kept for a game; null if none is. */
  load(game) {
    return parsePremove(tryStorage((storage) => storage.getItem(keyOf(game))) ?? "");
  },
  save(premove) {
    tryStorage((storage) => storage.setItem(keyOf(premove.game), writePremove(premove)));
  },
  drop(game) {
    tryStorage((storage) => storage.removeItem(keyOf(game)));
  },
};

export class PremoveRequests {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** The rev that was asked for last. @type {number | null} */
    this.requestedRev = null;
    /** Tasks that wait for the answer. @type {(() => void)[]} */
    this.delayed = [];
  }

  /** The person is not to move, and the premove options are not known. */
  get isUnknown() {
    const { snapshot, sent, past, veiled, events } = this.board;
    const { you, status, prompt, premove } = snapshot;
    const waits = you && status === "live" && !prompt && premove === undefined;
    return Boolean(waits && events.requestPremoves) && sent === null && past === null && !veiled;
  }

  /** Requests the options when the reader begins to use the board. */
  request() {
    const { rev } = this.board.snapshot;
    if (this.isUnknown && this.requestedRev !== rev && this.board.events.requestPremoves?.(rev))
      this.requestedRev = rev;
  }

  /** Requests the options again while the board is in use: a draft, a premove, or focus in the grid. */
  requestIfInUse() {
    const { draft, premove, element } = this.board;
    const begun = draft !== null && draft.path.length > 0;
    const inGrid = element.contains(document.activeElement);
    if (begun || inGrid || premove !== null || this.delayed.length > 0) this.request();
  }

  /**
   * Keeps a task until the options are known; returns whether it has to wait.
   *
   * @param {() => void} task
   */
  delay(task) {
    if (this.board.isActive() || !this.isUnknown) return false;
    this.delayed.push(task);
    this.request();
    return true;
  }

  /**
   * The premove of a newer snapshot, if it is known; tasks that were meant for another turn are dropped.
   *
   * @param {BoardState} snapshot
   */
  carryOver(snapshot) {
    const { rev, premove, takebacks } = this.board.snapshot;
    if (snapshot.prompt || snapshot.takebacks !== takebacks) this.delayed = [];
    return rev === snapshot.rev ? premove : undefined;
  }

  /**
   * Receives the answer; `premove` is null if there is nothing to plan.
   *
   * @param {Wire.PremoveOptions} options
   */
  receiveOptions({ rev, plan: premove }) {
    if (rev !== this.board.snapshot.rev) return;
    this.board.setPremoveOptions(unpackPrompt(premove, this.board.snapshot.view.board));
    const { delayed } = this;
    this.delayed = [];
    if (premove) delayed.forEach((task) => task());
  }

  /** Requests the options again on a new connection, which does not answer earlier requests. */
  handleReconnect() {
    this.requestedRev = null;
    this.requestIfInUse();
  }

  forget() {
    this.delayed = [];
  }
}
