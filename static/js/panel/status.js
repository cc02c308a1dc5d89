/** The status block: the sentence, the numbered steps, what became of the go, and the hand's buttons. */

import { allow, offer, onEachPress, onPress } from "./guard.js";

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

function pieceOf([text, bold]) {
  if (!bold) return text;
  const strong = document.createElement("b");
  strong.textContent = text;
  return strong;
}

/** A text in which the notation of a go is never broken. */
function unbroken(text, go) {
  const at = go ? text.indexOf(go) : -1;
  if (at < 0) return [text];
  const whole = document.createElement("span");
  whole.className = "whole";
  whole.textContent = go;
  return [text.slice(0, at), whole, text.slice(at + go.length)];
}

/** Long labels together: on the phone only the current one is shown. */
function isLong(steps) {
  return steps.map(({ label }) => label).join("").length > 10;
}

export class Status {
  /** `deeds`: {undo, keep, submit}. */
  constructor(root, deeds) {
    const part = (id) => root.querySelector(`#${id}`);
    this.root = root;
    this.sentence = part("sentence");
    this.steps = part("steps");
    this.hint = part("hint");
    this.chip = part("chip");
    this.hand = part("hand");
    this.undo = part("undo");
    this.keep = part("keep-arrow");
    this.send = part("send");
    this.undoWord = part("undo-word");
    this.shown = "";
    onEachPress(this.undo, deeds.undo);
    if (this.keep) onPress(this.keep, deeds.keep);
    onPress(this.send, deeds.submit);
  }

  /**
   * `steps`: [{label, state: "done" | "now" | "later"}]; `hint`: [[text, bold]]; `chip`: {kind, go,
   * text} or null; `back`: the word of the undo button or null; `ready`: a go waits; `sends`: by a button.
   */
  show({ sentence, steps, hint, chip = null, keep = false, mine = false, back, ready, sends }) {
    const text = JSON.stringify([sentence, steps, hint, chip, keep, mine, back, ready, sends]);
    if (text === this.shown) return;
    this.shown = text;
    this.root.classList.toggle("mine", mine);
    if (this.sentence.textContent !== sentence) this.sentence.textContent = sentence;
    this.steps.replaceChildren(...steps.map(stepOf));
    this.steps.hidden = steps.length === 0;
    this.steps.classList.toggle("brief", isLong(steps));
    this.hint.replaceChildren(...hint.map(pieceOf));
    this.chip.hidden = chip === null;
    this.chip.dataset.kind = chip?.kind ?? "";
    this.chip.replaceChildren(...(chip ? unbroken(chip.text, chip.go) : []));
    this.showHand({ keep, back, ready, sends });
  }

  showHand({ keep, back, ready, sends }) {
    offer(this.undo, Boolean(back));
    if (back) this.undoWord.textContent = back;
    if (this.keep) offer(this.keep, keep);
    this.send.hidden = !sends;
    this.send.classList.toggle("primary", ready);
    this.send.classList.toggle("plain", !ready);
    allow(this.send, ready);
  }
}

/** Labels with their states: those before `index` are done, the one at it is on. */
export function stepsAt(labels, index) {
  return labels.map((label, at) => ({
    label,
    state: at < index ? "done" : at === index ? "now" : "later",
  }));
}
