/**
 * The canonical spelling of a typed turn. Pure; the server's is `normalise` of games/notation.py.
 *
 * Signs of other keyboards and other notations are read: "c1:c5*e5", "1. c1-c5(e5)!", full-width signs.
 */

/** @type {[RegExp, string][]} */
const SPELLINGS = [
  [/\p{Cf}/gu, ""], // byte order marks, soft hyphens, direction marks
  [/^\s*\d+\s*[.)]+\s*(?=[^\d\s]|\d+\D+\d+\D+\d+\D*$)/, ""], // the number of the turn
  [/[!?.]+(?=\s|$)/g, ""], // its marks
  [/(\d)\s*(?:x|×|to)\s*(?=[a-z]\d)/g, "$1-"],
  [/\s*[\p{Pd}−⁃ー─→>:]+\s*/gu, "-"],
  [/(\d)\s*[([{]\s*/g, "$1/"],
  [/\s*[\x2f⁄∕@*]+\s*/g, "/"], // \x2f is a slash, which xgettext would take for the end
  [/[()[\]{}]/g, ""],
  [/[\s,;+]+/g, " "],
];

/** @param {string} text */
export function normalise(text) {
  // A Turkish keyboard writes İ or ı for the file i.
  const plain = text.normalize("NFKC").replace(/[İı]/g, "i").toLowerCase();
  return SPELLINGS.reduce((read, [sign, spelling]) => read.replace(sign, spelling), plain).trim();
}
