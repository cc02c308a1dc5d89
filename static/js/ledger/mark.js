/** How a hash is shown. Pure. */

/** "3f9a 12c0", never broken between lines: what people compare of 64 digits. */
export function short(hash) {
  return `${hash.slice(0, 4)}\u00a0${hash.slice(4, 8)}`;
}
