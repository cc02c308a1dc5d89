/**
 * Items of the scene for the draft and for the last action. Pure.
 *
 * Steps that are only composed are hatched and dashed, premoves dotted with a small clock.
 */

import { required } from "../lib/required.js";
import { afterStep, sizeOf } from "./occupancy.js";
import {
  arrowOf,
  bowOf,
  choose,
  heldPiece,
  isComplete,
  keepOf,
  movesOf,
  stepOf,
  targetsOf,
} from "./path-draft.js";

/**
 * The square of the archer that is about to shoot: moved in this draft, or before it.
 *
 * @param {Pick<Look, "view" | "draft">} look
 */
export function archerOf({ view, draft }) {
  if (!draft || stepOf(draft)?.word !== "arrow") return null;
  return bowOf(draft) ?? view.moved?.[1] ?? null;
}

/**
 * Returns whether an archer has moved in this draft and is about to shoot.
 *
 * @param {Pick<Look, "draft">} look
 */
export function isAiming({ draft }) {
  return draft !== null && stepOf(draft)?.word === "arrow" && movesOf(draft).length > 0;
}

/**
 * Returns the style of the draft: "sent", "planned", or "unsent".
 *
 * @param {Look} look
 */
export function styleOf({ sent, planning }) {
  if (sent) return "sent";
  return planning ? "planned" : "unsent";
}

/** @type {Record<string, string>} */
const HINT_KINDS = { to: "dot", to2: "dot", arrow: "diamond" };

/**
 * Returns the hints for the next choice.
 *
 * @param {Look} look
 */
export function hintItems(look) {
  const { draft, hover } = look;
  if (!draft || !look.active || isComplete(draft)) return [];
  const word = stepOf(draft)?.word ?? "";
  const kind = HINT_KINDS[word];
  if (kind === undefined) {
    return hover
      ? [{ layer: "ticks", kind: "ticks", square: hover, tone: "mark", bold: true }]
      : [];
  }
  const keep = keepOf(draft);
  const hollow = look.planning;
  return targetsOf(draft)
    .filter((square) => square !== hover || word === "arrow")
    .map((square) => ({ layer: "hint", kind: square === keep ? "keep" : kind, square, hollow }));
}

/**
 * Returns the preview of the hovered target: a ghost with ticks, or a diamond with a dashed line.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
export function aimItems(look, occupancy) {
  const { draft, hover } = look;
  if (!draft || !look.active || hover === null || !targetsOf(draft).includes(hover)) return [];
  if (stepOf(draft)?.word === "arrow") {
    const start = archerOf(look);
    const ring = keepOf(draft) === hover;
    return [{ layer: "aim", kind: ring ? "keeping" : "aim", square: hover, start, at: hover }];
  }
  const held = heldPiece(draft);
  if (held === null) return [];
  /** @type {SceneItem} */
  const ticks = { layer: "aim", kind: "ticks", square: hover, tone: "mark", bold: true };
  return look.key === "pincer"
    ? stepPreview(look, occupancy)
    : ghostOf(look, occupancy, { held, square: hover }, ticks);
}

/**
 * @param {Look} look
 * @param {Occupancy} occupancy
 * @param {{ held: Square, square: Square }} step
 * @param {SceneItem} ticks
 */
function ghostOf(look, occupancy, { held, square }, ticks) {
  if (look.drag) return [ticks];
  const mark = occupancy.marks.get(held);
  return [{ layer: "piece", kind: "piece", mark, square, alpha: 0.45 }, ticks];
}

/**
 * The step under the draft and what it would capture; null unless a piece is held over a target.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
export function previewOf(look, occupancy) {
  const { draft, hover } = look;
  if (look.key !== "pincer" || !look.active || draft === null || heldPiece(draft) === null)
    return null;
  if (hover === null || !targetsOf(draft).includes(hover)) return null;
  const next = required(movesOf(choose(draft, hover)).at(-1), "the step to a target");
  return { next, ...afterStep(occupancy.marks, next, sizeOf(look.view)) };
}

/**
 * @param {Look} look
 * @param {Occupancy} occupancy
 * @returns {SceneItem[]}
 */
function stepPreview(look, occupancy) {
  const preview = previewOf(look, occupancy);
  if (preview === null) return [];
  const { next, victims, runs } = preview;
  const { start, end } = next;
  const dies = next.taken.includes(end);
  /** @type {SceneItem} */
  const ghost = { layer: "piece", kind: "ghost", mark: occupancy.marks.get(start), square: end };
  return [
    { layer: "trail", kind: "trail", tone: "mark", start, end, dot: false },
    ...(dies ? [] : [ghost]),
    ...captureItems(victims, runs),
  ];
}

/**
 * @param {Victim[]} victims
 * @param {CaptureRun[]} runs
 * @returns {SceneItem[]}
 */
function captureItems(victims, runs) {
  return [
    ...victims.map(({ square, mark }) => ({ layer: "piece", kind: "victim", mark, square })),
    ...runs.flatMap(wedgesOf),
  ];
}

/**
 * The steps made in the draft, or sent and not answered.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
export function draftItems(look, occupancy) {
  const draft = look.draft ?? look.sent;
  if (!draft) return [];
  /** @type {SceneItem[]} */
  const items = captureItems(occupancy.victims, occupancy.runs);
  for (const { start, end } of movesOf(draft)) {
    items.push({ layer: "ticks", kind: "ticks", square: start, tone: "mark" });
    if (!isAiming(look))
      items.push({ layer: "trail", kind: "trail", tone: "mark", start, end, dot: false });
  }
  return [...items, ...shotItems(look, draft), ...waitItems(look, occupancy, draft)];
}

/** @type {Record<string, string>} */
const SHOT_KINDS = { sent: "aim", unsent: "unsentShot", planned: "plannedShot" };

/**
 * The arrow that is chosen, or the ring of one that is kept.
 *
 * @param {Look} look
 * @param {Draft} draft
 */
function shotItems(look, draft) {
  const style = styleOf(look);
  const at = arrowOf(draft);
  const start = movesOf(draft).at(-1)?.end ?? look.view.moved?.[1] ?? null;
  if (at !== null)
    return start === null ? [] : [{ layer: "aim", kind: SHOT_KINDS[style], start, at }];
  const kept = isComplete(draft) && draft.prompt.steps[draft.path.length - 1].keep != null;
  const kind = style === "planned" ? "keep" : "keeping";
  return kept ? [{ layer: "aim", kind, square: draft.path.at(-1) }] : [];
}

/**
 * The sign that the turn waits: for the server, for another tap, or for its time.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 * @param {Draft} draft
 */
function waitItems(look, occupancy, draft) {
  const place = occupancy.ends.findLast((square) => occupancy.marks.has(square));
  const square = place ?? draft.path.at(-1);
  if (look.sent) {
    return look.dots === null ? [] : [{ layer: "aim", kind: "dots", square, phase: look.dots }];
  }
  if (!isComplete(draft)) return [];
  if (look.planning) return [{ layer: "aim", kind: "clock", square }];
  return look.again === null ? [] : [{ layer: "aim", kind: "again", square: look.again }];
}

/**
 * The effects of one kind in some steps.
 *
 * @template {Wire.Effect["kind"]} K
 * @param {Wire.ResolvedStep[]} last
 * @param {K} kind
 */
const effectsOf = (last, kind) =>
  last.flatMap(({ effects }) =>
    effects.filter(
      /** @returns {effect is Extract<Wire.Effect, { kind: K }>} */ (effect) =>
        effect.kind === kind,
    ),
  );

/**
 * Returns whether steps of the draft have taken the place of the last action.
 *
 * @param {Look} look
 */
function isBusy({ draft, sent, planned }) {
  const shown = draft ?? sent;
  return shown !== null && !planned && movesOf(shown).length > 0;
}

/**
 * Ticks, trails and flights of the last action.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
export function lastActionItems(look, occupancy) {
  const items = [];
  const busy = isBusy(look);
  const still = new Set(occupancy.moving.map(({ end }) => end));
  for (const effect of effectsOf(look.last, "slide")) {
    if (occupancy.unseen.has(effect)) continue;
    items.push({ layer: "ticks", kind: "ticks", square: effect.start, tone: "trail" });
    if (busy || still.has(effect.end)) continue;
    const dot = look.view.step !== undefined && look.key !== "pincer";
    const { start, end } = effect;
    items.push({ layer: "trail", kind: "trail", tone: "trail", dot, start, end });
  }
  for (const effect of effectsOf(look.last, "place")) {
    if (occupancy.unseen.has(effect) || busy) continue;
    const length = occupancy.flights.get(effect.at) ?? 1;
    items.push({ layer: "flight", kind: "flight", start: effect.start, at: effect.at, length });
  }
  return items;
}

/** Distance that a captured piece sinks as it falls, in squares. */
const FALL = 0.16;

/**
 * @param {Wire.Remove} effect
 * @param {Measures} phase
 * @returns {SceneItem[]}
 */
function vanishingPieces(effect, { fade = 0 }) {
  const mark = effect.role === "white" ? "W" : "B";
  const [scale, alpha, sink] = [1 - 0.3 * fade, 1 - fade, FALL * fade];
  return effect.squares.map((square) => ({
    layer: "piece",
    kind: "piece",
    mark,
    square,
    scale,
    alpha,
    sink,
  }));
}

/**
 * @param {Square} square
 * @returns {SceneItem}
 */
const makeCross = (square) => ({ layer: "trail", kind: "cross", square, tone: "trail" });

/**
 * Returns what the last action captured: pieces that leave, then crosses; at the end the wedges stay.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
export function lastCaptures(look, occupancy) {
  const phases = new Map(occupancy.removing.map((phase) => [phase.effect, phase]));
  return effectsOf(look.last, "remove").flatMap(
    /** @returns {SceneItem[]} */ (effect) => {
      if (occupancy.unseen.has(effect)) return [];
      const phase = phases.get(effect);
      const run = { ...effect, close: phase?.close ?? 1 };
      if (phase) return [...vanishingPieces(effect, phase), ...wedgesOf(run)];
      /** @type {Square[]} */
      const squares = effect.squares;
      const crosses = squares
        .filter((square) => !occupancy.marks.has(square))
        .map((square) => makeCross(square));
      return look.over ? [...crosses, ...wedgesOf(run)] : crosses;
    },
  );
}

/**
 * The wedges at both ends of a captured run.
 *
 * @param {CaptureRun} run
 */
export function wedgesOf({ axis, squares, jaws, close = 1 }) {
  return [
    { layer: "capture", kind: "wedge", square: squares[0], axis, end: "low", close },
    { layer: "capture", kind: "wedge", square: squares.at(-1), axis, end: "high", close },
  ].map((wedge, index) => ({ ...wedge, jaw: jaws[index] }));
}
