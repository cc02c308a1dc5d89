/** The scene: what to draw, as a list of plain items in the order of their layers. Knows no pixels. Pure. */

import { placeOf } from "../drawing/geometry.js";
import { required } from "../lib/required.js";
import { bowOfPiece, ownedItems, trappedItems } from "./ending.js";
import { BURNT, occupancyAt } from "./occupancy.js";
import { heldPiece } from "./path-draft.js";
import {
  aimItems,
  archerOf,
  draftItems,
  hintItems,
  isAiming,
  lastActionItems,
  lastCaptures,
  previewOf,
  styleOf,
} from "./scene-items.js";

const LAYERS = [
  "chosen",
  "owned",
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

/** Number of squares burnt before the newest one that still show their seams. */
const RUST = 2;

const SENT = 0.5;

/**
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
function burntItems(look, occupancy) {
  const rank = new Map();
  look.burns
    .filter((square) => occupancy.marks.get(square) === BURNT)
    .reverse()
    .forEach((square, index) => rank.set(square, index));
  const newest = [...occupancy.burning.values()].at(0);
  const items = [];
  for (const [square, mark] of occupancy.marks) {
    if (mark !== BURNT) continue;
    const age = rank.get(square) ?? Infinity;
    const { grow = 1, seams = 1, edge = 1 } = occupancy.burning.get(square) ?? {};
    const heat = age === 0 ? "ember" : age <= RUST ? "rust" : "flat";
    const cooling = age === 1 && newest ? 1 - (newest.cool ?? 0) : 0;
    const shift = occupancy.shifts.get(square) ?? 0;
    items.push({ layer: "burnt", kind: "burnt", square, heat, cooling, grow, seams, edge, shift });
  }
  return items;
}

/** @param {Look} look */
function chosenSquares(look) {
  if (look.sent || !look.draft) return new Set();
  return new Set([heldPiece(look.draft), archerOf(look)].filter((square) => square !== null));
}

/**
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
function steppedSquares(look, occupancy) {
  if (look.key !== "pincer") return [];
  const made = look.view.of === 2 && look.view.stepped ? [look.view.stepped] : [];
  const ends = look.planning ? [] : occupancy.ends;
  return [...made, ...ends].filter((square) => occupancy.marks.has(square));
}

/**
 * Returns the style of each piece that the draft has moved: sent, unsent or planned.
 *
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
function pieceStyles(look, occupancy) {
  const ends = new Set(occupancy.ends);
  const style = styleOf(look);
  if (style === "unsent" && isAiming(look)) return () => ({ alpha: 1 });
  const alpha = style === "sent" && look.dots !== null ? SENT : 1;
  const made = style === "sent" ? { alpha } : { style, alpha };
  return (/** @type {Square} */ square) => (ends.has(square) ? made : { alpha: 1 });
}

/**
 * @param {Look} look
 * @param {Occupancy} occupancy
 */
function pieceItems(look, occupancy) {
  const chosen = chosenSquares(look);
  const styled = pieceStyles(look, occupancy);
  const taken = new Set(previewOf(look, occupancy)?.next.taken);
  const items = [];
  for (const square of chosen) {
    items.push({ layer: "chosen", kind: "chosen", square, ...styled(square) });
  }
  for (const [square, mark] of occupancy.marks) {
    if (mark === BURNT || taken.has(square)) continue;
    const lift = occupancy.lifts.get(square) ?? (chosen.has(square) ? 1 : 0);
    const shift = occupancy.shifts.get(square) ?? 0;
    const point = look.drag?.square === square ? { point: look.drag.point } : {};
    items.push({
      layer: "piece",
      kind: "piece",
      mark,
      square,
      lift,
      shift,
      tilt: bowOfPiece(look, mark),
      ...point,
      ...styled(square),
    });
  }
  for (const { mark, start, end, move } of occupancy.moving) {
    const way = { square: end, start, move };
    items.push({ layer: "piece", kind: "piece", mark, lift: 0, ...way, ...styled(end) });
  }
  for (const square of steppedSquares(look, occupancy)) {
    items.push({ layer: "capture", kind: "badge", square });
  }
  return items;
}

/** @param {Look} look */
function stateItems(look) {
  const refused = look.refused.map((square) => ({ layer: "refusal", kind: "refusal", square }));
  const focus = look.focus ? [{ layer: "focus", kind: "focus", square: look.focus }] : [];
  return [...refused, ...focus, ...(look.veiled ? [{ layer: "veil", kind: "veil" }] : [])];
}

/**
 * Far row first, so that a near piece covers a far one; what is dragged or moves lies above.
 *
 * @param {SceneItem} item
 * @param {boolean} flipped
 */
function nearness(item, flipped) {
  if (item.layer !== "piece" || item.square === undefined) return 0;
  const { y } = placeOf(item.square);
  return (flipped ? y : -y) + (item.point || item.move !== undefined ? 1000 : 0);
}

/** @param {SceneItem} item */
function layerOrder({ layer }) {
  return required(ORDER.get(layer), `the layer ${layer}`);
}

/** @param {Look} look */
export function sceneOf(look) {
  const occupancy = occupancyAt(look.view, look.draft ?? look.sent, look.moment);
  const items = [
    ...lastActionItems(look, occupancy),
    ...lastCaptures(look, occupancy),
    ...burntItems(look, occupancy),
    ...hintItems(look),
    ...aimItems(look, occupancy),
    ...draftItems(look, occupancy),
    ...pieceItems(look, occupancy),
    ...trappedItems(look, occupancy),
    ...ownedItems(look),
    ...stateItems(look),
    { layer: "coordinates", kind: "coordinates" },
  ];
  return items.sort(
    (a, b) =>
      layerOrder(a) - layerOrder(b) || nearness(a, look.flipped) - nearness(b, look.flipped),
  );
}
