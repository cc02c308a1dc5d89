/** The two strips: who sits there, what he is doing, and his clock. */

import { LOW, clockText, leftOf, lowWords } from "../clock.js";
import { drawFigure } from "../board/figure.js";
import { familyOf } from "../board/speech.js";
import { onPaletteChange } from "../board/palette.js";

const SIDES = {
  pincer: { white: ["Player 1", "triangles"], black: ["Player 2", "circles"] },
};

function kindOf(seat) {
  if (seat.bot) return "computer";
  return seat.guest ? "guest" : "";
}

function pieceOf(tag, text, className) {
  const piece = document.createElement(tag);
  piece.textContent = text;
  piece.className = className;
  return piece;
}

export class Strip {
  constructor(element) {
    this.element = element;
    const part = (name) => element.querySelector(`.${name}`);
    this.parts = Object.fromEntries(
      ["figure", "name", "tag", "dot", "fixed", "state", "clock"].map((name) => [name, part(name)]),
    );
    onPaletteChange(() => this.paint());
  }

  paint() {
    if (this.key) drawFigure(this.parts.figure, this.key, this.role);
  }

  /** `doing` is the word for what the role does now ("to move", "placing", "sealed"), or "". */
  show(snapshot, role, { doing, here, acting }) {
    const { parts } = this;
    const seat = snapshot.seats[role];
    const [tag, side] = SIDES[familyOf(snapshot.key)]?.[role] ?? ["", ""];
    if (this.role !== role || this.key !== snapshot.key) {
      Object.assign(this, { role, key: snapshot.key });
      this.paint();
    }
    this.element.dataset.role = role;
    this.element.classList.toggle("acting", acting);
    parts.name.textContent = seat.name;
    parts.tag.textContent = tag;
    parts.dot.classList.toggle("here", here !== false);
    const kind = role === snapshot.you ? "you" : kindOf(seat);
    this.fixed = [side, kind].filter(Boolean);
    this.away = here === false;
    this.doing = doing;
  }

  /** Shows the time at server time `now`; gives what is left if this clock runs, else null. */
  tick(snapshot, now) {
    const left = leftOf(snapshot.clock, this.role, now);
    const live = snapshot.status === "live";
    const running = live && left !== null && snapshot.clock.running.includes(this.role);
    const low = live && left !== null && left < LOW ? lowWords(left) : null;
    const text = left === null ? "" : clockText(left, { live });
    const { clock } = this.parts;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("running", running);
    this.say(low);
    return running ? left : null;
  }

  /** The words under the name. What a role does now is never cut off; the rest may be. */
  say(low) {
    const state = [this.away ? "away" : "", this.doing, low ?? ""].filter(Boolean);
    const fixed = low === null ? this.fixed : this.fixed.slice(-1);
    if (fixed.length + state.length === 0) state.push("here");
    const key = [...fixed, "", ...state].join("|");
    if (key === this.said) return;
    this.said = key;
    this.parts.fixed.textContent = fixed.join(" · ");
    const pieces = state.flatMap((word, index) => {
      const kind = word === low ? "low" : word === "away" ? "away" : "";
      const piece = pieceOf(word === this.doing ? "b" : "span", word, kind);
      return index === 0 && fixed.length === 0 ? [piece] : [pieceOf("span", " · ", "joint"), piece];
    });
    this.parts.state.replaceChildren(...pieces);
  }
}
