/** The pressed key of a shortcut, also on a keyboard without Latin letters. Pure. */

const IS_OTHER_SCRIPT = /^(?![\p{Script=Latin}0-9])[\p{L}\p{M}\p{N}]/u;

/**
 * Returns the letter in lower case, the digit, the sign or the name of the key (`Escape`). On a Cyrillic,
 * Greek or Hebrew layout the Latin key in its place counts; layouts with Latin letters (AZERTY, Dvorak)
 * keep what they type.
 *
 * @param {{ key: string, code: string }} event
 */
export function pressedKey({ key, code }) {
  const latin = IS_OTHER_SCRIPT.test(key) && /^(?:Key|Digit|Numpad)(.)$/.exec(code);
  const pressed = latin ? latin[1] : key;
  return pressed.length === 1 ? pressed.toLowerCase() : pressed;
}
