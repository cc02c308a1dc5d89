/** What a board tells the panel: its status, the entry in the hand, and which buttons make sense. */

import { openEntry, pathStatus } from "../panel/path.js";
import { setting } from "../settings.js";
import { t } from "../text.js";
import { choose, heldPiece, isComplete, movesOf, rewind, spellingOf, targetsOf } from "./path.js";
import { captureSentence } from "./speech.js";
import { afterHand } from "./stand.js";

/** How many steps of piece and target a hand has made. */
const movesMade = (hand) => movesOf(hand).length;

/** The sentences about what each step of a hand captures; null if none does. */
function takings(view, hand, steps, role) {
  const said = steps.flatMap((index) => {
    const upTo = rewind(hand, 2 * (index + 1));
    const { marks } = afterHand(view, rewind(hand, 2 * index));
    return captureSentence(view, upTo, marks, role) ?? [];
  });
  return said.length > 0 ? said : null;
}

/** The captures of the step under the hand, or of the newest step, or of a whole go that is complete. */
function capturesOf({ hand, hover, snapshot }) {
  if (!hand || hand.path.length === 0) return null;
  const held = heldPiece(hand) !== null;
  const aimed = held && targetsOf(hand).includes(hover);
  if (held && !aimed) return null;
  const after = aimed ? choose(hand, hover) : hand;
  const made = movesMade(after);
  const steps = isComplete(hand) ? [...Array(made).keys()] : [made - 1];
  return takings(snapshot.view, after, steps.filter((step) => step >= 0), snapshot.you);
}

/**
 * {status, open: the entry in the hand or null, back: the word for taking back or null, ready: whether
 * a complete go waits to be sent, planned: whether one is planned, planning: whether the hand plans,
 * text: the spelling of what is in the hand}.
 */
export function reportOf(board, snapshot) {
  const { hand, sent, plan, dropped } = board;
  const { planning } = board.composer;
  const own = planning ? null : hand;
  const tap = matchMedia("(pointer: coarse)").matches ? t("Tap") : t("Click");
  const captures = capturesOf(board);
  const ready = board.isReady();
  const made = hand !== null && movesOf(hand).length > 0 && board.isActive();
  const mayPlan = board.wish.isOpen;
  const state = { hand: own, sent, captures, tap, ready, way: setting("send"), plan, dropped, mayPlan };
  return {
    status: pathStatus(snapshot, { ...state, planning: planning ? hand : null }),
    open: openEntry(snapshot, own ?? sent),
    back: made ? (plan ? t("Drop plan") : t("Undo step")) : null,
    ready,
    planned: plan !== null,
    planning,
    text: hand ? spellingOf(hand) : "",
  };
}
