/**
 * Holding a button down for a second. The share of it is told as it grows, so that it can be seen;
 * leaving the button ends it, and a short press is an ordinary one.
 */

export const LONG = 1000;
const TICK = 50;
const SHORT = 350;

const CLOCK = {
  now: () => performance.now(),
  every: (call, wait) => setInterval(call, wait),
  cancel: (timer) => clearInterval(timer),
};

export class Hold {
  /** `onShare(0…1)`, `onDone()` after a second; `clock` for tests. */
  constructor({ onShare, onDone }, clock = CLOCK) {
    Object.assign(this, { onShare, onDone, clock });
    this.since = null;
    this.timer = 0;
    /** Whether the press that has just ended was a hold, kept or given up: then it is no click. */
    this.wasLong = false;
  }

  press() {
    this.cancel();
    this.wasLong = false;
    this.since = this.clock.now();
    this.timer = this.clock.every(() => this.tick(), TICK);
  }

  tick() {
    const held = this.clock.now() - this.since;
    this.wasLong ||= held > SHORT;
    if (held < LONG) {
      this.onShare(held / LONG);
      return;
    }
    this.cancel();
    this.onDone();
  }

  /** The button was left or let go. */
  cancel() {
    if (this.since !== null) this.onShare(0);
    this.clock.cancel(this.timer);
    this.since = null;
  }
}

/** Wires a Hold to a button: `--held` on it is the share, `may()` whether it can be held now. */
export function holdable(button, { may, onDone }) {
  const hold = new Hold({
    onShare: (share) => {
      button.style.setProperty("--held", String(share));
      button.classList.toggle("held", share > 0);
    },
    onDone,
  });
  button.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && may()) hold.press();
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
    button.addEventListener(end, () => hold.cancel());
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", () => {
    hold.wasLong = false;
  });
  return hold;
}
