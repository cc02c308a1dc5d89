/** Sentences about the board: squares, steps, hints, moves made, captures in the draft. Pure. */

import { FIELDS, familyOf, joinWords, OTHER, splitBold } from "../lib/game-words.js";
import { resultSentence } from "../lib/result-words.js";
import { t, tn } from "../lib/text.js";
import { afterStep, BURNT, MARKS, sizeOf } from "./occupancy.js";
import { keepOf, movesOf, stepOf } from "./path-draft.js";

/** @type {Record<string, Record<string, string>>} */
const FIGURE_NAMES = {
  amazons: { W: t("white amazon"), B: t("black amazon"), [BURNT]: t("burnt") },
  pincer: { W: t("triangle"), B: t("circle") },
};

/**
 * Returns the label of a square: "d4, white amazon, can move".
 *
 * @param {Square} square
 * @param {string | undefined} mark
 * @param {string[]} states
 * @param {string} key
 */
export function labelOf(square, mark, states, key) {
  const figure = mark === undefined ? t("empty") : FIGURE_NAMES[familyOf(key)][mark];
  return [square, figure, ...states].join(", ");
}

/**
 * Returns the states of a square in words.
 *
 * @param {Square} square
 * @param {{ draft: Draft | null, targets: Set<Square>, chosen: Set<Square>, planned: boolean, gone: Map<Square, string | undefined> }} states
 */
export function statesOf(square, { draft, targets, chosen, planned, gone }) {
  if (draft !== null && targets.has(square)) {
    if (square === keepOf(draft)) return [t("target: no arrow")];
    return [stepOf(draft)?.word.startsWith("from") ? t("can move") : t("target")];
  }
  if (gone.has(square)) return [t("would be taken")];
  if (!chosen.has(square)) return [];
  return [planned ? t("premove") : t("chosen")];
}

/**
 * The button of each square, for the hidden grid: its label, and whether it can be chosen or has been.
 *
 * @param {string} key
 * @param {{ draft: Draft | null, marks: Marks, victims: Victim[], targets: Square[], planned: boolean }} board
 */
export function cellsOf(key, { draft, marks, victims, targets, planned }) {
  const gone = new Map(victims.map(({ square, mark }) => [square, mark]));
  const [targetSet, chosen] = [new Set(targets), new Set(draft?.path ?? [])];
  return (/** @type {Square} */ square) => {
    const states = statesOf(square, { draft, targets: targetSet, chosen, planned, gone });
    return {
      label: labelOf(square, marks.get(square) ?? gone.get(square), states, key),
      target: targetSet.has(square),
      chosen: chosen.has(square),
    };
  };
}

/** @param {Wire.Effect} effect */
const roleOf = (effect) => ("role" in effect ? effect.role : null);

/**
 * The effect of a move in a word or two; null for an effect that has a sentence of its own.
 *
 * @param {Wire.Effect} effect
 */
function actWords(effect) {
  if (effect.kind === "slide") return t("{start} to {end}", effect);
  return effect.kind === "place" ? t("burned {square}", { square: effect.at }) : null;
}

/**
 * Describes one role's move: "ada: a3 to c5, burned d6.", and what was captured by it.
 *
 * @param {Wire.Effect[]} effects
 * @param {Names} names
 * @param {string} key
 */
function moveSentences(effects, names, key) {
  const acts = effects.map(actWords).filter(Boolean);
  if (key === "amazons" && !effects.some(({ kind }) => kind === "place")) acts.push(t("no arrow"));
  const taken = effects.flatMap((effect) => (effect.kind === "remove" ? [effect.squares] : []));
  const role = roleOf(effects[0]) ?? "white";
  const said =
    acts.length > 0 ? [t("{name}: {acts}.", { name: names[role], acts: acts.join(", ") })] : [];
  return [
    ...said,
    ...taken.map((squares) =>
      tn("{squares} is taken.", "{squares} are taken.", squares.length, {
        squares: joinWords(squares),
      }),
    ),
  ];
}

/**
 * Describes one field of an opened round; the reader's own troops come first.
 *
 * @param {Extract<Wire.Effect, { kind: "count" }>} effect
 * @param {Names} names
 */
function fieldSentence({ field, troops, points }, { you = null, ...names }) {
  const first = you ?? "white";
  const name = (/** @type {Role} */ role) => (role === you ? t("you") : names[role]);
  const values = {
    field: FIELDS[field],
    first: name(first),
    second: name(OTHER[first]),
    ours: troops[first],
    theirs: troops[OTHER[first]],
  };
  const most = Math.max(points.white, points.black);
  if (points.white === points.black) {
    return tn(
      "{field}: {first} {ours}, {second} {theirs}, {count} point each.",
      "{field}: {first} {ours}, {second} {theirs}, {count} points each.",
      most,
      values,
    );
  }
  return tn(
    "{field}: {first} {ours}, {second} {theirs}, {count} point to {winner}.",
    "{field}: {first} {ours}, {second} {theirs}, {count} points to {winner}.",
    most,
    { ...values, winner: name(points.white > points.black ? "white" : "black") },
  );
}

/**
 * The players by role; `you`: the reader's role, who is addressed and not named.
 *
 * @typedef {Wire.ByRole<string> & { you?: Role | null }} Names
 */

/**
 * Describes some steps in sentences, for screen readers.
 *
 * @param {{ effects: Wire.Effect[] }[]} steps
 * @param {Names} names
 * @param {string} key
 */
export function describeSteps(steps, names, key) {
  const effects = steps.flatMap((step) => step.effects);
  const fields = effects.flatMap((effect) => (effect.kind === "count" ? [effect] : []));
  if (fields.length > 0) return fields.map((field) => fieldSentence(field, names)).join(" ");
  const { you } = names;
  const named = you ? { ...names, [you]: t("You") } : names;
  /** @type {Wire.Effect[][]} */
  const moves = [];
  for (const effect of effects) {
    const [newest] = moves.at(-1) ?? [];
    const isSame = newest && (effect.kind === "remove" || roleOf(newest) === roleOf(effect));
    if (isSame) moves.at(-1)?.push(effect);
    else moves.push([effect]);
  }
  return moves.flatMap((move) => moveSentences(move, named, key)).join(" ");
}

/**
 * The sentence about the captures of a draft's newest step, as [text, bold] pairs; null if it
 * captures nothing. It begins with "You lose" if the role's own pieces go.
 *
 * @param {Wire.BoardView} view
 * @param {Draft} draft
 * @param {Marks} marks
 * @param {Role} role
 */
export function captureSentence(view, draft, marks, role) {
  const move = movesOf(draft).at(-1);
  if (!move || move.taken.length === 0) return null;
  const { victims, runs } = afterStep(marks, move, sizeOf(view));
  const own = victims.filter(({ mark }) => mark === MARKS[role]).map(({ square }) => square);
  const theirs = victims.filter(({ mark }) => mark !== MARKS[role]).map(({ square }) => square);
  const turn = `${move.start}-${move.end}`;
  const [lost, taken] = [joinWords(own), joinWords(theirs)];
  if (lost && taken)
    return splitBold(t("**You lose {lost}** and take {taken} with {turn}.", { lost, taken, turn }));
  if (lost) return splitBold(t("**You lose {lost}** with {turn}.", { lost, turn }));
  return runs.some(({ jaws }) => jaws.includes("wall"))
    ? splitBold(t("**{turn}** takes {taken}, against the wall.", { turn, taken }))
    : splitBold(t("**{turn}** takes {taken}.", { turn, taken }));
}

/** @type {Record<string, (snapshot: Wire.BoardSnapshot) => string[]>} */
const STEP_LABELS = {
  amazons: () => [t("Move"), t("Shoot")],
  pincer: ({ view }) => (view.of === 1 ? [t("Move")] : [t("Step 1"), t("Step 2")]),
  blotto: () => [t("Place"), t("Lock in"), t("Reveal")],
};

/** @param {Wire.BoardSnapshot} snapshot */
export function stepLabels(snapshot) {
  return STEP_LABELS[familyOf(snapshot.key)](snapshot);
}

/**
 * The step of the server's view, before anything is in the draft.
 *
 * @type {Record<string, (snapshot: Wire.BoardSnapshot) => number>}
 */
const STEPS_BEGUN = {
  amazons: ({ view }) => (view.step === "fire" ? 1 : 0),
  pincer: ({ view }) => Number(view.step ?? 1) - 1,
};

/** The words of the draft's steps that belong to the second step of a turn. */
const SECOND_STEP_WORDS = new Set(["arrow", "from2", "to2"]);

/**
 * The step of the turn that is on, counted from 0; `step` is the step of the draft ({word}), null when
 * the draft is complete or sent. Equal to the number of steps when all are done.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {Wire.PromptStep | null} step
 * @param {boolean} mine
 */
export function stepIndex(snapshot, step, mine) {
  const begun = STEPS_BEGUN[familyOf(snapshot.key)](snapshot);
  if (!mine) return begun;
  if (step === null) return stepLabels(snapshot).length;
  return SECOND_STEP_WORDS.has(step.word) ? 1 : begun;
}

/** @type {Record<string, (index: number, snapshot: Wire.BoardSnapshot) => string>} */
const OWN_TURN_SENTENCES = {
  amazons: (index) => (index === 0 ? t("Your turn – move an amazon") : t("Now shoot")),
  pincer: (index, { view }) => {
    if (view.of === 1) return t("Your turn – one step");
    return index === 0 ? t("Your turn – first step") : t("Second step");
  },
};

/**
 * The status sentence of a path game: whose turn it is and which step.
 *
 * @param {Wire.BoardSnapshot} snapshot
 * @param {number} index
 */
export function turnSentence(snapshot, index) {
  const { you, control, seats } = snapshot;
  if (snapshot.status === "over") return resultSentence(snapshot);
  if (you && control.includes(you)) {
    const last = stepLabels(snapshot).length - 1;
    return OWN_TURN_SENTENCES[familyOf(snapshot.key)](Math.min(index, last), snapshot);
  }
  const { name } = seats[control[0]];
  return you ? t("Waiting for {name}", { name }) : t("{name} to move", { name });
}

/**
 * Hints for the next step of the draft, by its word. They suit pointers and keys alike.
 *
 * @type {Record<string, Record<string, (slots: { keep: Square | null, you: Role | null }) => string>>}
 */
const STEP_HINTS = {
  amazons: {
    from: () => t("Pick the amazon you want to move."),
    to: () => t("Move to any dot."),
    arrow: ({ keep }) =>
      keep === null
        ? t("Pick a diamond: that square is blocked for the rest of the game.")
        : t("Pick a diamond to shoot, or the ring to skip the arrow."),
  },
  pincer: {
    from: ({ you }) =>
      you === "white"
        ? t("Pick a triangle to move one square.")
        : t("Pick a circle to move one square."),
    to: () => t("Move to any dot."),
    from2: ({ you }) =>
      you === "white" ? t("Now with another triangle.") : t("Now with another circle."),
    to2: () => t("Move to any dot."),
  },
};

/**
 * @param {Wire.BoardSnapshot} snapshot
 * @param {{ step: Wire.PromptStep, keep: Square | null }} state
 */
export function hintOf(snapshot, { step, keep }) {
  return STEP_HINTS[familyOf(snapshot.key)][step.word]({ keep, you: snapshot.you });
}
