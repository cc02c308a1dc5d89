/**
 * Python's random numbers: `Random(seed).random()`, to the bit. Pure.
 *
 * The Mersenne Twister of Matsumoto and Nishimura, ACM Transactions on Modeling and Computer
 * Simulation 8 (1998) 3-30, seeded by an array of 32-bit words as Python does.
 */

const SIZE = 624;
const MIDDLE = 397;

/** Returns a function that returns the next number from 0 to 1; `seed` is a whole number from 0. */
export function seededRandom(/** @type {number} */ seed) {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`${seed} is not a seed`);
  const high = Math.floor(seed / 2 ** 32);
  const state = seededState(high ? [seed >>> 0, high] : [seed >>> 0]);
  let index = SIZE;

  function next() {
    if (index === SIZE) {
      twist(state);
      index = 0;
    }
    let word = state[index++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  return () => {
    const top = next() >>> 5;
    return (top * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
  };
}

/** @param {number[]} key words of 32 bits */
function seededState(key) {
  const state = new Uint32Array(SIZE);
  state[0] = 19650218;
  for (let at = 1; at < SIZE; at++) state[at] = Math.imul(mixed(state[at - 1]), 1812433253) + at;
  let at = 1;
  for (let step = 0; step < SIZE; step++) {
    const word = step % key.length;
    state[at] = (state[at] ^ Math.imul(mixed(state[at - 1]), 1664525)) + key[word] + word;
    at = nextIndex(state, at);
  }
  for (let step = 1; step < SIZE; step++) {
    state[at] = (state[at] ^ Math.imul(mixed(state[at - 1]), 1566083941)) - at;
    at = nextIndex(state, at);
  }
  state[0] = 0x80000000;
  return state;
}

function mixed(/** @type {number} */ word) {
  return word ^ (word >>> 30);
}

/** @param {Uint32Array} state @param {number} at */
function nextIndex(state, at) {
  if (at + 1 < SIZE) return at + 1;
  state[0] = state[SIZE - 1];
  return 1;
}

function twist(/** @type {Uint32Array} */ state) {
  for (let at = 0; at < SIZE; at++) {
    const word = (state[at] & 0x80000000) | (state[(at + 1) % SIZE] & 0x7fffffff);
    state[at] = state[(at + MIDDLE) % SIZE] ^ (word >>> 1) ^ (word & 1 ? 0x9908b0df : 0);
  }
}
