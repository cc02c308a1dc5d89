/** Sentences for each half-step of a turn that is being composed on a board. Pure. */

import { captureSentence } from "../board/board-sentences.js";
import { afterDraft } from "../board/occupancy.js";
import { draftText, isComplete, keepOf, rewind, stepOf, targetsOf } from "../board/path-draft.js";
import { t, tn } from "../lib/text.js";

/**
 * The number of squares or pieces that can be chosen next.
 *
 * @param {Draft} draft
 */
function nextSentence(draft) {
  const keep = keepOf(draft);
  const count = targetsOf(draft).filter((square) => square !== keep).length;
  const word = stepOf(draft)?.word;
  if (word === "arrow") {
    const shoot = tn("Now shoot: {count} target.", "Now shoot: {count} targets.", count);
    return keep === null ? shoot : `${shoot} ${t("{square}: no arrow.", { square: keep })}`;
  }
  return tn("Second step: {count} piece can move.", "Second step: {count} pieces can move.", count);
}

/**
 * The captures of the newest step; "" for none.
 *
 * @param {Wire.BoardView} view
 * @param {Draft} draft
 * @param {Role} you
 */
function captures(view, draft, you) {
  const { marks } = afterDraft(view, rewind(draft, draft.path.length - 2));
  return (captureSentence(view, draft, marks, you) ?? []).map(([text]) => text).join("");
}

/**
 * The way to send a complete turn; null where it is sent by itself.
 *
 * @param {Draft} draft
 * @param {string} way the setting "send"
 */
function readySentence(draft, way) {
  const turn = draftText(draft);
  if (way === "once") return null;
  return way === "button"
    ? t("{turn} is ready. Press Send to send it.", { turn })
    : t("{turn} is ready. Pick {square} again to send it.", { turn, square: draft.path.at(-1) });
}

/**
 * The newest choice, or its withdrawal: "a3 chosen, 15 targets.", "Moved to c5. Now shoot: 18
 * targets."; null where nothing is to be said.
 *
 * @param {Draft | null} before
 * @param {Draft | null} after
 * @param {{ view: Wire.BoardView, you: Role, way: string, planning: boolean }} state
 */
export function draftSentence(before, after, { view, you, way, planning }) {
  if (after === null || after.path.join() === (before?.path ?? []).join()) return null;
  const square = after.path.at(-1);
  if (square === undefined) return t("Nothing chosen.");
  const { word } = after.prompt.steps[after.path.length - 1];
  if (word.startsWith("from")) {
    const count = targetsOf(after).length;
    return tn("{square} chosen, {count} target.", "{square} chosen, {count} targets.", count, {
      square,
    });
  }
  const isMove = word.startsWith("to");
  const moved = isMove ? [t("Moved to {square}.", { square }), captures(view, after, you)] : [];
  const ready = planning ? null : readySentence(after, way);
  const then = isComplete(after) ? ready : nextSentence(after);
  return [...moved, then].filter(Boolean).join(" ") || null;
}
