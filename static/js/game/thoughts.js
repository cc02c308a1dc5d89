/** The thoughts of a computer player about its turns, in words and numbers. Pure. */

import { required } from "../lib/required.js";
import { t, tn } from "../lib/text.js";

/**
 * From which value on (for the role that thought) which sentence holds.
 *
 * @type {[number, (slots: { name: string }) => string][]}
 */
const CHANCE_SENTENCES = [
  [0.995, (slots) => t("{name} was sure of winning.", slots)],
  [0.75, (slots) => t("{name} felt it was winning.", slots)],
  [0.35, (slots) => t("{name} felt clearly better.", slots)],
  [0.1, (slots) => t("{name} felt a little better.", slots)],
  [-0.1, (slots) => t("{name} felt the game was even.", slots)],
  [-0.35, (slots) => t("{name} felt a little worse.", slots)],
  [-0.75, (slots) => t("{name} felt clearly worse.", slots)],
  [-0.995, (slots) => t("{name} felt it was losing.", slots)],
  [-Infinity, (slots) => t("{name} knew it was lost.", slots)],
];

/**
 * @param {number} value
 * @param {string} name
 */
export function chancesSentence(value, name) {
  const found = CHANCE_SENTENCES.find(([least]) => value >= least);
  return required(found, `a sentence for ${value}`)[1]({ name });
}

/**
 * "+0.62", "0.00", "−0.31".
 *
 * @param {number} value
 */
export function signedText(value) {
  const size = Math.abs(value).toFixed(2);
  if (Number(size) === 0) return size;
  return `${value < 0 ? "−" : "+"}${size}`;
}

/**
 * The thought behind a turn: its first action's, which looked at the whole turn, with the work of all its
 * actions; null if no computer player made it. `turn`: {steps} of a Record.
 *
 * @param {Wire.Thought[]} thoughts
 * @param {Turn | undefined} turn
 */
export function thoughtOf(thoughts, turn) {
  const numbers = new Set(turn?.steps.map(({ n }) => n) ?? []);
  const all = thoughts.filter(({ n }) => numbers.has(n));
  if (all.length === 0) return null;
  return {
    ...all[0],
    nodes: all.reduce((sum, { nodes }) => sum + nodes, 0),
    depth: Math.max(...all.map(({ depth }) => depth)),
    seeds: all.map(({ seed }) => String(seed)),
  };
}

/**
 * The turn that the computer expected where a person made another or the same one, spelled; null if it
 * had not looked so far. `index`: of that turn, from 0.
 *
 * @param {Wire.Thought[]} thoughts
 * @param {Turn[]} turns
 * @param {number} index
 * @param {string} key
 */
export function expectedOf(thoughts, turns, index, key) {
  const before = thoughtOf(thoughts, turns[index - 1]);
  if (!before || key === "blotto") return null;
  /** @param {Turn} turn */
  const steps = (turn) => (key === "pincer" ? turn.steps.length : 1); // how a line counts a turn
  const start = steps(turns[index - 1]);
  const reply = before.line.slice(start, start + steps(turns[index]));
  return reply.length > 0 ? reply.join(" ") : null;
}

/**
 * Actions of a whole turn, by which the depth of a search is counted; elsewhere there are two.
 *
 * @type {Record<string, number>}
 */
const ACTIONS_OF_TURN = { amazons: 1 };

/**
 * @param {GoThought} thought
 * @param {string} key
 */
function workText({ nodes, depth }, key) {
  const language = globalThis.document?.documentElement.lang || "en";
  const count = nodes.toLocaleString(language);
  const looked = tn("{number} position", "{number} positions", nodes, { number: count });
  const turns = Math.ceil(depth / (ACTIONS_OF_TURN[key] ?? 2));
  return tn("{looked}, {count} move ahead", "{looked}, {count} moves ahead", turns, { looked });
}

/**
 * Returns the facts about a thought besides its value: pairs of a name and a text.
 *
 * @param {GoThought} thought
 * @param {string} key
 */
export function factsOf(thought, key) {
  const facts = [];
  const reason = REASON_TEXTS[thought.why ?? ""];
  if (thought.line.length > 1) facts.push([t("It expected"), thought.line.join(" · ")]);
  if (reason) facts.push([t("Why"), reason()]);
  if (thought.depth > 0 && thought.nodes > 0)
    facts.push([t("It looked at"), workText(thought, key)]);
  return facts;
}

/**
 * Texts for the reasons of the engines.
 *
 * @type {Record<string, () => string>}
 */
const REASON_TEXTS = {
  mistake: () => t("a mistake typical of this level"),
  solved: () => t("calculated to the end"),
  book: () => t("from its opening book"),
  filling: () => t("filling its own area"),
  drawn: () => t("a forced draw"),
  counted: () => t("the squares are counted"),
  favourite: () => t("its favourite field"),
  even: () => t("an even split to start"),
  copies: () => t("your previous split"),
  repeats: () => t("the split that just won, again"),
  shifts: () => t("shifted one field after a loss"),
  answers: () => t("a split that beats your last one"),
  learns: () => t("a split that beats your average"),
  adapts: () => t("a split that beats your habits"),
  wanders: () => t("its largest force moves to the next field"),
  equilibrium: () => t("picked at random from the best mix"),
};

/**
 * Returns the side of the curve: the only computer player's, or white's if both are.
 *
 * @param {Wire.ByRole<Wire.Seat>} seats
 */
export function sideOf(seats) {
  return seats.white.bot ? "white" : "black";
}

/**
 * The curve of a game: a point [turn, value for `side`] for each turn that a computer player made, turns
 * counted from 1.
 *
 * @param {Wire.Thought[]} thoughts
 * @param {Turn[]} turns
 * @param {Role} side
 * @returns {[number, number][]}
 */
export function curveOf(thoughts, turns, side) {
  return turns.flatMap((turn, index) => {
    const thought = thoughtOf(thoughts, turn);
    return thought ? [[index + 1, thought.role === side ? thought.value : -thought.value]] : [];
  });
}
