/** What a key does to the number of a field: digits are typed, arrows count. Pure. */

/** Digits that come within this many ms make one number. */
export const TYPING = 1200;

const STEPS = {
  ArrowUp: (value) => value + 1,
  ArrowRight: (value) => value + 1,
  ArrowDown: (value) => value - 1,
  ArrowLeft: (value) => value - 1,
  PageUp: (value) => value + 3,
  PageDown: (value) => value - 3,
  Home: () => 0,
  End: (value, most) => most,
  Backspace: () => 0,
  Delete: () => 0,
};

/**
 * The number wanted after a key: {value, digits}, or null for a key that means nothing here. `value`
 * is the present number, `most` the greatest that is possible, `digits` those typed just before.
 */
export function spun(key, { value, most, digits = "" }) {
  const within = (number) => Math.min(most, Math.max(0, number));
  if (/^\d$/.test(key)) {
    const both = Number(digits + key);
    const typed = digits !== "" && both <= most ? digits + key : key;
    return { value: within(Number(typed)), digits: typed };
  }
  const step = STEPS[key];
  return step ? { value: within(step(value, most)), digits: "" } : null;
}
