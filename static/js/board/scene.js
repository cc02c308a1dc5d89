/**
 * What to draw: a list of plain items in the order of their layers. Nothing here knows pixels.
 *
 * A look is what the picture is made from: view and last (the server's), burns (burnt squares, oldest
 * first), hand and sent (hands), planning (the hand plans for later), planned (and is complete), again
 * (the square whose second tap sends), active (hints wanted), hover (a square), drag ({square, point}),
 * moment (see tween.js), refused (squares), dots (the pending dots' phase), over, veiled, focus.
 */

import { heldPiece } from "./path.js";
import { aimItems, archerOf, handItems, hintItems, previewOf, styleOf } from "./held.js";
import { BURNT, standOf } from "./stand.js";
import { lastCaptures, lastItems } from "./traces.js";
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
const SENT = 0.5;

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

function chosenSquares(look) {
  if (look.sent || !look.hand) return new Set();
  return new Set([heldPiece(look.hand), archerOf(look)].filter((square) => square !== null));
}

function steppedSquares(look, stand) {
  if (look.key !== "pincer") return [];
  const made = look.view.of === 2 && look.view.stepped ? [look.view.stepped] : [];
  const ends = look.planning ? [] : stand.ends;
  return [...made, ...ends].filter((square) => stand.marks.has(square));
}

/** How the pieces are drawn that steps in the hand have moved: sent, unsent or planned. */
function stylingOf(look, stand) {
  const ends = new Set(stand.ends);
  const style = styleOf(look);
  const alpha = style === "sent" && look.dots !== null ? SENT : 1;
  const made = style === "sent" ? { alpha } : { style, alpha };
  return (square) => (ends.has(square) ? made : { alpha: 1 });
}

function pieceItems(look, stand) {
  const chosen = chosenSquares(look);
  const styled = stylingOf(look, stand);
  const taken = new Set(previewOf(look, stand)?.next.taken);
  const items = [];
  for (const square of chosen) {
    items.push({ layer: "chosen", kind: "chosen", square, ...styled(square) });
  }
  for (const [square, mark] of stand.marks) {
    if (mark === BURNT || taken.has(square)) continue;
    const lift = stand.lifts.get(square) ?? (chosen.has(square) ? 1 : 0);
    const shift = stand.shifts.get(square) ?? 0;
    const dragged = look.drag?.square === square;
    const point = dragged ? { point: look.drag.point } : {};
    items.push({ layer: "piece", kind: "piece", mark, square, lift, shift, ...point, ...styled(square) });
  }
  for (const { mark, start, end, move } of stand.moving) {
    const way = { square: end, start, move };
    items.push({ layer: "piece", kind: "piece", mark, lift: 0, ...way, ...styled(end) });
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
