/** The status block: the sentence, the numbered steps, the chip of the turn, and the buttons of the draft. */

import { onEachPress, onPress, setAllowed, showOrLeaveEmpty } from "../lib/action-buttons.js";
import { find } from "../lib/dom.js";

const WAIT_INTERVAL_MS = 1000;

const HOUR_MS = 3_600_000;

/**
 * "0:14"; "" for waits of an hour and more, which no one sits through. Pure.
 *
 * @param {number} wait in ms
 */
export function waitText(wait) {
  if (wait >= HOUR_MS) return "";
  const seconds = Math.max(0, Math.floor(wait / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {StatusStep} step
 * @param {number} index
 */
function stepOf({ label, state }, index) {
  const step = document.createElement("li");
  step.className = `step ${state}`;
  if (state === "now") step.setAttribute("aria-current", "step");
  const dot = document.createElement("span");
  dot.className = "step-dot number";
  dot.textContent = state === "done" ? "✓" : String(index + 1);
  const text = document.createElement("span");
  text.className = "step-label";
  text.textContent = label;
  step.append(dot, text);
  return step;
}

/** @param {[string, boolean]} piece */
function pieceOf([text, bold]) {
  if (!bold) return text;
  const strong = document.createElement("b");
  strong.translate = false; // notation
  strong.textContent = text;
  return strong;
}

/**
 * A text in which the notation of a turn is never broken.
 *
 * @param {string} text
 * @param {string | undefined} turn
 */
function keepUnbroken(text, turn) {
  const at = turn ? text.indexOf(turn) : -1;
  if (!turn || at < 0) return [text];
  const whole = document.createElement("span");
  whole.className = "whole";
  whole.translate = false;
  whole.textContent = turn;
  return [text.slice(0, at), whole, text.slice(at + turn.length)];
}

export class StatusBlock {
  /**
   * `commands`: {undo, keep, submit}.
   *
   * @param {HTMLElement} root
   * @param {Commands} commands
   */
  constructor(root, commands) {
    /** @param {string} id */
    const part = (id) => find(root, `#${id}`);
    this.root = root;
    this.sentence = part("sentence");
    this.steps = part("steps");
    this.hint = part("hint");
    this.chip = part("chip");
    this.draft = part("hand");
    this.undo = part("undo");
    /** @type {HTMLElement | null} */
    this.keep = root.querySelector("#keep-arrow");
    this.send = part("send");
    this.undoWord = part("undo-word");
    this.shown = "";
    this.waited = part("waited");
    /** @type {number | null} */
    this.since = null;
    /** @type {number | undefined} */
    this.waiting = undefined;
    onEachPress(this.undo, commands.undo);
    if (this.keep) onPress(this.keep, commands.keep);
    onPress(this.send, commands.submit);
  }

  /**
   * `steps`: [{label, state: "done" | "now" | "later"}]; `hint`: [[text, bold]]; `chip`: {kind, turn,
   * text} or null; `mine`: it is the reader's turn, and the steps are shown; `waits`: the reader plays and
   * waits for the opponent; `back`: the word of the undo button or null; `ready`: a turn waits; `sends`: by a button.
   *
   * @param {BlockState} status
   */
  show({
    sentence,
    steps,
    hint,
    chip = null,
    keep = false,
    mine = false,
    waits = false,
    back,
    ready,
    sends,
  }) {
    const text = JSON.stringify([
      sentence,
      steps,
      hint,
      chip,
      keep,
      mine,
      waits,
      back,
      ready,
      sends,
    ]);
    if (text === this.shown) return;
    this.shown = text;
    this.root.classList.toggle("mine", mine);
    this.root.classList.toggle("waits", waits);
    if (this.sentence.textContent !== sentence) this.sentence.textContent = sentence;
    const shown = mine && steps.length > 1 ? steps : [];
    this.steps.replaceChildren(...shown.map(stepOf));
    this.steps.hidden = shown.length === 0;
    this.hint.replaceChildren(...hint.map(pieceOf));
    this.chip.hidden = chip === null;
    this.chip.dataset.kind = chip?.kind ?? "";
    this.chip.replaceChildren(...(chip ? keepUnbroken(chip.text, chip.turn) : []));
    this.showDraft({ keep, back, ready, sends });
  }

  /**
   * Shows how long the opponent has been thinking, second by second; `since`: null for not at all.
   *
   * @param {number | null} since
   * @param {() => number} now the server's time
   */
  showWait(since, now) {
    if (since === this.since) return;
    this.since = since;
    clearInterval(this.waiting);
    this.waited.textContent = "";
    if (since === null) return;
    const tick = () => {
      this.waited.textContent = waitText(now() - since);
    };
    tick();
    this.waiting = setInterval(tick, WAIT_INTERVAL_MS);
  }

  /** @param {Pick<BlockState, "keep" | "back" | "ready" | "sends">} state */
  showDraft({ keep, back, ready, sends }) {
    showOrLeaveEmpty(this.undo, Boolean(back));
    if (back) this.undoWord.textContent = back;
    if (this.keep) showOrLeaveEmpty(this.keep, keep);
    this.send.hidden = !sends;
    this.send.classList.toggle("primary", ready);
    this.send.classList.toggle("plain", !ready);
    setAllowed(this.send, ready);
  }
}

/**
 * Labels with their states: those before `index` are done, the one at it is on.
 *
 * @param {string[]} labels
 * @param {number} index
 * @returns {StatusStep[]}
 */
export function stepsAt(labels, index) {
  return labels.map((label, at) => ({
    label,
    state: at < index ? "done" : at === index ? "now" : "later",
  }));
}

/**
 * The hint with a remark about the newest turn before it; spectators get the remark alone. Pure.
 *
 * @param {string} remark
 * @param {BoldText} hint
 * @param {boolean} watches
 * @returns {BoldText}
 */
export function hintWith(remark, hint, watches) {
  if (remark === "") return hint;
  return watches || hint.length === 0 ? [[remark, false]] : [[`${remark} `, false], ...hint];
}

/**
 * The status that is shown: of the surface or of an earlier position, with the remark and with the
 * outcome of the sent turn.
 *
 * @param {import("./game-page.js").Game} game
 * @param {Report} report
 * @returns {Status}
 */
export function toldStatus({ replay, sendStatus, snapshot, remark }, { status, open }) {
  const told = replay.isBack ? replay.status(status) : status;
  const isQuiet = replay.isBack || open !== null || Boolean(told.explains);
  const hint = hintWith(isQuiet ? "" : remark, told.hint, snapshot.you === null);
  return { ...told, hint, chip: told.chip ?? sendStatus.chip };
}
