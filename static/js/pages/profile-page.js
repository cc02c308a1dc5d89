/** Entry of a profile: draws the small boards of its games. */

import "./base.js";
import { drawThumbnail } from "../game/thumbnail.js";
import { find, readJson } from "../lib/dom.js";

const pictures = readJson("pictures");

for (const picture of pictures) {
  drawThumbnail(find(document, `canvas[data-game="${picture.slug}"]`), picture);
}
