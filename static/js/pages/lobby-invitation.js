/** The invitation that a visitor sees: the board with moving rules, the host's presence, the name. */

import { drawThumbnail } from "../game/thumbnail.js";
import { byId } from "../lib/dom.js";
import { reducedMotion } from "../lib/motion.js";
import { t } from "../lib/text.js";
import { rulesSheetOf } from "../teach/rules-words.js";

const PICTURE_SHOWN_MS = 2600;

/**
 * The pictures in turn, each with the line of the rules that it shows; null: the start of the game.
 *
 * @param {{ key: string, view: Wire.View }} game
 * @returns {{ picture: RulesPicture, line: number | null }[]}
 */
export function picturesOf({ key, view }) {
  const { steps, picture } = rulesSheetOf(key);
  return [
    { picture: { view }, line: null },
    ...steps.map((step) => ({ picture: step.picture, line: 0 })),
    { picture, line: 1 },
  ];
}

/**
 * Draws the board, and without reduced motion the rules after it, again and again.
 *
 * @param {{ key: string, view: Wire.View }} game
 */
export function startPictures(game) {
  /** @type {HTMLCanvasElement} */
  const canvas = byId("invitation-picture");
  const lines = [...byId("short-rules").children];
  const pictures = picturesOf(game);
  let index = 0;
  const show = () => {
    const { picture, line } = pictures[index % pictures.length];
    drawThumbnail(canvas, { key: game.key, ...picture });
    lines.forEach((row, at) => row.classList.toggle("shown", at === line));
  };
  show();
  setInterval(() => {
    if (reducedMotion() || document.hidden || canvas.clientWidth === 0) return;
    index += 1;
    show();
  }, PICTURE_SHOWN_MS);
}

/**
 * Says whether the host has the page open.
 *
 * @param {string} host
 * @param {string[]} here
 */
export function showHost(host, here) {
  byId("host-here").textContent = here.includes(host)
    ? t("{name} is here and waiting for you.", { name: host })
    : t("{name} isn’t here right now.", { name: host });
}

/**
 * Shows at the name field why the name was refused, and another one. Returns whether there is such a field.
 *
 * @param {string} say
 * @param {string} [name]
 */
export function refuseName(say, name) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("name"));
  const help = document.getElementById("name-help");
  if (field === null || help === null) return false;
  if (name !== undefined) field.value = name;
  field.setAttribute("aria-invalid", "true");
  help.classList.add("wrong");
  help.textContent = say;
  field.focus();
  return true;
}

/** A press on the name that was made up marks it, so that typing replaces it. */
export function startNameField() {
  const field = document.getElementById("name");
  field?.addEventListener("focus", () => /** @type {HTMLInputElement} */ (field).select());
}
