/** The two strips: who sits there, what they are doing, and their clock. */

import { LOW, clockText, leftOf, lowWords } from "../clock.js";
import { drawFigure } from "../board/figure.js";
import { familyOf } from "../board/speech.js";
import { onPaletteChange } from "../board/palette.js";
import { t } from "../text.js";
import { awayWords } from "./words.js";

const SIDES = {
  pincer: { white: [t("Player 1"), t("triangles")], black: [t("Player 2"), t("circles")] },
};

function kindOf(seat) {
  if (seat.bot) return seat.level ? t("computer, level {level}", { level: seat.level }) : t("computer");
  return seat.guest ? t("guest") : "";
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

  /**
   * `doing` is the word for what the role does now ("to move", "placing", "sealed"), or ""; `here`:
   * whether a page of theirs is open, null if nobody knows; `away`: since when not, or null.
   */
  show(snapshot, role, { doing, here, away, acting }) {
    const { parts } = this;
    const seat = snapshot.seats[role];
    const [tag, side] = SIDES[familyOf(snapshot.key)]?.[role] ?? ["", ""];
    if (this.role !== role || this.key !== snapshot.key) {
      Object.assign(this, { role, key: snapshot.key });
      this.paint();
    }
    this.element.dataset.role = role;
    this.element.classList.toggle("acting", acting);
    this.showName(snapshot.people?.[role]?.url ?? seat.url ?? null, seat.name);
    parts.tag.textContent = side;
    parts.dot.hidden = seat.bot;
    parts.dot.classList.toggle("here", here !== false);
    const kind = role === snapshot.you ? t("you") : kindOf(seat);
    const brief = seat.bot ? [kind] : [tag];
    const isMarked = role !== snapshot.you && snapshot.commitments?.[role]; // that takes the line
    this.fixed = (isMarked ? [] : tag && doing ? brief : [tag, kind]).filter(Boolean);
    this.away = here === false ? { since: away ?? null } : null;
    this.doing = doing;
  }

  /** The whole name is there for those who point at it or hear it; a profile is a link. */
  showName(url, name) {
    const key = `${url}|${name}`;
    if (key === this.named) return;
    this.named = key;
    const text = document.createElement(url ? "a" : "span");
    if (url) text.href = url;
    text.textContent = name;
    text.title = name;
    this.parts.name.replaceChildren(text);
  }

  /** Shows the time at server time `now`; gives what is left if this clock runs, else null. */
  tick(snapshot, now) {
    const left = leftOf(snapshot.clock, this.role, now);
    const live = snapshot.status === "live";
    const running = live && left !== null && snapshot.clock.running.includes(this.role);
    const low = live && left !== null && left < LOW ? lowWords(left) : null;
    const text = left === null ? "" : clockText(left, { live });
    const { clock } = this.parts;
    if (clock.textContent !== text) {
      clock.textContent = text;
      clock.dataset.text = text;
    }
    clock.classList.toggle("running", running);
    this.say(low, now);
    return running ? left : null;
  }

  /** The words under the name. What a role does now is never cut off; the rest may be. */
  say(low, now) {
    const away = this.away ? awayWords(this.away.since, now) : "";
    const state = [away, this.doing, low ?? ""].filter(Boolean);
    const fixed = low === null ? this.fixed : this.fixed.slice(-1);
    if (fixed.length + state.length === 0) state.push(t("here"));
    const key = [...fixed, "", ...state].join("|");
    if (key === this.said) return;
    this.said = key;
    this.parts.fixed.textContent = fixed.join(" · ");
    const pieces = state.flatMap((word, index) => {
      const kind = word === low ? "low" : word === away ? "away" : "";
      const piece = pieceOf(word === this.doing ? "b" : "span", word, kind);
      return index === 0 && fixed.length === 0 ? [piece] : [pieceOf("span", " · ", "joint"), piece];
    });
    this.parts.state.replaceChildren(...pieces);
  }
}
