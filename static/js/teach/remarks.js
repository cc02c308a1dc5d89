/**
 * Remarks about the newest turn, from its effects and the position after it. Pure.
 *
 * They use public information only: of Blotto the rounds that have been revealed. Rooms and threats are
 * read from the board as it stands; they are no advice, and players of a game get neither.
 */

import { MARKS, occupancyAt, sizeOf } from "../board/occupancy.js";
import { ownSquares, roomAround } from "../board/rooms.js";
import { mostTaken } from "../board/threats.js";
import { FIELDS, familyOf, joinWords, OTHER } from "../lib/game-words.js";
import { t, tn } from "../lib/text.js";

/** Rooms of more squares are no news; smaller gains neither. */
const SMALL_ROOM = 4;
const GAIN = 3;

const WALL = "wall";

/** @type {Wire.ByRole<(squares: string, where: string, count: number) => string>} */
const CAUGHT = {
  white: (squares, where, count) =>
    tn(
      "The triangle on {squares} was caught {where}.",
      "The triangles on {squares} were caught {where}.",
      count,
      { squares, where },
    ),
  black: (squares, where, count) =>
    tn(
      "The circle on {squares} was caught {where}.",
      "The circles on {squares} were caught {where}.",
      count,
      { squares, where },
    ),
};

/** @param {[string, string]} jaws */
function between([low, high]) {
  if (low !== WALL && high !== WALL)
    return t("between {first} and {second}", { first: low, second: high });
  return t("between the wall and {square}", { square: low === WALL ? high : low });
}

/**
 * Why each captured line was captured. Pieces that were held in their row and in their column are told
 * of once.
 *
 * @param {Wire.ResolvedStep[]} steps
 */
export function captureReasons(steps) {
  const said = [];
  for (const { effects } of steps) {
    /** @type {Set<Square>} */
    const told = new Set();
    for (const effect of effects) {
      if (effect.kind !== "remove" || effect.squares.every((square) => told.has(square))) continue;
      effect.squares.forEach((square) => told.add(square));
      const jaws = /** @type {[string, string]} */ (effect.jaws);
      const { role, squares } = effect;
      said.push(CAUGHT[role](joinWords(squares), between(jaws), squares.length));
    }
  }
  return said;
}

/** @type {Wire.ByRole<(square: Square, count: number) => string>} */
const LEFT = {
  white: (square, count) =>
    tn(
      "White’s amazon on {square} has {count} square left.",
      "White’s amazon on {square} has {count} squares left.",
      count,
      { square },
    ),
  black: (square, count) =>
    tn(
      "Black’s amazon on {square} has {count} square left.",
      "Black’s amazon on {square} has {count} squares left.",
      count,
      { square },
    ),
};

/** @type {Wire.ByRole<(square: Square) => string>} */
const STUCK = {
  white: (square) => t("White’s amazon on {square} cannot move.", { square }),
  black: (square) => t("Black’s amazon on {square} cannot move.", { square }),
};

/** @type {Wire.ByRole<(count: number) => string>} */
const ALONE = {
  white: (count) => t("Only White’s amazons can reach {count} squares now.", { count }),
  black: (count) => t("Only Black’s amazons can reach {count} squares now.", { count }),
};

/**
 * The board before some steps, which have led to `view`.
 *
 * @param {Wire.BoardView} view
 * @param {Wire.ResolvedStep[]} steps
 */
function marksBefore(view, steps) {
  const moment = steps
    .flatMap(({ effects }) => effects)
    .filter(({ kind }) => kind !== "count")
    .map((effect) => ({ effect, begun: false, ended: false }));
  return occupancyAt(view, null, moment).marks;
}

/**
 * The result of a turn of Amazons: an amazon with little or no room, or squares of one side alone.
 *
 * @param {Wire.BoardView} view
 * @param {Wire.ResolvedStep[]} steps
 */
export function amazonsRemark(view, steps) {
  const size = sizeOf(view);
  const [before, after] = [marksBefore(view, steps), occupancyAt(view, null).marks];
  /** @type {Map<Square, Square>} */
  const cameFrom = new Map();
  for (const { effects } of steps) {
    for (const effect of effects)
      if (effect.kind === "slide") cameFrom.set(effect.end, effect.start);
  }
  const mover = steps[0].role;
  for (const role of [OTHER[mover], mover]) {
    const rooms = [...after]
      .filter(([, mark]) => mark === MARKS[role])
      .map(([square]) => {
        const was = roomAround(cameFrom.get(square) ?? square, before, size).size;
        return { square, left: roomAround(square, after, size).size, was };
      })
      .filter(({ left, was }) => left < was && left <= SMALL_ROOM)
      .sort((a, b) => a.left - b.left);
    const [least] = rooms;
    if (least?.left === 0) return STUCK[role](least.square);
    if (least) return LEFT[role](least.square, least.left);
  }
  for (const role of [mover, OTHER[mover]]) {
    const [was, now] = [before, after].map((marks) => ownSquares(MARKS[role], marks, size).size);
    if (now - was >= GAIN) return ALONE[role](now);
  }
  return "";
}

/** @type {Wire.ByRole<(squares: string) => string>} */
const THREATS = {
  white: (squares) => t("Triangles can take {squares} with one step.", { squares }),
  black: (squares) => t("Circles can take {squares} with one step.", { squares }),
};

/** @param {Wire.BoardView} view */
function threat(view) {
  const taken = mostTaken(view);
  return taken.length > 0 && view.to_move ? THREATS[view.to_move](joinWords(taken)) : "";
}

/**
 * Which fields each player has won in the round that was revealed.
 *
 * @param {Wire.ResolvedStep[]} steps
 * @param {Wire.Snapshot["seats"]} seats
 */
export function roundRemark(steps, seats) {
  const counts = steps.flatMap(({ effects }) => effects.filter(({ kind }) => kind === "count"));
  /** @param {Role} role */
  const won = (role) =>
    counts.flatMap((effect) =>
      effect.kind === "count" && effect.points[role] > effect.points[OTHER[role]]
        ? [FIELDS[effect.field]]
        : [],
    );
  if (counts.length === 0) return "";
  const roles = /** @type {Role[]} */ (["white", "black"]);
  const said = roles
    .filter((role) => won(role).length > 0)
    .map((role) =>
      t("{name} took {fields}.", { name: seats[role].name, fields: joinWords(won(role)) }),
    );
  return said.length > 0 ? said.join(" ") : t("All fields were level.");
}

/**
 * The remark about the newest turn; "" if there is nothing to say. `snapshot`: without hidden results.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function remarkOf({ key, view, last, status, you, seats }) {
  if (status === "over" || last.length === 0) return "";
  if (view.board === undefined) return you === null ? roundRemark(last, seats) : "";
  if (familyOf(key) === "pincer") {
    const reasons = captureReasons(last);
    if (reasons.length > 0 || you !== null) return reasons.join(" ");
    return threat(view);
  }
  return you === null && view.step !== "fire" ? amazonsRemark(view, last) : "";
}
