/**
 * The sounds of a turn, timed to its motion on the board, and of the end. Pure; loaded where sound is on.
 */

import { DURATIONS_MS, timelineOf } from "../board/tween.js";

/** From one captured piece to the next. */
const CAPTURE_GAP_MS = 70;

/**
 * The sounds of one part of a timeline.
 *
 * @param {TimelinePart} part
 * @param {Role | null} you
 * @returns {SoundCue[]}
 */
function cuesOf({ effect, from, until, length, flight = 0 }, you) {
  if (effect.kind === "place")
    return [
      { name: "shot", at: from },
      { name: "thud", at: from + flight },
    ];
  if (effect.kind === "remove") {
    const bite = from + DURATIONS_MS.remove.close;
    return effect.squares.map((_, index) => ({
      name: "capture",
      at: bite + index * CAPTURE_GAP_MS,
    }));
  }
  if (effect.kind !== "slide" || length === 0) return [];
  const role = "role" in effect ? effect.role : null;
  return [{ name: role !== null && role === you ? "own" : "action", at: until }];
}

/**
 * The sounds of some steps as cues, in ms from their start; `own`: the draft has shown their slides.
 * The fields of Blotto sound when they open (troops.js).
 *
 * @param {Wire.ResolvedStep[]} steps
 * @param {{ own: boolean, you: Role | null }} options
 */
export function turnSounds(steps, { own, you }) {
  const { parts } = timelineOf(steps, { slides: !own });
  const cues = parts.flatMap((part) => cuesOf(part, you));
  /** @type {Map<number, number>} */
  const captures = new Map();
  return cues.map((cue) => {
    if (cue.name !== "capture") return cue;
    const at = captures.has(cue.at) ? Math.max(...captures.values()) + CAPTURE_GAP_MS : cue.at;
    captures.set(at, at);
    return { ...cue, at };
  });
}

/**
 * The chord at the end of a game: open, or in minor for the one who has lost.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function endSounds({ outcome, you }) {
  const winner = outcome?.winner ?? null;
  const lost = you !== null && winner !== null && winner !== you;
  return [{ name: lost ? "lost" : "end", at: 0 }];
}
