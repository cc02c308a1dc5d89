/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8. Pure. The browser's own one, `crypto.subtle`, is missing on
 * pages that come over plain http from another machine, as in a home network.
 */

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/** The first 32 bits behind the point of a root. */
const bits = (root) => ((root % 1) * 2 ** 32) | 0;

const START = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const STEPS = PRIMES.map((prime) => bits(Math.cbrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The text's bytes, a one bit, zeros, and the length in bits: whole blocks of 64 bytes. */
function padded(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((byte, index) => whole.setUint8(index, byte));
  whole.setUint8(bytes.length, 0x80);
  whole.setBigUint64(whole.byteLength - 8, BigInt(bytes.length) * 8n);
  return whole;
}

/** The 64 words of the block at a place. */
function words(whole, place) {
  const list = Array.from({ length: 16 }, (_, index) => whole.getUint32(place + 4 * index) | 0);
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [list[at - 15], list[at - 2]];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    list.push((list[at - 16] + low + list[at - 7] + high) | 0);
  }
  return list;
}

/** The state after one more block. */
function mixed(state, block) {
  let [a, b, c, d, e, f, g, h] = state;
  block.forEach((word, at) => {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + STEPS[at] + word) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) | 0);
}

/** The hash, as 64 hex digits. */
export function sha256(text) {
  const whole = padded(text);
  let state = START;
  for (let at = 0; at < whole.byteLength; at += 64) state = mixed(state, words(whole, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
