/** Exact fractions of small integers. Pure. */

/** The largest denominator that is written as a fraction; others are rounded. */
const MAX_WRITTEN_DENOMINATOR = 99;

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
const greatestDivisor = (a, b) => (b === 0 ? Math.abs(a) : greatestDivisor(b, a % b));

/**
 * The reduced fraction `num` / `den`; RangeError unless both are safe integers and `den` is positive.
 *
 * @param {number} num
 * @param {number} den
 * @returns {Fraction}
 */
export function fraction(num, den) {
  if (!Number.isSafeInteger(num) || !Number.isSafeInteger(den) || den <= 0)
    throw new RangeError(`not a fraction of integers: ${num}/${den}`);
  const divisor = greatestDivisor(num, den);
  return { num: num / divisor, den: den / divisor };
}

/**
 * The fraction as a mixed number, "2 1/3"; rounded to two digits where the denominator is long.
 *
 * @param {Fraction} value
 * @param {string} [language] for the decimal separator
 */
export function fractionText({ num, den }, language = "en") {
  if (den > MAX_WRITTEN_DENOMINATOR) return decimalText(num / den, language);
  const sign = num < 0 ? "−" : "";
  const whole = Math.floor(Math.abs(num) / den);
  const rest = Math.abs(num) % den;
  if (rest === 0) return `${sign}${whole}`;
  return whole === 0 ? `${sign}${rest}/${den}` : `${sign}${whole} ${rest}/${den}`;
}

/**
 * A number with two digits after the separator.
 *
 * @param {number} value
 * @param {string} [language]
 */
export function decimalText(value, language = "en") {
  return value
    .toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    .replace("-", "−");
}

/**
 * A fraction as whole percent, "3%".
 *
 * @param {Fraction} value
 * @param {string} [language]
 */
export const percentText = ({ num, den }, language = "en") =>
  (num / den).toLocaleString(language, { style: "percent" });
