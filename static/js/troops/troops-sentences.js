/** The sentences of Blotto. Pure. None of them contains the opponent's sealed orders. */

import { OTHER } from "../lib/game-words.js";
import { resultSentence } from "../lib/result-words.js";
import { t, tn } from "../lib/text.js";

const STEPS = [t("Place"), t("Lock in"), t("Reveal")];

/**
 * Returns the index of the round's current step.
 *
 * @param {RoundState} state
 */
export function roundStep({ revealing, sealed, placed }) {
  if (revealing || sealed) return 2;
  return placed ? 1 : 0;
}

const HINTS = {
  place: t("Drag blocks, or use + and −. More troops win a field: 2 points, 1 each if equal."),
  seal: t("All placed. You can’t change them after locking in."),
  begin: t("The round starts when you’re both here. You can place now."),
  beginWatch: t("The round starts when both players are here."),
  watch: t("You’re watching. Both are revealed at the same moment."),
};

/**
 * @param {Wire.SplitSnapshot} snapshot
 * @param {number | undefined} wait
 */
function nextHint({ view }, wait) {
  return t("Round {round} starts in {wait} s.", { round: view.round, wait });
}

/**
 * @param {Wire.SplitSnapshot} snapshot
 * @param {RoundState} state
 * @param {string} other
 */
function hintOf(snapshot, state, other) {
  if (snapshot.status === "over") return "";
  if (state.opening) return "";
  if (snapshot.you === null) return snapshot.clock?.begin ? HINTS.beginWatch : HINTS.watch;
  if (state.revealing) return nextHint(snapshot, state.wait);
  if (state.sent) return t("Locking in.");
  if (state.sealed) {
    return t("Locked in. {name} is still deciding.", { name: other });
  }
  if (snapshot.clock?.begin) return HINTS.begin;
  return state.placed ? HINTS.seal : HINTS.place;
}

/**
 * {sentence, labels, index, hint, keep, mine} for the status block.
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @param {RoundState} state
 * @param {string} other
 */
export function troopsStatus(snapshot, state, other) {
  const over = snapshot.status === "over";
  const sentence = over
    ? resultSentence(snapshot)
    : state.revealing && !state.opening && snapshot.view.turns > 0
      ? revealSentence(snapshot)
      : roundSentence(snapshot);
  const hint = hintOf(snapshot, state, other);
  return {
    sentence,
    labels: over ? [] : STEPS,
    index: roundStep(state),
    hint: /** @type {BoldText} */ (hint === "" ? [] : [[hint, false]]),
    keep: false,
    mine: snapshot.you !== null && !state.sealed && !state.revealing && !over,
  };
}

/** @param {string[]} names */
function decidingText([name, other]) {
  return other === undefined
    ? t("{name} is still deciding", { name })
    : t("{name} and {other} are still deciding", { name, other });
}

/** @param {string} name */
const sealedByText = (name) => t("{name} has locked in", { name });

const OVER_ENVELOPE = {
  closed: false,
  what: t("No round was played"),
  then: "",
};

/** @param {Wire.SplitSnapshot} snapshot */
function spectatorEnvelope({ seats, sealed, control }) {
  const open = control.filter((role) => !sealed.includes(role)).map((role) => seats[role].name);
  const shut = sealed.map((role) => sealedByText(seats[role].name));
  const what = [...shut, ...(open.length > 0 ? [decidingText(open)] : [])].join(", ");
  return { closed: shut.length > 0, what, then: t("Both are revealed at the same moment.") };
}

/**
 * Returns the texts of the envelope: {closed, what, then}.
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @param {boolean} mine
 */
export function envelopeTexts(snapshot, mine) {
  const { status, you, seats, sealed } = snapshot;
  if (status === "over") return OVER_ENVELOPE;
  if (you === null) return spectatorEnvelope(snapshot);
  const other = you === "white" ? "black" : "white";
  const { name } = seats[other];
  const done = sealed.includes(other);
  if (mine) {
    const then = done ? t("Both are locked in.") : t("{name} is still deciding.", { name });
    return { closed: true, what: t("Locked in"), then };
  }
  if (done) {
    const then = t("Revealed as soon as you lock in yours.");
    return { closed: true, what: sealedByText(name), then };
  }
  const then = t("Nothing is revealed until both have locked in.");
  return { closed: false, what: decidingText([name]), then };
}

/**
 * Returns the word for a side: `yours` or `theirs` for a player, its name for a spectator.
 *
 * Names of people are long, and the places for a side's word are narrow.
 *
 * @param {Pick<Wire.SplitSnapshot, "seats" | "you">} snapshot
 * @param {Role} role
 * @param {{ yours: string, theirs: string }} words
 */
export function sideWord({ seats, you }, role, { yours, theirs }) {
  if (you === null) return seats[role].name;
  return you === role ? yours : theirs;
}

/**
 * Returns the outcome of a field for the near side; `near` and `far` are troop numbers.
 *
 * @param {number} near
 * @param {number} far
 * @param {{ nearName: string, farName: string, isYou: boolean, isFarYou?: boolean }} sides
 */
export function fieldVerdict(near, far, { nearName, farName, isYou, isFarYou = false }) {
  if (near === far) return { sign: "=", words: t("1 point each"), bold: false };
  const won = near > far;
  const words = (won ? isYou : isFarYou)
    ? t("2 points to you")
    : t("2 points to {name}", { name: won ? nearName : farName });
  return { sign: won ? ">" : "<", words, bold: won };
}

/**
 * @param {number} left
 * @param {number} total
 */
export function trayText(left, total) {
  return left === 0 ? t("All placed") : t("of {total} to place", { total });
}

/** @param {number} left */
export function sealButtonText(left) {
  return left === 0 ? t("Lock in") : t("Place {left} more to lock in", { left });
}

/**
 * The rest, as it is spoken after each change.
 *
 * @param {number} left
 */
export function restSentence(left) {
  return left === 0
    ? t("All placed. You can lock in.")
    : tn("{count} to place", "{count} to place", left);
}

/**
 * "3 troops", for the value of a field.
 *
 * @param {number} count
 */
export function troopsText(count) {
  return tn("{count} troop", "{count} troops", count);
}

/**
 * Returns the lead: {leader, slots: {name, more, less, number}}; `leader` null: level.
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @returns {{ leader: Role | null, slots: { number: number, name?: string, more?: number, less?: number } }}
 */
function scoreOf({ view: { totals }, seats }) {
  if (totals.white === totals.black) return { leader: null, slots: { number: totals.white } };
  const leader = totals.white > totals.black ? "white" : "black";
  const [more, less] = [totals[leader], totals[OTHER[leader]]];
  return { leader, slots: { name: seats[leader].name, more, less, number: more } };
}

/**
 * The status sentence of Blotto while a round is being placed.
 *
 * @param {Wire.SplitSnapshot} snapshot
 */
export function roundSentence(snapshot) {
  const { view, you } = snapshot;
  if (view.turns === 0) return t("Round 1 of {rounds}", { rounds: view.rounds });
  const { leader, slots } = scoreOf(snapshot);
  const all = { ...slots, round: view.round };
  if (leader === null) {
    return t("Round {round}, {number}–{number}", all);
  }
  if (leader === you) return t("Round {round}, you lead {more}–{less}", all);
  return t("Round {round}, {name} leads {more}–{less}", all);
}

/**
 * The status sentence of Blotto while a round is being shown.
 *
 * @param {Wire.SplitSnapshot} snapshot
 */
export function revealSentence(snapshot) {
  const { view, you } = snapshot;
  const { leader, slots } = scoreOf(snapshot);
  const left = view.rounds - view.turns;
  const rounds = tn("{count} round left", "{count} rounds left", left);
  const all = { ...slots, rounds };
  if (leader === null) return t("{number}–{number}, {rounds}", all);
  if (leader === you) return t("You lead {more}–{less}, {rounds}", all);
  return t("{name} leads {more}–{less}, {rounds}", all);
}

/**
 * The headline over a revealed round (counted from 0).
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @param {number} index
 */
export function roundHeadline({ view, seats, you }, index) {
  const [white, black] = [view.scores.white[index], view.scores.black[index]];
  const slots = { round: index + 1, more: Math.max(white, black), less: Math.min(white, black) };
  if (white === black) return t("Round {round}: {more}–{less}", slots);
  const winner = white > black ? "white" : "black";
  if (winner === you) return t("Round {round}: {more}–{less} for you", slots);
  return t("Round {round}: {more}–{less} for {name}", { ...slots, name: seats[winner].name });
}
