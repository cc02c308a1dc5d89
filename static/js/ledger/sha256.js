/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8. Pure.
 *
 * The browser's own `crypto.subtle` is missing on pages that come over plain http from another machine,
 * as in a home network.
 *
 * @type {number[]}
 */

const PRIMES = [];

for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/**
 * The first 32 bits behind the point of a root.
 *
 * @param {number} root
 */
const fractionBits = (root) => ((root % 1) * 2 ** 32) | 0;

const START = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

const STEPS = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));

/**
 * @param {number} word
 * @param {number} by
 */
const rotateRight = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * The text's bytes, a one bit, zeros, and the length in bits: whole blocks of 64 bytes.
 *
 * @param {string} text
 */
function padMessage(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((byte, index) => whole.setUint8(index, byte));
  whole.setUint8(bytes.length, 0x80);
  whole.setBigUint64(whole.byteLength - 8, BigInt(bytes.length) * 8n);
  return whole;
}

/**
 * The 64 words of the block at a place.
 *
 * @param {DataView} whole
 * @param {number} place
 */
function messageSchedule(whole, place) {
  const list = Array.from({ length: 16 }, (_, index) => whole.getUint32(place + 4 * index) | 0);
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [list[at - 15], list[at - 2]];
    const low = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const high = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    list.push((list[at - 16] + low + list[at - 7] + high) | 0);
  }
  return list;
}

/**
 * The state after one more block.
 *
 * @param {number[]} state
 * @param {number[]} block
 */
function compressBlock(state, block) {
  let [a, b, c, d, e, f, g, h] = state;
  block.forEach((word, at) => {
    const high = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + STEPS[at] + word) | 0;
    const low = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) | 0);
}

/**
 * The hash, as 64 hex digits.
 *
 * @param {string} text
 */
export function sha256(text) {
  const whole = padMessage(text);
  let state = START;
  for (let at = 0; at < whole.byteLength; at += 64)
    state = compressBlock(state, messageSchedule(whole, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
