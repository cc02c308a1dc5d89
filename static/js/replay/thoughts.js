/** What the computer thought, in a part of the panel of its own once the game is over. */

import { t } from "../text.js";
import { drawCurve } from "./curve.js";
import { spellingOf } from "./past.js";
import { chances, curveOf, expectedOf, factsOf, sideOf, signed, thoughtOf } from "./thinking.js";

async function fetched() {
  try {
    const answer = await fetch("thoughts/", { headers: { Accept: "application/json" } });
    return answer.ok ? (await answer.json()).thoughts : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // no network: asked again with the next look
    throw error;
  }
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

export class Thoughts {
  /** `root` is #thoughts; its tab, and the button `opener` that leads there, appear with the end. */
  constructor(root, opener, tabs) {
    Object.assign(this, { root, opener, tabs });
    const part = (name) => root.querySelector(`.thought-${name}`);
    const names = ["say", "number", "gauge", "facts", "curve", "whose"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    this.thoughts = null;
    this.fetching = null;
    this.tab = document.querySelector(".tab[data-tab=thoughts]");
    this.tab.addEventListener("click", () => this.load());
    opener.addEventListener("click", () => this.open());
  }

  open() {
    this.tabs.choose("thoughts");
    this.tab.focus();
    this.load();
  }

  /** `shown`: the number of goes played in what is looked at; `isBack`: it is not the newest. */
  show({ status, seats, key }, goes, { shown, isBack }) {
    const over = status === "over";
    if (this.tab.hidden === over) this.tabs.allow("thoughts", over);
    this.opener.hidden = !over;
    Object.assign(this, { seats, key, goes, shown });
    if (over && isBack) this.load();
    if (over) this.paint();
  }

  /** Thoughts are fetched once: those of a game that is over never change. */
  load() {
    if (this.thoughts || this.fetching) return;
    this.fetching = fetched().then((thoughts) => {
      this.fetching = null;
      this.thoughts = thoughts;
      this.lost = thoughts === null;
      this.paint();
    });
  }

  paint() {
    const thought = this.thoughts && thoughtOf(this.thoughts, this.goes[this.shown - 1]);
    const key = JSON.stringify([this.shown, this.goes.length, this.thoughts?.length, this.lost]);
    if (key === this.painted) return;
    this.painted = key;
    const { say, number, gauge, facts } = this.parts;
    say.textContent = this.sentence(thought);
    number.textContent = thought ? signed(thought.value) : "";
    gauge.hidden = !thought;
    gauge.style.setProperty("--value", String(thought?.value ?? 0));
    const rows = thought ? factsOf(thought) : [];
    facts.replaceChildren(...rows.flatMap(([name, text]) => [element("dt", name), element("dd", text)]));
    this.paintCurve();
  }

  sentence(thought) {
    if (thought) return chances(thought.value, this.seats[thought.role].name);
    if (this.lost) return t("Not connected. The thoughts could not be fetched.");
    if (!this.thoughts) return t("Fetching what it thought.");
    if (this.thoughts.length === 0) return t("Nothing was written down for this game.");
    if (this.shown === 0) return t("Nobody has moved yet. Step forward to see what it thought.");
    return this.surprise();
  }

  /** What is said of a person's go. */
  surprise() {
    const { goes, shown } = this;
    const expected = expectedOf(this.thoughts, goes, shown - 1, this.key);
    if (expected === null) return t("A person made this go. Step on to see what the computer thought.");
    if (expected === spellingOf(goes[shown - 1], this.key)) return t("The computer had expected this go.");
    return t("The computer had expected {go} here.", { go: expected });
  }

  paintCurve() {
    const { curve, whose } = this.parts;
    const points = this.thoughts ? curveOf(this.thoughts, this.goes, sideOf(this.seats)) : [];
    curve.parentElement.hidden = points.length < 2;
    if (points.length < 2) return;
    const { name } = this.seats[sideOf(this.seats)];
    whose.textContent = t("The chances of {name} as the computer saw them", { name });
    drawCurve(curve, points, this.goes.length, this.shown);
  }
}
