/** The status block: the sentence, the numbered steps, the hint, and "Keep the arrow". */

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

/** Long labels together: on the phone only the current one is shown. */
function isLong(steps) {
  return steps.map(({ label }) => label).join("").length > 10;
}

export class Status {
  constructor(root, onKeep) {
    const part = (id) => root.querySelector(`#${id}`);
    this.root = root;
    this.sentence = part("sentence");
    this.steps = part("steps");
    this.hint = part("hint");
    this.keep = part("keep");
    this.shown = "";
    part("keep-arrow").addEventListener("click", onKeep);
  }

  /** `steps`: [{label, state: "done" | "now" | "later"}]; `hint`: [[text, bold]]. */
  show({ sentence, steps, hint, keep = false, mine = false }) {
    const text = JSON.stringify([sentence, steps, hint, keep, mine]);
    if (text === this.shown) return;
    this.shown = text;
    this.root.classList.toggle("mine", mine);
    if (this.sentence.textContent !== sentence) this.sentence.textContent = sentence;
    this.steps.replaceChildren(...steps.map(stepOf));
    this.steps.hidden = steps.length === 0;
    this.steps.classList.toggle("brief", isLong(steps));
    this.hint.replaceChildren(...hint.map(pieceOf));
    this.keep.hidden = !keep;
  }
}

/** Labels with their states: those before `index` are done, the one at it is on. */
export function stepsAt(labels, index) {
  return labels.map((label, at) => ({
    label,
    state: at < index ? "done" : at === index ? "now" : "later",
  }));
}
