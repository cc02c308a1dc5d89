/** The status of a path game, from the snapshot and what the board's hand holds. Pure. */

import { keepOf, movesOf, spellingOf, stepOf } from "../board/path.js";
import { familyOf } from "../board/speech.js";
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

function offerHint({ offers, you, seats, status }) {
  const by = offers?.draw?.by;
  if (!by || status === "over" || you === null || by === you) return null;
  return [[`${seats[by].name} offers a draw. `, true], ["Take it with Yes below.", false]];
}

function hintFor(snapshot, { hand, sent, captures, tap }) {
  if (snapshot.status === "over") return [];
  if (sent) return [[`Sending ${spellingOf(sent)}.`, false]];
  const offer = offerHint(snapshot);
  if (offer) return offer;
  if (snapshot.you === null) return [["You are watching.", false]];
  if (!hand || stepOf(hand) === null) return [];
  if (captures) return captures;
  const state = { step: stepOf(hand), path: hand.path, keep: keepOf(hand), tap };
  return [[hintOf(snapshot, state), false]];
}

/** {sentence, labels, index, hint, keep, mine}; `state`: {hand, sent, captures, tap}. */
export function pathStatus(snapshot, state) {
  const { hand, sent } = state;
  const mine = snapshot.status === "live" && (hand !== null || sent !== null);
  const index = stepIndex(snapshot, sent ? null : hand && stepOf(hand), mine);
  return {
    sentence: goSentence(snapshot, index),
    labels: snapshot.status === "over" ? [] : labelsOf(snapshot, hand ?? sent),
    index,
    hint: hintFor(snapshot, state),
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
