/**
 * Buttons that cannot be pressed by mistake: one that has just appeared, or has just got another
 * meaning, does nothing for half a second and shows it; a double click counts once; one that goes
 * while it has the focus stays until the focus has left.
 */

export const INERT = 500;

/** Makes the button do nothing for a moment. */
export function freeze(button, wait = INERT) {
  clearTimeout(Number(button.dataset.thaw));
  button.dataset.inert = "";
  button.setAttribute("aria-disabled", "true");
  button.dataset.thaw = String(setTimeout(() => thaw(button), wait));
}

function thaw(button) {
  delete button.dataset.inert;
  button.setAttribute("aria-disabled", String("blocked" in button.dataset));
}

export const isInert = (button) => button.getAttribute("aria-disabled") === "true";

/** Calls `press(event)` for every press that counts. */
export function onPress(button, press) {
  button.addEventListener("click", (event) => {
    if (isInert(button) || event.detail > 1) event.preventDefault();
    else press(event);
  });
}

/** What stays possible: pressed again and again without harm (steps back, turning the board). */
export function onEachPress(button, press) {
  button.addEventListener("click", (event) => {
    if (!isInert(button)) press(event);
  });
}

/** Marks the button as one that can or cannot be pressed now; it keeps its place. */
export function allow(button, may) {
  if (may) delete button.dataset.blocked;
  else button.dataset.blocked = "";
  const disabled = String(!may || "inert" in button.dataset);
  if (button.getAttribute("aria-disabled") !== disabled) button.setAttribute("aria-disabled", disabled);
}

/** Shows the button or leaves its place empty. */
export function offer(button, on) {
  const stays = !on && document.activeElement === button;
  allow(button, on);
  button.classList.toggle("empty", !on && !stays);
  if (!stays) return;
  button.addEventListener("blur", () => button.classList.toggle("empty", isInert(button)), { once: true });
}

/** Sets what a button means, which the style sheet shows. Another meaning makes it rest a moment. */
export function mean(button, meaning, { first = false } = {}) {
  if (button.dataset.means === meaning) return;
  button.dataset.means = meaning;
  if (!first) freeze(button);
}
