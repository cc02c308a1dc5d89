/** The sentences of Blotto. Pure. What the other side has placed is in none of them. */

import { resultOf, revealSentence, roundSentence } from "../panel/words.js";

const STEPS = ["Place", "Seal", "Reveal"];

/** Where the round stands: the index of the step that is on. */
export function stepOf({ revealing, sealed, placed }) {
  if (revealing || sealed) return 2;
  return placed ? 1 : 0;
}

const HINTS = {
  place: "Drag a block to a field, or use + and −. More troops take the field: 2 points, 1 each if equal.",
  seal: "All are placed. Once sealed, they stay as they are.",
  watch: "You are watching. Both orders are opened at the same moment.",
};

function hintOf(snapshot, state, other) {
  if (snapshot.status === "over") return "";
  if (snapshot.you === null) return HINTS.watch;
  if (state.revealing) {
    const clock = snapshot.clock.kind === "none" ? "" : "; your clock runs";
    return `Round ${snapshot.view.round} is open${clock}. On in ${state.wait} s.`;
  }
  if (state.sent) return "Sealing your orders.";
  if (state.sealed) return `Your orders are sealed. ${other} is still deciding.`;
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

const deciding = (names) => {
  if (names.length === 2) return `${names[0]} and ${names[1]} are still deciding`;
  return `${names[0]} is still deciding`;
};

const OVER = { closed: false, what: "No more orders", then: "The game ended before a round was opened." };

/** What the envelope says: {closed, what, then}. */
export function envelopeWords({ status, you, seats, sealed, control }, mine) {
  if (status === "over") return OVER;
  const nameOf = (role) => seats[role].name;
  if (you === null) {
    const open = control.filter((role) => !sealed.includes(role)).map(nameOf);
    const shut = sealed.map((role) => `${nameOf(role)} has sealed`);
    const what = [...shut, ...(open.length > 0 ? [deciding(open)] : [])].join(", ");
    return { closed: shut.length > 0, what, then: "Both are opened at the same moment." };
  }
  const other = you === "white" ? "black" : "white";
  const done = sealed.includes(other);
  if (mine) {
    const then = done ? "Both are sealed." : `${deciding([nameOf(other)])}.`;
    return { closed: true, what: "Your orders are sealed", then };
  }
  if (done) {
    const then = "They are opened when yours are in. Nobody sees them before.";
    return { closed: true, what: `${nameOf(other)} has sealed`, then };
  }
  const then = "Nobody sees any orders before both are sealed.";
  return { closed: false, what: deciding([nameOf(other)]), then };
}

const points = (count) => (count === 1 ? "1 point" : `${count} points`);

/** How a field ended for the near side: {sign, words, bold}; `near` and `far` are troop numbers. */
export function verdictOf(near, far, { nearName, farName, isYou }) {
  if (near === far) return { sign: "=", words: "1 point each", bold: false };
  const winner = near > far ? (isYou ? "you" : nearName) : farName;
  return { sign: near > far ? ">" : "<", words: `${points(2)} to ${winner}`, bold: near > far };
}

export function trayWords(left, total) {
  return left === 0 ? `of ${total} in hand` : `of ${total} still in hand`;
}

export function sealWords(left) {
  return left === 0 ? "Seal" : `Place ${left} more to seal`;
}
