/** The buttons and the slider of the replay, and the button that goes back to the newest go. */

import { t, tn } from "../text.js";
import { STEPS, isBack, lookAt, newsOf, shownOf } from "./view.js";

const STEP_IDS = ["first", "back", "forward", "last"];

export class Controls {
  /** `root` holds the buttons and the slider, `follow` is apart; `onLook(view)` wants another view. */
  constructor(root, follow, onLook) {
    Object.assign(this, { root, follow, onLook });
    this.slider = root.querySelector("#slider");
    this.place = root.querySelector("#place");
    this.followWord = follow.querySelector("span");
    this.buttons = Object.fromEntries(STEP_IDS.map((id) => [id, root.querySelector(`#look-${id}`)]));
    for (const [id, button] of Object.entries(this.buttons)) {
      button.addEventListener("click", () => this.step(id));
    }
    follow.addEventListener("click", () => this.step("last"));
    this.slider.addEventListener("input", () => {
      this.onLook(lookAt(this.view, Number(this.slider.value)));
    });
  }

  step(id) {
    this.onLook(STEPS[id](this.view));
  }

  /** `spelled(go)`: how a go reads; `live`: the game runs. */
  show(view, { spelled, live }) {
    this.view = view;
    const { count } = view;
    const at = shownOf(view);
    this.slider.max = String(count);
    this.slider.value = String(at);
    this.slider.disabled = count === 0;
    const place = this.placeWords(at, count, spelled);
    this.slider.setAttribute("aria-valuetext", place);
    this.place.textContent = t("{at} of {count}", { at, count });
    this.mark("first", at > 0);
    this.mark("back", at > 0);
    this.mark("forward", isBack(view));
    this.mark("last", isBack(view));
    this.showFollow(view, live);
  }

  placeWords(at, count, spelled) {
    if (count === 0) return t("No move yet.");
    if (at === 0) return t("Start of the game, {count} moves", { count });
    return t("move {at} of {count}: {go}", { at, count, go: spelled(at) });
  }

  mark(id, may) {
    this.buttons[id].setAttribute("aria-disabled", String(!may));
  }

  showFollow(view, live) {
    const news = newsOf(view);
    const on = live && isBack(view);
    if (!on && document.activeElement === this.follow) this.slider.focus();
    this.follow.hidden = !on;
    const words = news === 0 ? t("Follow live") : tn("Follow live ({count} new)", "Follow live ({count} new)", news);
    if (this.followWord.textContent !== words) this.followWord.textContent = words;
  }
}
