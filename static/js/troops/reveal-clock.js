/** The time of a reveal: field by field, then a countdown to the next round. */

import { motionSpeed, reducedMotion } from "../lib/motion.js";
import { openedFields, revealDuration, stillRevealTime } from "./layout.js";
import { isOpening } from "./reveal-gate.js";

/** Time until the next round is shown, where no clock starts with it. */
const REVEAL_STAYS_S = 8;

/**
 * Seconds until the clocks of the next round start; without such a pause, how long a round stays.
 *
 * @param {Pick<Wire.Snapshot, "clock" | "now">} snapshot
 */
export function pauseAfterReveal({ clock, now }) {
  const pause = clock.since - now;
  return pause > 0 ? Math.ceil(pause / 1000) : REVEAL_STAYS_S;
}

export class RevealClock {
  /**
   * `onTime(revealing)` for each frame of the motion, `onField(index)` when a field has said its
   * verdict, `onTold({ isSkipped })` when the result may be told, `onSecond()` for each second of the countdown,
   * `onDone()` at its end.
   *
   * @param {{ onTime: (revealing: Revealing) => void, onField: (index: number) => void, onTold: (how: { isSkipped: boolean }) => void, onSecond: () => void, onDone: () => void }} options
   */
  constructor({ onTime, onField, onTold, onSecond, onDone }) {
    this.onField = onField;
    this.onTold = onTold;
    this.fields = 0;
    this.onTime = onTime;
    this.onSecond = onSecond;
    this.onDone = onDone;
    /** @type {Revealing | null} */
    this.revealing = null;
    /** Seconds until the next round is shown. */
    this.waitS = REVEAL_STAYS_S;
    this.frame = 0;
    /** @type {number | undefined} */
    this.counting = undefined;
  }

  /**
   * Begins to show a round; `moving`: block by block, `goesOn`: a next round follows in `waitS`.
   *
   * @param {number} index
   * @param {{ fields: number, moving: boolean, goesOn: boolean, waitS: number }} options
   */
  start(index, { fields, moving, goesOn, waitS }) {
    this.stop();
    this.fields = fields;
    this.revealing = { index, start: performance.now(), time: moving ? 0 : Infinity };
    this.waitS = waitS;
    if (moving) this.advance();
    if (goesOn) this.counting = setInterval(() => this.count(), 1000);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.stopCounting();
    this.revealing = null;
  }

  /** Not all fields have opened: the result is not told yet. */
  get isOpening() {
    return isOpening(this.revealing, this.fields);
  }

  /** Shows the result at once; returns whether it was still to come. */
  skip() {
    return this.finish({ isSkipped: true });
  }

  /** @param {{ isSkipped: boolean }} how */
  finish(how) {
    if (this.revealing === null || !this.isOpening) return false;
    cancelAnimationFrame(this.frame);
    this.revealing.time = Infinity;
    this.onTold(how);
    return true;
  }

  /** Keep the shown state: the game is over. */
  stopCounting() {
    clearInterval(this.counting);
  }

  advance() {
    this.frame = requestAnimationFrame((now) => {
      if (this.revealing === null) return;
      const time = Math.max(0, (now - this.revealing.start) * motionSpeed());
      if (time >= revealDuration(this.fields)) {
        this.finish({ isSkipped: false });
        return;
      }
      const before = openedFields(this.revealing.time, this.fields);
      this.revealing.time = reducedMotion() ? stillRevealTime(time) : time;
      this.onTime(this.revealing);
      const after = openedFields(this.revealing.time, this.fields);
      if (after > before) this.onField(after - 1);
      this.advance();
    });
  }

  count() {
    this.waitS -= 1;
    if (this.waitS <= 0) this.onDone();
    else this.onSecond();
  }
}
