/** Check for values that have to be there. Pure. */

/**
 * Returns `value`; TypeError that names it if it is null or undefined.
 *
 * @template T
 * @param {T} value
 * @param {string} name
 * @returns {NonNullable<T>}
 */
export function required(value, name) {
  if (value === null || value === undefined) throw new TypeError(`${name} is missing`);
  return value;
}
