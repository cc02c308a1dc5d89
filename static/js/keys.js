/** The keys of the game page that are not the board's own. */

const FIELDS = "input, textarea, select, [contenteditable]";
const LOOKS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * `deeds`: {look(step), types() whether goes can be typed, type(), escape(), send()}. Arrows look back and forward where they have no
 * other meaning; a slash goes to the field; Enter sends what waits where it presses nothing.
 */
export function listenKeys(deeds) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (document.querySelector("dialog:modal")) return;
    if (key === "Escape") deeds.escape();
    if (target.closest(FIELDS)) return;
    if (key === "/" && deeds.types()) {
      event.preventDefault();
      deeds.type();
    } else if (key in LOOKS && !target.closest(".grid, .troops, .talk")) {
      event.preventDefault();
      deeds.look(LOOKS[key]);
    } else if (key === "Enter" && target === document.body) deeds.send();
  });
}
