/** Sentences about the board: squares, steps, hints, what happened, what a capture would do. Pure. */

import { FIELDS, familyOf, joinWords, splitBold } from "../lib/game-words.js";
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
 * Returns what may be done with a square, or has been, in words.
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

/** @type {{ [K in Wire.Effect["kind"]]: (effect: Extract<Wire.Effect, { kind: K }>, names: Record<string, string>) => string }} */
const EFFECT_SENTENCES = {
  slide: ({ role, start, end }, names) =>
    t("{name} moves {start} to {end}.", { name: names[role], start, end }),
  place: ({ role, at }, names) => t("{name} shoots {square}.", { name: names[role], square: at }),
  remove: ({ squares }) =>
    tn("{squares} is taken.", "{squares} are taken.", squares.length, {
      squares: joinWords(squares),
    }),
  count: ({ field, troops, points }, names) => {
    const values = {
      field: FIELDS[field],
      first: names.white,
      second: names.black,
      ours: troops.white,
      theirs: troops.black,
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
      { ...values, winner: points.white > points.black ? names.white : names.black },
    );
  },
};

/**
 * @param {Wire.Effect} effect
 * @param {Record<string, string>} names
 */
function effectSentence(effect, names) {
  /** @type {Record<string, (effect: never, names: Record<string, string>) => string>} */
  const table = EFFECT_SENTENCES;
  return table[effect.kind](/** @type {never} */ (effect), names); // chosen by its kind
}

/**
 * Describes some steps in sentences, for screen readers.
 *
 * @param {{ effects: Wire.Effect[] }[]} steps
 * @param {Wire.ByRole<string>} names
 * @param {string} key
 */
export function describeSteps(steps, names, key) {
  return steps
    .flatMap(({ effects }) => {
      const sentences = effects.map((effect) => effectSentence(effect, names));
      const kept = key === "amazons" && !effects.some(({ kind }) => kind === "place");
      return kept ? [...sentences, t("No arrow is shot.")] : sentences;
    })
    .join(" ");
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
 * Hints for the next step of the draft, by its word.
 *
 * @type {Record<string, Record<string, (slots: { square: Square | undefined, keep: Square | null, taps: boolean, you: Role | null }) => string>>}
 */
const STEP_HINTS = {
  amazons: {
    from: () => t("Pick the amazon you want to move."),
    to: () => t("Move to any dot."),
    arrow: ({ taps, keep }) => {
      if (keep === null) {
        return taps
          ? t("Tap a diamond: that square is blocked for the rest of the game.")
          : t("Click a diamond: that square is blocked for the rest of the game.");
      }
      return taps
        ? t("Tap a diamond to shoot, or the ring to skip the arrow.")
        : t("Click a diamond to shoot, or the ring to skip the arrow.");
    },
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
 * @param {{ step: Wire.PromptStep, path: readonly Square[], keep: Square | null, taps: boolean }} state
 */
export function hintOf(snapshot, { step, path, keep, taps }) {
  const hint = STEP_HINTS[familyOf(snapshot.key)][step.word];
  return hint({ square: path.at(-1), keep, taps, you: snapshot.you });
}
