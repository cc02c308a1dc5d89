/** A profile: draws the small boards of its games. */

import { drawMini } from "./board/mini.js";

const pictures = JSON.parse(document.getElementById("pictures").textContent);
for (const picture of pictures) {
  drawMini(document.querySelector(`canvas[data-game="${picture.slug}"]`), picture);
}
