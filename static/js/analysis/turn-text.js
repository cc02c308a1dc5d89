/** Canonical actions in notation, "move 4 1 4 7" and "fire 7 7" as "d1-d7/g7", and as lines. Pure. */

const FIRST_FILE = "a".charCodeAt(0);

/**
 * @param {number} x
 * @param {number} y
 */
const square = (x, y) => `${String.fromCharCode(FIRST_FILE + x - 1)}${y}`;

/** @param {string} action */
function partText(action) {
  const [name, ...numbers] = action.split(" ");
  const [x1, y1, x2, y2, x3, y3] = numbers.map(Number);
  if (name === "fire") return `/${square(x1, y1)}`;
  const way = `${square(x1, y1)}-${square(x2, y2)}`;
  const isShot = name === "play" && (x3 !== x1 || y3 !== y1); // at its origin: no arrow
  return isShot ? `${way}/${square(x3, y3)}` : way;
}

/**
 * A turn's notation, as the server writes it.
 *
 * @param {readonly string[]} actions of Amazons or Pincer
 */
export function actionsText(actions) {
  const joint = actions.some((action) => action.startsWith("fire")) ? "" : " ";
  return actions.map(partText).join(joint);
}

/**
 * A turn in parts, its move and its arrow apart; the arrow is empty where there is none.
 *
 * @param {readonly string[]} actions
 */
export function moveAndArrow(actions) {
  const [move, arrow = ""] = actionsText(actions).split("/");
  return { move, arrow };
}

/**
 * The lines that a turn draws on the board, in its order; an arrow flies from where its move ended.
 *
 * @param {readonly string[]} actions
 * @returns {TurnLine[]}
 */
export function linesOf(actions) {
  /** @type {TurnLine[]} */
  const lines = [];
  for (const action of actions) {
    const [name, ...numbers] = action.split(" ");
    const [x1, y1, x2, y2, x3, y3] = numbers.map(Number);
    const shot = name === "fire" ? [x1, y1] : [x3, y3];
    if (name !== "fire") lines.push({ start: square(x1, y1), end: square(x2, y2), isShot: false });
    const start = lines.at(-1)?.end;
    const isKept = name === "play" && x3 === x1 && y3 === y1;
    if (start && name !== "move" && !isKept)
      lines.push({ start, end: square(shot[0], shot[1]), isShot: true });
  }
  return lines;
}
