/** What a computer player thought of its goes, in words and numbers. Pure. */

import { t, tn } from "../text.js";

/** From which value on (for the role that thought) which sentence holds. */
const CHANCES = [
  [0.995, (slots) => t("{name} was sure of winning.", slots)],
  [0.75, (slots) => t("{name} thought that it was winning.", slots)],
  [0.35, (slots) => t("{name} thought that it was clearly better.", slots)],
  [0.1, (slots) => t("{name} thought that it was a little better.", slots)],
  [-0.1, (slots) => t("{name} thought that the game was level.", slots)],
  [-0.35, (slots) => t("{name} thought that it was a little worse.", slots)],
  [-0.75, (slots) => t("{name} thought that it was clearly worse.", slots)],
  [-0.995, (slots) => t("{name} thought that it was losing.", slots)],
  [-Infinity, (slots) => t("{name} knew that it was lost.", slots)],
];

export function chances(value, name) {
  const [, say] = CHANCES.find(([least]) => value >= least);
  return say({ name });
}

/** "+0.62", "0.00", "−0.31". */
export function signed(value) {
  const size = Math.abs(value).toFixed(2);
  if (Number(size) === 0) return size;
  return `${value < 0 ? "−" : "+"}${size}`;
}

/**
 * The thought behind a go: its first action's, which looked at the whole go, with the work of all its
 * actions; null if no computer player made it. `go`: {turns} of a Record.
 */
export function thoughtOf(thoughts, go) {
  const numbers = new Set(go?.turns.map(({ n }) => n) ?? []);
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
 * The go that the computer expected where a person made another or the same one, spelled; null if it
 * had not looked so far. `index`: of that go, from 0.
 */
export function expectedOf(thoughts, goes, index, key) {
  const before = thoughtOf(thoughts, goes[index - 1]);
  if (!before || key === "blotto") return null;
  const steps = (go) => (key === "pincer" ? go.turns.length : 1); // how a line counts a go
  const start = steps(goes[index - 1]);
  const reply = before.line.slice(start, start + steps(goes[index]));
  return reply.length > 0 ? reply.join(" ") : null;
}

function worked({ nodes, depth }) {
  const language = globalThis.document?.documentElement.lang || "en";
  const count = nodes.toLocaleString(language);
  const looked = tn("{number} position", "{number} positions", nodes, { number: count });
  return tn("{looked}, {count} step ahead", "{looked}, {count} steps ahead", depth, { looked });
}

/** What there is to know of a thought besides its value: pairs of a name and a text. */
export function factsOf(thought) {
  const facts = [];
  const reason = REASONS[thought.why];
  if (thought.line.length > 1) facts.push([t("It expected"), thought.line.join(" · ")]);
  if (reason) facts.push([t("Why"), reason()]);
  if (thought.depth > 0 && thought.nodes > 0) facts.push([t("It looked at"), worked(thought)]);
  facts.push([t("Seed"), thought.seeds.join(", ")]);
  return facts;
}

/** What the engines call their reasons, for people. */
const REASONS = {
  mistake: () => t("a mistake, as this level makes them"),
  solved: () => t("counted to the end"),
  filling: () => t("filling its own area"),
  drawn: () => t("a draw that nobody can prevent"),
  favourite: () => t("its favourite field"),
  even: () => t("an even split to begin with"),
  copies: () => t("what you placed before"),
  repeats: () => t("what has just won, again"),
  shifts: () => t("moved one field on after a loss"),
  answers: () => t("what would have beaten your last split"),
  learns: () => t("an answer to your average"),
  wanders: () => t("its largest force moves on to the next field"),
  equilibrium: () => t("drawn by lot from the best mix"),
};

/** Whose chances the curve of a game tells: the only computer player's, or white's if both are. */
export function sideOf(seats) {
  return seats.white.bot ? "white" : "black";
}

/**
 * The curve of a game: a point [go, value for `side`] for each go that a computer player made, goes
 * counted from 1.
 */
export function curveOf(thoughts, goes, side) {
  return goes.flatMap((go, index) => {
    const thought = thoughtOf(thoughts, go);
    return thought ? [[index + 1, thought.role === side ? thought.value : -thought.value]] : [];
  });
}
