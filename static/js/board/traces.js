/** What the last action left on the board: trails, flights, crosses and wedges, as items of a scene. */

import { movesOf } from "./path.js";

const effectsOf = (last, kind) =>
  last.flatMap(({ effects }) => effects.filter((effect) => effect.kind === kind));

/** Whether steps in the hand have taken the place of what was played last. */
function isBusy({ hand, sent, planned }) {
  const shown = hand ?? sent;
  return shown !== null && !planned && movesOf(shown).length > 0;
}

/** Ticks, trails and flights of the last action. */
export function lastItems(look, stand) {
  const items = [];
  const busy = isBusy(look);
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

function leaving(effect, { fade }) {
  const mark = effect.role === "white" ? "W" : "B";
  const [scale, alpha] = [1 - 0.2 * fade, 1 - fade];
  return effect.squares.map((square) => ({ layer: "piece", kind: "piece", mark, square, scale, alpha }));
}

/** What the last action captured: pieces that leave, then crosses; at the end of a game the wedges stay. */
export function lastCaptures(look, stand) {
  const phases = new Map(stand.removing.map((phase) => [phase.effect, phase]));
  return effectsOf(look.last, "remove").flatMap((effect) => {
    if (stand.unseen.has(effect)) return [];
    const phase = phases.get(effect);
    const run = { ...effect, close: phase?.close ?? 1 };
    if (phase) return [...leaving(effect, phase), ...wedgesOf(run)];
    const crosses = effect.squares
      .filter((square) => !stand.marks.has(square))
      .map((square) => ({ layer: "trail", kind: "cross", square, tone: "trail" }));
    return look.over ? [...crosses, ...wedgesOf(run)] : crosses;
  });
}

/** The wedges at both ends of a captured run. */
export function wedgesOf({ axis, squares, jaws, close = 1 }) {
  return [
    { layer: "capture", kind: "wedge", square: squares[0], axis, end: "low", close },
    { layer: "capture", kind: "wedge", square: squares.at(-1), axis, end: "high", close },
  ].map((wedge, index) => ({ ...wedge, jaw: jaws[index] }));
}
