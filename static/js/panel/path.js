/** The status of a path game, from the snapshot and what the board's hand holds. Pure. */

import { keepOf, movesOf, spellingOf, stepOf } from "../board/path.js";
import { familyOf } from "../board/speech.js";
import { t } from "../text.js";
import { goSentence, hintOf, stepIndex, stepLabels } from "./words.js";

/** Done steps of Pincer are named by what was done. */
function labelsOf(snapshot, hand) {
  const labels = stepLabels(snapshot);
  if (familyOf(snapshot.key) !== "pincer") return labels;
  const done = snapshot.last.filter(({ go }) => go === snapshot.last.at(-1).go);
  const before = snapshot.view.step === 2 ? done.slice(-1).map(({ text, role }) => text[role]) : [];
  const made = hand ? movesOf(hand).map(({ start, end }) => `${start}-${end}`) : [];
  const spelled = [...before, ...made];
  return labels.map((label, index) => spelled[index] ?? label);
}

/** How a complete go that waits is sent; a button needs no words. */
function sendHint(way, taps) {
  if (way === "button") return [];
  const words = taps ? t("Tap the square again to send.") : t("Click the square again to send.");
  return [[words, false]];
}

function stepHint(snapshot, hand, { captures, taps }) {
  if (captures) return captures;
  const state = { step: stepOf(hand), path: hand.path, keep: keepOf(hand), taps };
  return [[hintOf(snapshot, state), false]];
}

function planHint(snapshot, state) {
  const { planning, plan, mayPlan } = state;
  if (plan) return [[t("It is sent at once if it is still allowed then."), false]];
  const isOpen = planning ? planning.path.length === 0 && stepOf(planning) !== null : mayPlan;
  if (isOpen) return [[t("You may plan your next go meanwhile."), false]];
  if (!planning || stepOf(planning) === null) return [];
  return stepHint(snapshot, planning, state);
}

function hintFor(snapshot, state) {
  const { hand, sent, ready, captures, way, taps } = state;
  if (snapshot.status === "over" || sent) return [];
  if (snapshot.you === null) return [[t("You are watching."), false]];
  if (ready) return [...(captures ?? []), ...sendHint(way, taps)];
  if (!hand || stepOf(hand) === null) return planHint(snapshot, state);
  return stepHint(snapshot, hand, state);
}

/** What became of the go so far, in a word and its notation: {kind, go, text}; null if there is none. */
function chipFor({ hand, sent, plan }) {
  const chip = (kind, go, text) => ({ kind, go, text });
  if (sent) {
    const go = spellingOf(sent);
    return chip("sending", go, t("Sending {go}", { go }));
  }
  if (plan) return chip("planned", plan.text, t("Planned: {go}", { go: plan.text }));
  if (!hand || movesOf(hand).length === 0) return null;
  const go = spellingOf(hand);
  return chip("unsent", go, t("Not sent: {go}", { go }));
}

/**
 * {sentence, labels, index, hint, chip, keep, mine}; `state`: {hand, sent, captures, tap: the word
 * for a tap, ready, way: the setting "send", plan, planning: the hand that plans or
 * null, mayPlan: whether it is open what one might plan}.
 */
export function pathStatus(snapshot, state) {
  const { hand, sent, tap } = state;
  const mine = snapshot.status === "live" && (hand !== null || sent !== null);
  const index = stepIndex(snapshot, sent ? null : hand && stepOf(hand), mine);
  return {
    sentence: goSentence(snapshot, index),
    labels: snapshot.status === "over" ? [] : labelsOf(snapshot, hand ?? sent),
    index,
    hint: hintFor(snapshot, { ...state, taps: tap === t("Tap") }),
    chip: snapshot.status === "over" ? null : chipFor(state),
    keep: hand !== null && keepOf(hand) !== null,
    mine,
  };
}

/** What is in the hand, for the move list: {role, text, joins}; null if nothing is. */
export function openEntry(snapshot, hand) {
  if (!hand || hand.path.length === 0) return null;
  const { view, you } = snapshot;
  return { role: you, text: spellingOf(hand), joins: view.step === "fire" || view.step === 2 };
}
