/** Fingers and mice on the board, turned into: hover, press, drag and release at a point. */

/** A press that moves farther than this many CSS pixels is a drag. */
const SLOP = 6;

/**
 * Listens on `element`. `hand` answers: `hover(point | null, kind)`, `press(point)` → whether a piece
 * was grasped, `drag(point)`, `release(point, dragged)`, `cancel()`. Points are relative to the
 * element's corner. While a pointer is down on the board the page doesn't scroll (touch-action: none
 * in game.css). Gives the function that stops listening.
 */
export function listen(element, hand) {
  let down = null;
  const stop = new AbortController();
  const on = (kind, listener) =>
    element.addEventListener(kind, listener, { signal: stop.signal, passive: false });

  const pointOf = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  on("pointerdown", (event) => {
    if (down !== null || (event.pointerType === "mouse" && event.button !== 0)) return;
    const point = pointOf(event);
    down = { id: event.pointerId, point, dragged: false, grasped: hand.press(point) };
    element.setPointerCapture(event.pointerId);
    if (event.pointerType !== "mouse") hand.hover(point);
    event.preventDefault();
  });

  on("pointermove", (event) => {
    const point = pointOf(event);
    if (down === null) {
      if (event.pointerType === "mouse") hand.hover(point);
      return;
    }
    if (event.pointerId !== down.id) return;
    const far = Math.hypot(point.x - down.point.x, point.y - down.point.y);
    down.dragged ||= far > SLOP;
    if (down.dragged && down.grasped) hand.drag(point);
    hand.hover(point);
  });

  on("pointerup", (event) => {
    if (event.pointerId !== down?.id) return;
    const { dragged, grasped } = down;
    down = null;
    hand.release(pointOf(event), dragged && grasped);
    if (event.pointerType !== "mouse") hand.hover(null);
  });

  on("pointercancel", (event) => {
    if (event.pointerId !== down?.id) return;
    down = null;
    hand.cancel();
  });

  on("pointerleave", () => {
    if (down === null) hand.hover(null);
  });
  on("mousedown", (event) => event.preventDefault()); // the keyboard's focus stays where it is
  on("contextmenu", (event) => {
    if (down !== null) event.preventDefault();
  });
  return () => stop.abort();
}
