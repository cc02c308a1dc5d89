/**
 * A go planned on the other side's time, pure. A plan is a frozen value that remembers the position
 * it was made on; what becomes of it is decided afresh with every snapshot, and by this file only.
 */

import { choose, isComplete, openHand, spellingOf, targetsOf, wordAt } from "./path.js";

export const KEEP = "keep";
export const SEND = "send";
export const OVER = "over";
/** The two reasons for which a plan is dropped while the game runs. */
export const GONE_ON = "gone on";
export const NO_LONGER_LEGAL = "no longer legal";

const goesOf = ({ goes, view }) => goes ?? view.goes;
const takebacksOf = ({ takebacks }) => takebacks ?? 0;

/** The hand that has gone this path through a prompt; null if the tree doesn't lead there. */
export function walked(prompt, path) {
  let hand = openHand(prompt);
  for (const square of path) {
    if (!targetsOf(hand).includes(square)) return null;
    hand = choose(hand, square);
  }
  return hand;
}

/** The plan of a complete hand, made on this snapshot. */
export function planOf(hand, snapshot) {
  return Object.freeze({
    game: snapshot.game,
    role: snapshot.you,
    turn: snapshot.turn,
    goes: goesOf(snapshot),
    takebacks: takebacksOf(snapshot),
    path: hand.path,
    words: Object.freeze(hand.path.map((_, index) => wordAt(hand, index))),
    text: spellingOf(hand),
  });
}

function followed(plan, prompt) {
  const words = prompt.steps.map(({ word }) => word);
  if (!plan.words.every((word, index) => word === words[index])) return null;
  const hand = walked(prompt, plan.path);
  return hand !== null && isComplete(hand) ? hand : null;
}

/**
 * What is to be done with a plan when this snapshot stands: {verdict, hand}. `hand` is the plan under
 * the present prompt for KEEP and SEND (null where a kept plan has no prompt to stand on), else null.
 */
export function verdictOf(plan, snapshot) {
  const dropped = (verdict) => ({ verdict, hand: null });
  if (snapshot.status === "over") return dropped(OVER);
  const same = plan.game === snapshot.game && plan.role === snapshot.you;
  if (!same || plan.takebacks !== takebacksOf(snapshot) || snapshot.turn < plan.turn) {
    return dropped(GONE_ON);
  }
  const later = goesOf(snapshot) - plan.goes;
  const { prompt } = snapshot;
  if (later !== (prompt ? 1 : 0)) return dropped(GONE_ON);
  if (!prompt && !snapshot.plan) return { verdict: KEEP, hand: null };
  const hand = followed(plan, prompt ?? snapshot.plan);
  return hand ? { verdict: prompt ? SEND : KEEP, hand } : dropped(NO_LONGER_LEGAL);
}

const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

/** A plan from stored text; null for anything that isn't one. */
export function readPlan(text) {
  let plan = null;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (plan === null || typeof plan !== "object") return null;
  const numbers = [plan.turn, plan.goes, plan.takebacks].every(Number.isInteger);
  const texts = [plan.game, plan.role, plan.text].every(isText);
  const paths = isTexts(plan.path) && isTexts(plan.words) && plan.words.length === plan.path.length;
  if (!numbers || !texts || !paths) return null;
  const { game, role, turn, goes, takebacks, path, words, text: spelled } = plan;
  return Object.freeze({ game, role, turn, goes, takebacks, path, words, text: spelled });
}

export function writePlan(plan) {
  return JSON.stringify(plan);
}
