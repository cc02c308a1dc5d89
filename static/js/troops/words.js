/** The sentences of Blotto. Pure. What the other side has placed is in none of them. */

import { resultOf, revealSentence, roundSentence } from "../panel/words.js";
import { t, tn } from "../text.js";

const STEPS = [t("Place"), t("Seal"), t("Reveal")];

/** Where the round stands: the index of the step that is on. */
export function stepOf({ revealing, sealed, placed }) {
  if (revealing || sealed) return 2;
  return placed ? 1 : 0;
}

const HINTS = {
  place: t(
    "Drag a block to a field, or use + and −. More troops take the field: 2 points, 1 each if equal.",
  ),
  seal: t("All are placed. Once sealed, they stay as they are."),
  watch: t("You are watching. Both orders are opened at the same moment."),
};

function nextHint({ clock, view }, wait) {
  const values = { round: view.round, wait };
  return clock.kind === "none"
    ? t("Round {round} is open. On in {wait} s.", values)
    : t("Round {round} is open; your clock runs. On in {wait} s.", values);
}

function hintOf(snapshot, state, other) {
  if (snapshot.status === "over") return "";
  if (snapshot.you === null) return HINTS.watch;
  if (state.revealing) return nextHint(snapshot, state.wait);
  if (state.sent) return t("Sealing your orders.");
  if (state.sealed) {
    return t("Your orders are sealed. {name} is still deciding.", { name: other });
  }
  return state.placed ? HINTS.seal : HINTS.place;
}

/** {sentence, labels, index, hint, keep, mine} for the status block. */
export function troopsStatus(snapshot, state, other) {
  const over = snapshot.status === "over";
  const sentence = over
    ? resultOf(snapshot)
    : state.revealing && snapshot.view.goes > 0
      ? revealSentence(snapshot)
      : roundSentence(snapshot);
  const hint = hintOf(snapshot, state, other);
  return {
    sentence,
    labels: over ? [] : STEPS,
    index: stepOf(state),
    hint: hint === "" ? [] : [[hint, false]],
    keep: false,
    mine: snapshot.you !== null && !state.sealed && !over,
  };
}

function deciding([name, other]) {
  return other === undefined
    ? t("{name} is still deciding", { name })
    : t("{name} and {other} are still deciding", { name, other });
}

const sealedBy = (name) => t("{name} has sealed", { name });

const OVER = {
  closed: false,
  what: t("No more orders"),
  then: t("The game ended before a round was opened."),
};

function watched({ seats, sealed, control }) {
  const open = control.filter((role) => !sealed.includes(role)).map((role) => seats[role].name);
  const shut = sealed.map((role) => sealedBy(seats[role].name));
  const what = [...shut, ...(open.length > 0 ? [deciding(open)] : [])].join(", ");
  return { closed: shut.length > 0, what, then: t("Both are opened at the same moment.") };
}

/** What the envelope says: {closed, what, then}. */
export function envelopeWords(snapshot, mine) {
  const { status, you, seats, sealed } = snapshot;
  if (status === "over") return OVER;
  if (you === null) return watched(snapshot);
  const other = you === "white" ? "black" : "white";
  const { name } = seats[other];
  const done = sealed.includes(other);
  if (mine) {
    const then = done ? t("Both are sealed.") : t("{name} is still deciding.", { name });
    return { closed: true, what: t("Your orders are sealed"), then };
  }
  if (done) {
    const then = t("They are opened when yours are in. Nobody sees them before.");
    return { closed: true, what: sealedBy(name), then };
  }
  const then = t("Nobody sees any orders before both are sealed.");
  return { closed: false, what: deciding([name]), then };
}

/** How a field ended for the near side: {sign, words, bold}; `near` and `far` are troop numbers. */
export function verdictOf(near, far, { nearName, farName, isYou, isFarYou = false }) {
  if (near === far) return { sign: "=", words: t("1 point each"), bold: false };
  const won = near > far;
  const words =
    (won ? isYou : isFarYou)
      ? t("2 points to you")
      : t("2 points to {name}", { name: won ? nearName : farName });
  return { sign: won ? ">" : "<", words, bold: won };
}

export function trayWords(left, total) {
  return left === 0 ? t("of {total} in hand", { total }) : t("of {total} still in hand", { total });
}

export function sealWords(left) {
  return left === 0 ? t("Seal") : t("Place {left} more to seal", { left });
}

/** The rest, as it is spoken after each change. */
export function restWords(left) {
  return left === 0
    ? t("All are placed; you may seal them.")
    : tn("{count} still in hand", "{count} still in hand", left);
}

/** "3 troops", for the value of a field. */
export function troopsWords(count) {
  return tn("{count} troop", "{count} troops", count);
}
