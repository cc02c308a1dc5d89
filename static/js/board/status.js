/** The status of a path game for the panel: sentence, steps, hint, chip, and which buttons make sense. */

import { familyOf } from "../lib/game-words.js";
import { setting } from "../lib/settings.js";
import { t } from "../lib/text.js";
import { captureSentence, hintOf, stepIndex, stepLabels, turnSentence } from "./board-sentences.js";
import { afterDraft } from "./occupancy.js";
import {
  choose,
  draftText,
  heldPiece,
  isComplete,
  keepOf,
  movesOf,
  rewind,
  stepOf,
  targetsOf,
} from "./path-draft.js";
import { signatureOf } from "./refused-tap.js";

/**
 * Done steps of Pincer are named by what was done.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {Draft | null} draft
 */
function labelsOf(snapshot, draft) {
  const labels = stepLabels(snapshot);
  if (familyOf(snapshot.key) !== "pincer") return labels;
  const done = snapshot.last.filter(({ turn }) => turn === snapshot.last.at(-1)?.turn);
  const before = snapshot.view.step === 2 ? done.slice(-1).map(({ text, role }) => text[role]) : [];
  const made = draft ? movesOf(draft).map(({ start, end }) => `${start}-${end}`) : [];
  const textOfTurn = [...before, ...made];
  return labels.map((label, index) => textOfTurn[index] ?? label);
}

/**
 * Returns how to send a complete turn that waits; a button needs no hint.
 *
 * @param {string} way
 * @returns {BoldText}
 */
function sendHint(way) {
  return way === "button" ? [] : [[t("Pick the square again to send."), false]];
}

/**
 * @param {Wire.BoardSnapshot} snapshot
 * @param {Draft} draft
 * @param {{ captures: BoldText | null }} state
 * @returns {BoldText}
 */
function stepHint(snapshot, draft, { captures }) {
  if (captures) return captures;
  const step = stepOf(draft);
  if (step === null) return [];
  return [[hintOf(snapshot, { step, keep: keepOf(draft) }), false]];
}

/**
 * @param {Wire.BoardSnapshot} snapshot
 * @param {StatusState} state
 * @returns {BoldText}
 */
function premoveHint(snapshot, state) {
  const { planning, premove, mayPremove } = state;
  if (premove) return [[t("Plays by itself if still legal."), false]];
  const isUnknown = planning ? planning.path.length === 0 && stepOf(planning) !== null : mayPremove;
  if (isUnknown) return [[t("You can premove while you wait."), false]];
  if (!planning || stepOf(planning) === null) return [];
  return stepHint(snapshot, planning, state);
}

/**
 * @param {Wire.BoardSnapshot} snapshot
 * @param {StatusState} state
 * @returns {BoldText}
 */
function hintFor(snapshot, state) {
  const { draft, sent, ready, captures, way } = state;
  if (snapshot.status === "over" || sent) return [];
  if (snapshot.you === null) return [[t("You’re watching."), false]];
  if (ready) return [...(captures ?? []), ...sendHint(way)];
  if (!draft || stepOf(draft) === null) return premoveHint(snapshot, state);
  return stepHint(snapshot, draft, state);
}

/**
 * Returns the chip of the turn so far: {kind, turn, text}; null if there is none.
 *
 * @param {Pick<StatusState, "draft" | "sent" | "premove">} state
 */
function chipFor({ draft, sent, premove }) {
  /**
   * @param {string} kind
   * @param {string} turn
   * @param {string} text
   */
  const chip = (kind, turn, text) => ({ kind, turn, text });
  if (sent) {
    const turn = draftText(sent);
    return chip("sending", turn, t("Sending {turn}", { turn }));
  }
  if (premove) return chip("planned", premove.text, t("Premove: {turn}", { turn: premove.text }));
  if (!draft || movesOf(draft).length === 0) return null;
  const turn = draftText(draft).trim();
  return chip("unsent", turn, t("{turn} (draft)", { turn }));
}

/**
 * {sentence, labels, index, hint, chip, keep, mine}; `state`: {draft, sent, captures, ready, way:
 * the setting "send", premove, planning: the draft that premoves or null, mayPremove: whether the
 * premove options are still unknown}.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {StatusState} state
 * @returns {Status}
 */
export function pathStatus(snapshot, state) {
  const { draft, sent } = state;
  const mine = snapshot.status === "live" && (draft !== null || sent !== null);
  const index = stepIndex(snapshot, sent ? null : draft && stepOf(draft), mine);
  return {
    sentence: turnSentence(snapshot, index),
    labels: snapshot.status === "over" ? [] : labelsOf(snapshot, draft ?? sent),
    index,
    hint: hintFor(snapshot, state),
    chip: snapshot.status === "over" ? null : chipFor(state),
    keep: draft !== null && keepOf(draft) !== null,
    mine,
  };
}

/**
 * Returns the draft's entry for the move list; null if the draft is empty.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {Draft | null} draft
 */
export function openEntry(snapshot, draft) {
  if (!draft || draft.path.length === 0) return null;
  const { view, you } = snapshot;
  return { role: you, text: draftText(draft), joins: view.step === "fire" || view.step === 2 };
}

/**
 * Returns how many steps of piece and target a draft has made.
 *
 * @param {Draft} draft
 */
const movesMade = (draft) => movesOf(draft).length;

/**
 * The sentences about what each step of a draft captures; null if none does.
 *
 * @param {Wire.BoardView} view
 * @param {Draft} draft
 * @param {number[]} steps
 * @param {Role} role
 */
function captureSentences(view, draft, steps, role) {
  const said = steps.flatMap((index) => {
    const upTo = rewind(draft, 2 * (index + 1));
    const { marks } = afterDraft(view, rewind(draft, 2 * index));
    return captureSentence(view, upTo, marks, role) ?? [];
  });
  return said.length > 0 ? said : null;
}

/**
 * The captures of the step under the draft, or of the newest step, or of a whole turn that is complete.
 *
 * @param {import("./board.js").Board} board
 */
function capturesOf({ draft, hover, snapshot }) {
  if (!draft || draft.path.length === 0 || snapshot.you === null) return null;
  const held = heldPiece(draft) !== null;
  const aimed = held && hover !== null && targetsOf(draft).includes(hover) ? hover : null;
  if (held && aimed === null) return null;
  const after = aimed === null ? draft : choose(draft, aimed);
  const made = movesMade(after);
  const steps = isComplete(draft) ? [...Array(made).keys()] : [made - 1];
  return captureSentences(
    snapshot.view,
    after,
    steps.filter((step) => step >= 0),
    snapshot.you,
  );
}

/**
 * {status, open: the entry in the draft or null, back: the word for taking back or null, ready: whether
 * a complete turn waits to be sent, planned: whether one is planned, planning: whether the draft premoves,
 * text: the spelling of the draft}.
 *
 * @param {import("./board.js").Board} board
 * @param {Wire.BoardSnapshot} snapshot
 * @returns {Report}
 */
export function reportOf(board, snapshot) {
  const { draft, sent, premove, dropped } = board;
  const { planning } = board.composer;
  const own = planning ? null : draft;
  const captures = capturesOf(board);
  const ready = board.isReady();
  const made = draft !== null && movesOf(draft).length > 0 && board.isActive();
  const mayPremove = board.premoves.isUnknown;
  const state = {
    draft: own,
    sent,
    captures,
    ready,
    way: setting("send"),
    premove,
    dropped,
    mayPremove,
  };
  const status = pathStatus(snapshot, { ...state, planning: planning ? draft : null });
  const why = board.replyMarks.reasonFor(signatureOf(board.activeDraft));
  return {
    status: why === null ? status : { ...status, hint: [[why, false]], explains: true },
    open: openEntry(snapshot, own ?? sent),
    back: made ? (premove ? t("Cancel premove") : t("Undo")) : null,
    ready,
    planned: premove !== null,
    planning,
    text: draft ? draftText(draft) : "",
  };
}
