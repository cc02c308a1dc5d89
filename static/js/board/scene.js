/**
 * What to draw: a list of plain items in the order of their layers. Nothing here knows pixels.
 *
 * A look is what the picture is made from: view and last (the server's), burns (burnt squares, oldest
 * first), hand and sent (hands), active (hints wanted), hover (a square), drag ({square, point}),
 * moment (see tween.js), refused (squares), dots (the pending dots' phase), over, veiled, focus.
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
import { BURNT, afterStep, sizeOf, standOf } from "./stand.js";
import { placeOf } from "./geometry.js";

const LAYERS = [
  "chosen",
  "ticks",
  "burnt",
  "trail",
  "hint",
  "coordinates",
  "piece",
  "capture",
  "flight",
  "aim",
  "refusal",
  "veil",
  "focus",
];
const ORDER = new Map(LAYERS.map((layer, index) => [layer, index]));
const RUST = 3;

const effectsOf = (last, kind) =>
  last.flatMap(({ effects }) => effects.filter((effect) => effect.kind === kind));

/** The square of the archer that is about to shoot: moved in this hand, or before it. */
export function archerOf({ view, hand }) {
  if (!hand || stepOf(hand)?.word !== "arrow") return null;
  return bowOf(hand) ?? view.moved?.[1] ?? null;
}

function lastItems(look, stand) {
  const items = [];
  const hand = look.hand ?? look.sent;
  const busy = hand !== null && movesOf(hand).length > 0;
  const still = new Set(stand.moving.map(({ end }) => end));
  for (const effect of effectsOf(look.last, "slide")) {
    if (stand.unseen.has(effect)) continue;
    items.push({ layer: "ticks", kind: "ticks", square: effect.start, tone: "trail" });
    if (busy || still.has(effect.end)) continue;
    const dot = look.view.step !== undefined && look.key !== "pincer";
    const { start, end } = effect;
    items.push({ layer: "trail", kind: "trail", tone: "trail", dot, start, end });
  }
  for (const effect of effectsOf(look.last, "place")) {
    if (stand.unseen.has(effect) || busy) continue;
    const length = stand.flights.get(effect.at) ?? 1;
    items.push({ layer: "flight", kind: "flight", start: effect.start, at: effect.at, length });
  }
  return items;
}

function lastCaptures(look, stand) {
  const phases = new Map(stand.removing.map((phase) => [phase.effect, phase]));
  return effectsOf(look.last, "remove").flatMap((effect) => {
    if (stand.unseen.has(effect)) return [];
    const phase = phases.get(effect);
    const run = { ...effect, close: phase?.close ?? 1 };
    if (phase) {
      const mark = effect.role === "white" ? "W" : "B";
      const leaving = effect.squares.map((square) => ({
        layer: "piece",
        kind: "piece",
        mark,
        square,
        scale: 1 - 0.2 * phase.fade,
        alpha: 1 - phase.fade,
      }));
      return [...leaving, ...wedgesOf(run)];
    }
    const crosses = effect.squares
      .filter((square) => !stand.marks.has(square))
      .map((square) => ({ layer: "trail", kind: "cross", square, tone: "trail" }));
    return look.over ? [...crosses, ...wedgesOf(run)] : crosses;
  });
}

function wedgesOf({ axis, squares, jaws, close = 1 }) {
  return [
    { layer: "capture", kind: "wedge", square: squares[0], axis, end: "low", close },
    { layer: "capture", kind: "wedge", square: squares.at(-1), axis, end: "high", close },
  ].map((wedge, index) => ({ ...wedge, jaw: jaws[index] }));
}

function burntItems(look, stand) {
  const rank = new Map();
  look.burns
    .filter((square) => stand.marks.get(square) === BURNT)
    .reverse()
    .forEach((square, index) => rank.set(square, index));
  const newest = [...stand.burning.values()].at(0);
  const items = [];
  for (const [square, mark] of stand.marks) {
    if (mark !== BURNT) continue;
    const age = rank.get(square) ?? Infinity;
    const { grow = 1, seams = 1, edge = 1 } = stand.burning.get(square) ?? {};
    const heat = age === 0 ? "ember" : age <= RUST ? "rust" : "sparks";
    const cooling = age === 1 && newest ? 1 - newest.cool : 0;
    items.push({ layer: "burnt", kind: "burnt", square, heat, cooling, grow, seams, edge });
  }
  return items;
}

const HINTS = { to: "dot", to2: "dot", arrow: "diamond" };

function hintItems(look) {
  const { hand, hover } = look;
  if (!hand || !look.active || isComplete(hand)) return [];
  const word = stepOf(hand).word;
  const kind = HINTS[word];
  if (kind === undefined) {
    return hover ? [{ layer: "ticks", kind: "ticks", square: hover, tone: "mark", bold: true }] : [];
  }
  const keep = keepOf(hand);
  return targetsOf(hand)
    .filter((square) => square !== hover || word === "arrow")
    .map((square) => ({ layer: "hint", kind: square === keep ? "keep" : kind, square }));
}

/** What the hovered target would do: a ghost with corner ticks, or a diamond with a dashed line. */
function aimItems(look, stand) {
  const { hand, hover } = look;
  if (!hand || !look.active || isComplete(hand) || !targetsOf(hand).includes(hover)) return [];
  const { word } = stepOf(hand);
  if (word === "arrow") {
    const start = archerOf(look);
    const ring = keepOf(hand) === hover;
    return [{ layer: "aim", kind: ring ? "keeping" : "aim", start, at: hover }];
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
function previewOf(look, stand) {
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

/** The steps made in the hand, and what has been sent and not answered. */
function handItems(look, stand) {
  const hand = look.hand ?? look.sent;
  if (!hand) return [];
  const items = captureItems(stand.victims, stand.runs);
  for (const { start, end } of movesOf(hand)) {
    items.push({ layer: "ticks", kind: "ticks", square: start, tone: "mark" });
    items.push({ layer: "trail", kind: "trail", tone: "mark", start, end, dot: false });
  }
  const arrow = arrowOf(hand);
  if (arrow !== null) {
    const start = movesOf(hand).at(-1)?.end ?? look.view.moved?.[1] ?? null;
    if (start !== null) items.push({ layer: "aim", kind: "aim", start, at: arrow });
  }
  if (look.sent && look.dots !== null) {
    const square = movesOf(look.sent).at(-1)?.end ?? arrow;
    items.push({ layer: "aim", kind: "dots", square, phase: look.dots });
  }
  return items;
}

function chosenSquares(look) {
  if (look.sent || !look.hand) return new Set();
  return new Set([heldPiece(look.hand), archerOf(look)].filter((square) => square !== null));
}

function steppedSquares(look, stand) {
  if (look.key !== "pincer") return [];
  const made = look.view.of === 2 && look.view.stepped ? [look.view.stepped] : [];
  return [...made, ...stand.ends].filter((square) => stand.marks.has(square));
}

function pieceItems(look, stand) {
  const chosen = chosenSquares(look);
  const sent = new Set(look.sent && look.dots !== null ? stand.ends : []);
  const taken = new Set(previewOf(look, stand)?.next.taken);
  const items = [...chosen].map((square) => ({ layer: "chosen", kind: "chosen", square }));
  for (const [square, mark] of stand.marks) {
    if (mark === BURNT || taken.has(square)) continue;
    const lift = chosen.has(square) ? (stand.lifts.get(square) ?? 1) : 0;
    const shift = stand.shifts.get(square) ?? 0;
    const dragged = look.drag?.square === square;
    const point = dragged ? { point: look.drag.point } : {};
    const alpha = sent.has(square) ? 0.5 : 1;
    items.push({ layer: "piece", kind: "piece", mark, square, lift, shift, alpha, ...point });
  }
  for (const { mark, start, end, move } of stand.moving) {
    items.push({ layer: "piece", kind: "piece", mark, square: end, start, move, lift: 0 });
  }
  for (const square of steppedSquares(look, stand)) {
    items.push({ layer: "capture", kind: "badge", square });
  }
  return items;
}

function stateItems(look) {
  const refused = look.refused.map((square) => ({ layer: "refusal", kind: "refusal", square }));
  const focus = look.focus ? [{ layer: "focus", kind: "focus", square: look.focus }] : [];
  return [...refused, ...focus, ...(look.veiled ? [{ layer: "veil", kind: "veil" }] : [])];
}

/** Far row first, so that a near piece covers a far one; what is dragged or moves lies above. */
function nearness(item, flipped) {
  if (item.layer !== "piece") return 0;
  const { y } = placeOf(item.square);
  return (flipped ? y : -y) + (item.point || item.move !== undefined ? 1000 : 0);
}

export function sceneOf(look) {
  const stand = standOf(look.view, look.hand ?? look.sent, look.moment);
  const items = [
    ...lastItems(look, stand),
    ...lastCaptures(look, stand),
    ...burntItems(look, stand),
    ...hintItems(look),
    ...aimItems(look, stand),
    ...handItems(look, stand),
    ...pieceItems(look, stand),
    ...stateItems(look),
    { layer: "coordinates", kind: "coordinates" },
  ];
  return items.sort(
    (a, b) =>
      ORDER.get(a.layer) - ORDER.get(b.layer) ||
      nearness(a, look.flipped) - nearness(b, look.flipped),
  );
}
