/**
 * What is in the hand, as items of a scene: where it may go, what lies under the finger, and the steps
 * made. Steps that are only composed are hatched and dashed, planned ones dotted with a small clock.
 */

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
} from "./path.js";
import { afterStep, sizeOf } from "./stand.js";
import { wedgesOf } from "./traces.js";

/** The square of the archer that is about to shoot: moved in this hand, or before it. */
export function archerOf({ view, hand }) {
  if (!hand || stepOf(hand)?.word !== "arrow") return null;
  return bowOf(hand) ?? view.moved?.[1] ?? null;
}

/** How what is in the hand is drawn: "sent", "planned", or "unsent". */
export function styleOf({ sent, planning }) {
  if (sent) return "sent";
  return planning ? "planned" : "unsent";
}

const HINTS = { to: "dot", to2: "dot", arrow: "diamond" };

/** Where the hand may go on. */
export function hintItems(look) {
  const { hand, hover } = look;
  if (!hand || !look.active || isComplete(hand)) return [];
  const word = stepOf(hand).word;
  const kind = HINTS[word];
  if (kind === undefined) {
    return hover ? [{ layer: "ticks", kind: "ticks", square: hover, tone: "mark", bold: true }] : [];
  }
  const keep = keepOf(hand);
  const hollow = look.planning;
  return targetsOf(hand)
    .filter((square) => square !== hover || word === "arrow")
    .map((square) => ({ layer: "hint", kind: square === keep ? "keep" : kind, square, hollow }));
}

/** What the hovered target would do: a ghost with corner ticks, or a diamond with a dashed line. */
export function aimItems(look, stand) {
  const { hand, hover } = look;
  if (!hand || !look.active || isComplete(hand) || !targetsOf(hand).includes(hover)) return [];
  const { word } = stepOf(hand);
  if (word === "arrow") {
    const start = archerOf(look);
    const ring = keepOf(hand) === hover;
    return [{ layer: "aim", kind: ring ? "keeping" : "aim", square: hover, start, at: hover }];
  }
  const held = heldPiece(hand);
  if (held === null) return [];
  const ticks = { layer: "aim", kind: "ticks", square: hover, tone: "mark", bold: true };
  return look.key === "pincer" ? stepPreview(look, stand, held) : ghostOf(look, stand, held, ticks);
}

function ghostOf(look, stand, held, ticks) {
  if (look.drag) return [ticks];
  const mark = stand.marks.get(held);
  return [{ layer: "piece", kind: "piece", mark, square: look.hover, alpha: 0.45 }, ticks];
}

/** The step under the hand and what it would capture; null unless a piece is held over a target. */
export function previewOf(look, stand) {
  if (look.key !== "pincer" || !look.active || heldPiece(look.hand) === null) return null;
  if (!targetsOf(look.hand).includes(look.hover)) return null;
  const next = movesOf(choose(look.hand, look.hover)).at(-1);
  return { next, ...afterStep(stand.marks, next, sizeOf(look.view)) };
}

function stepPreview(look, stand, held) {
  const { next, victims, runs } = previewOf(look, stand);
  const dies = next.taken.includes(next.end);
  const ghost = { layer: "piece", kind: "ghost", mark: stand.marks.get(held), square: look.hover };
  return [
    { layer: "trail", kind: "trail", tone: "mark", start: held, end: look.hover, dot: false },
    ...(dies ? [] : [ghost]),
    ...captureItems(victims, runs),
  ];
}

function captureItems(victims, runs) {
  return [
    ...victims.map(({ square, mark }) => ({ layer: "piece", kind: "victim", mark, square })),
    ...runs.flatMap(wedgesOf),
  ];
}

/** The steps made in the hand, or sent and not answered. */
export function handItems(look, stand) {
  const hand = look.hand ?? look.sent;
  if (!hand) return [];
  const items = captureItems(stand.victims, stand.runs);
  for (const { start, end } of movesOf(hand)) {
    items.push({ layer: "ticks", kind: "ticks", square: start, tone: "mark" });
    items.push({ layer: "trail", kind: "trail", tone: "mark", start, end, dot: false });
  }
  return [...items, ...shotItems(look, hand), ...waitItems(look, stand, hand)];
}

const SHOTS = { sent: "aim", unsent: "unsentShot", planned: "plannedShot" };

/** The arrow that is chosen, or the ring of one that is kept. */
function shotItems(look, hand) {
  const style = styleOf(look);
  const at = arrowOf(hand);
  const start = movesOf(hand).at(-1)?.end ?? look.view.moved?.[1] ?? null;
  if (at !== null) return start === null ? [] : [{ layer: "aim", kind: SHOTS[style], start, at }];
  const kept = isComplete(hand) && hand.prompt.steps[hand.path.length - 1].keep != null;
  const kind = style === "planned" ? "keep" : "keeping";
  return kept ? [{ layer: "aim", kind, square: hand.path.at(-1) }] : [];
}

/** That the go waits: for the server, for another tap, or for its time. */
function waitItems(look, stand, hand) {
  const place = stand.ends.findLast((square) => stand.marks.has(square));
  const square = place ?? hand.path.at(-1);
  if (look.sent) {
    return look.dots === null ? [] : [{ layer: "aim", kind: "dots", square, phase: look.dots }];
  }
  if (!isComplete(hand)) return [];
  if (look.planning) return [{ layer: "aim", kind: "clock", square }];
  return look.again === null ? [] : [{ layer: "aim", kind: "again", square: look.again }];
}
