/** The reveal as arithmetic: which blocks and verdicts are out at a moment. Pure. */

export const FIELD = 240;
export const LAID = 30;
export const VERDICT = 160;

/** The length of the reveal of `counts` fields. */
export function revealLength(fields) {
  return FIELD * (fields - 1) + 420;
}

/** For a field at `time`: how many of `count` blocks lie there, and whether its verdict is said. */
export function fieldAt(time, field, count) {
  const since = time - field * FIELD;
  return {
    blocks: since < 0 ? 0 : Math.min(count, 1 + Math.floor(since / LAID)),
    verdict: since >= VERDICT,
  };
}
