/**
 * Letter keys on the board: `o` reads the position, `t` the clocks, `l` the last move.
 *
 * They work while the focus is on the board, and can be switched off in the settings of the device.
 */

import { pressedKey } from "../lib/pressed-key.js";
import { onSettings, setting } from "../lib/settings.js";

const LETTERS = ["o", "t", "l"];

/**
 * @param {HTMLElement} board
 * @param {(key: string) => void} read
 */
export function listenLetters(board, read) {
  board.addEventListener("keydown", (event) => {
    const key = pressedKey(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (setting("letters") === "off" || !LETTERS.includes(key)) return;
    event.preventDefault();
    read(key);
  });
  const name = () => {
    if (setting("letters") === "off") board.removeAttribute("aria-keyshortcuts");
    else board.setAttribute("aria-keyshortcuts", LETTERS.join(" "));
  };
  onSettings(name);
  name();
}
