/**
 * The tree of an analysis in the address: "#12;11:move.4.1.4.7,fire.7.7:2:Better;n5:6:". Pure.
 *
 * First the turn that is shown; then the turns beside the game with the turn that each follows; "n5" are
 * notes on a turn of the game. Notes are the number of a mark and a comment, and may be left out.
 */

import { cleanComment, NODE_MARKS } from "./notes.js";

/** Limits of the address. */
export const MAX_CHARS = 2048;

const ACTION = /^(move|fire|play)( \d{1,2}){2,6}$/;
const VARIATION = /^(-1|\d{1,3}):([a-z0-9.,]+)(?::([0-6]):(.*))?$/;
const GAME_NOTES = /^n(\d{1,3}):([0-6]):(.*)$/;

/** The number of a mark is its place; 0 is none. @type {readonly NodeMark[]} */
const MARKS = ["", ...NODE_MARKS];

/**
 * A comment in characters that no link loses; a blank is "_".
 *
 * @param {string} comment
 */
const packed = (comment) =>
  encodeURIComponent(comment)
    .replace(/[!'()*~_]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "_");

/** @param {TurnNotes} notes */
const notesText = ({ comment, mark }) => `${MARKS.indexOf(mark)}:${packed(comment)}`;

/**
 * The address's hash for a place in a tree; null if the tree is too long for an address.
 *
 * @param {number} at the turn that is shown, -1 the start
 * @param {readonly Variation[]} variations
 * @param {readonly GameNotes[]} [notes]
 */
export function hashOf(at, variations, notes = []) {
  const turns = variations.map(({ parent, actions, comment, mark }) => {
    const turn = `${parent}:${actions.join(",").replaceAll(" ", ".")}`;
    return comment || mark ? `${turn}:${notesText({ comment, mark })}` : turn;
  });
  const noted = notes.map(({ index, ...each }) => `n${index}:${notesText(each)}`);
  const hash = `#${[at, ...turns, ...noted].join(";")}`;
  return hash.length <= MAX_CHARS ? hash : null;
}

/**
 * @param {string} [number]
 * @param {string} [text]
 * @returns {TurnNotes | null}
 */
function notesOf(number = "0", text = "") {
  try {
    const comment = cleanComment(decodeURIComponent(text.replaceAll("_", "%20")));
    return { comment, mark: MARKS[Number(number)] };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null; // a character is cut off
  }
}

/**
 * @param {string} text
 * @returns {Variation | null}
 */
function variationOf(text) {
  const match = VARIATION.exec(text);
  const notes = match && notesOf(match[3], match[4]);
  const actions = match?.[2].replaceAll(".", " ").split(",") ?? [];
  if (!match || !notes || !actions.every((action) => ACTION.test(action))) return null;
  return { parent: Number(match[1]), actions, ...notes };
}

/**
 * @param {string} text
 * @returns {GameNotes | null}
 */
function gameNotesOf(text) {
  const match = GAME_NOTES.exec(text);
  const notes = match && notesOf(match[2], match[3]);
  return match && notes ? { index: Number(match[1]), ...notes } : null;
}

/**
 * The contents of a hash; null if it is cut off, too long or no hash of ours.
 *
 * @param {string} hash
 * @returns {{ at: number, variations: Variation[], notes: GameNotes[] } | null}
 */
export function parseHash(hash) {
  if (hash.length > MAX_CHARS || !/^#(-1|\d{1,4})(;|$)/.test(hash)) return null;
  const [at, ...parts] = hash.slice(1).split(";");
  const variations = parts.filter((part) => !part.startsWith("n")).map(variationOf);
  const notes = parts.filter((part) => part.startsWith("n")).map(gameNotesOf);
  if (variations.includes(null) || notes.includes(null)) return null;
  return {
    at: Number(at),
    variations: /** @type {Variation[]} */ (variations),
    notes: /** @type {GameNotes[]} */ (notes),
  };
}
