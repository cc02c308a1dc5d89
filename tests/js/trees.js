/** Prompts for tests: random trees of squares, from a seed. */

/** Numbers in 0…1, the same for the same seed. */
export function dice(seed) {
  let state = seed + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

const pick = (roll, count) => Math.floor(roll() * count);

export function squares(roll, most = 4) {
  const names = new Set();
  const count = 1 + pick(roll, most);
  while (names.size < count) names.add("abcdefgh"[pick(roll, 8)] + (1 + pick(roll, 8)));
  return [...names];
}

const WORDS = {
  amazons: ["from", "to", "arrow"],
  pincer: ["from", "to", "from2", "to2"],
};

function node(roll, depth, early) {
  if (depth === 1) return squares(roll).join(" ");
  const made = {};
  for (const square of squares(roll)) {
    const ends = early && roll() < 0.2;
    made[square] = ends ? {} : node(roll, depth - 1, early);
  }
  return made;
}

/** A random prompt of Amazons or Pincer; a turn of Pincer may end after its first step. */
export function promptOf(roll, family = "amazons") {
  const words = WORDS[family];
  const actions =
    family === "amazons"
      ? [
          ["move", 0, 1],
          ["fire", 2],
        ]
      : [
          ["move", 0, 1],
          ["move", 2, 3],
        ];
  const tree = node(roll, words.length, false);
  if (family === "pincer" && roll() < 0.5) {
    const from = Object.keys(tree)[0];
    tree[from][squares(roll, 1)[0]] = {};
  }
  return { kind: "path", steps: words.map((word) => ({ word })), actions, tree };
}
