/** The two strips of the players: name, presence, activity and clock. */

import { drawFigure } from "../drawing/figure.js";
import { onPaletteChange } from "../drawing/palette.js";
import {
  absenceText,
  clockText,
  firstTurnLeft,
  firstTurnText,
  holidayText,
  holidayUntil,
  timeLeft,
} from "../lib/clock.js";
import { find } from "../lib/dom.js";
import { familyOf } from "../lib/game-words.js";
import { pointsOf } from "../lib/result-words.js";
import { t } from "../lib/text.js";

/** @type {Record<string, string>} */
const POINTS_LABELS = { 1: t("won"), 0: t("lost"), "½": t("draw") };

/** @type {Record<string, Wire.ByRole<[string, string]>>} */
const SIDES = {
  pincer: { white: [t("Triangles"), t("triangles")], black: [t("Circles"), t("circles")] },
};

/** @param {Wire.Seat} seat */
function kindOf(seat) {
  if (seat.bot)
    return seat.level ? t("computer, level {level}", { level: seat.level }) : t("computer");
  return seat.guest ? t("guest") : "";
}

/**
 * @param {string} tag
 * @param {string} text
 * @param {string} className
 */
function pieceOf(tag, text, className) {
  const piece = document.createElement(tag);
  piece.textContent = text;
  piece.className = className;
  return piece;
}

/** A running clock with less than this has an outline that empties. */
const LAST_MS = 10_000;

/**
 * @param {HTMLElement} clock
 * @param {number | null} left
 */
function showLastSeconds(clock, left) {
  clock.classList.toggle("last", left !== null);
  if (left === null) clock.style.removeProperty("--left");
  else clock.style.setProperty("--left", String(Math.max(0, left / LAST_MS)));
}

export class PlayerStrip {
  /**
   * `ratings`: those of the players when the page was made.
   *
   * @param {HTMLElement} element
   * @param {SeatRatings} ratings
   */
  constructor(element, ratings) {
    this.ratings = ratings;
    /** @type {Role} */
    this.role = "white";
    this.key = "";
    /** @type {string | undefined} */
    this.named = undefined;
    /** @type {string | undefined} */
    this.said = undefined;
    /** @type {string[]} */
    this.fixed = [];
    this.doing = "";
    /** @type {{ since: number | null } | null} */
    this.away = null;
    this.element = element;
    /** @param {string} name */
    const part = (name) => find(element, `.${name}`);
    this.parts = Object.fromEntries(
      ["name", "tag", "dot", "fixed", "state", "clock"].map((name) => [name, part(name)]),
    );
    this.rating = pieceOf("span", "", "rating number");
    this.parts.name.after(this.rating);
    this.points = pieceOf("b", "", "points number");
    this.points.hidden = true;
    this.points.setAttribute("role", "img");
    this.parts.clock.before(this.points);
    /** @type {HTMLCanvasElement} */
    this.figure = find(element, ".figure");
    onPaletteChange(() => this.paint());
  }

  paint() {
    if (this.key) drawFigure(this.figure, this.key, this.role);
  }

  /**
   * `doing` is the word for what the role does now ("to move", "placing", "sealed"), or ""; `here`:
   * whether a page of theirs is open, null if nobody knows; `away`: since when not, or null.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {Role} role
   * @param {{ doing: string, here: boolean | null, away: number | null, acting: boolean }} options
   */
  show(snapshot, role, { doing, here, away, acting }) {
    const { parts } = this;
    const seat = snapshot.seats[role];
    const [tag, side] = SIDES[familyOf(snapshot.key)]?.[role] ?? ["", ""];
    if (this.role !== role || this.key !== snapshot.key) {
      this.role = role;
      this.key = snapshot.key;
      this.paint();
    }
    this.element.dataset.role = role;
    this.element.classList.toggle("acting", acting);
    this.showName(seat.url ?? null, seat.name);
    const { short, title } = this.ratings[role] ?? { short: "", title: "" };
    this.rating.textContent = short;
    this.rating.title = title;
    parts.tag.textContent = side;
    parts.dot.hidden = Boolean(seat.bot) || snapshot.status === "over";
    parts.dot.classList.toggle("here", here !== false);
    const kind = role === snapshot.you ? t("you") : kindOf(seat);
    const brief = seat.bot ? [kind] : [tag];
    this.fixed = (tag && doing ? brief : [tag, kind]).filter(Boolean);
    const over = snapshot.status === "over";
    this.away = here === false && !over ? { since: away ?? null } : null;
    this.element.classList.toggle("mine", acting && role === snapshot.you);
    const isByDays = snapshot.clock.kind === "days" || snapshot.clock.kind === "bank";
    parts.clock.title = isByDays && !over ? t("Then a holiday begins, if one is left.") : "";
    this.doing = doing;
  }

  /**
   * The whole name is there for those who point at it or hear it; a profile is a link.
   *
   * @param {string | null} url
   * @param {string} name
   */
  showName(url, name) {
    const key = `${url}|${name}`;
    if (key === this.named) return;
    this.named = key;
    const text = /** @type {HTMLAnchorElement} */ (document.createElement(url ? "a" : "span"));
    if (url) text.href = url;
    text.textContent = name;
    text.title = name;
    this.parts.name.replaceChildren(text);
  }

  /**
   * Shows the time at server time `now`; returns how long the role may still take, or null if it does
   * not act. Its clock stands during a first turn, in the pause after a reveal, and on a holiday.
   *
   * `past`: the time that it had left after the move that one looks back at, if that is known. For
   * those who play, a clock that runs stays.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {number} now
   * @param {number | null} [past]
   */
  tick(snapshot, now, past = null) {
    const left = timeLeft(snapshot.clock, this.role, now);
    const live = snapshot.status === "live";
    const first = live ? firstTurnLeft(snapshot.clock, this.role, now) : null;
    const pause = Math.max(0, snapshot.clock.since - now);
    const holiday = live ? holidayUntil(snapshot.clock, this.role, now) : null;
    const acts = live && left !== null && snapshot.clock.running.includes(this.role);
    const running = acts && first === null && pause === 0 && holiday === null;
    const isPast = past !== null && !(running && snapshot.you !== null);
    const shown = isPast ? past : left;
    const text =
      shown === null ? "" : clockText(shown, { live: live && !isPast && holiday === null });
    const { clock } = this.parts;
    if (clock.textContent !== text) {
      clock.textContent = text;
      clock.dataset.text = text;
    }
    clock.classList.toggle("running", running && !isPast);
    clock.classList.toggle("past", isPast);
    showLastSeconds(clock, running && !isPast && left < LAST_MS ? left : null);
    this.say(now, first, holiday);
    const stands = pause + (holiday === null ? 0 : holiday - now);
    return acts ? (first ?? left) + stands : null;
  }

  /**
   * Shows "1", "0" or "½" where the clock ended; the winner's is reversed.
   *
   * @param {Wire.Snapshot["outcome"]} outcome
   */
  showPoints(outcome) {
    const points = pointsOf(outcome, this.role);
    this.element.classList.toggle("won", points === "1");
    this.points.hidden = points === null;
    this.points.textContent = points ?? "";
    this.points.setAttribute("aria-label", POINTS_LABELS[points ?? ""] ?? "");
  }

  /**
   * The words under the name. The activity of a role is never cut off; the rest may be.
   *
   * @param {number} now
   * @param {number | null} first what is left of the first turn's limit
   * @param {number | null} holiday until when they are on holiday, if they are
   */
  say(now, first, holiday) {
    const fixed = first === null && holiday === null ? this.fixed : [];
    const resting = holiday === null ? this.doing : holidayText(holiday);
    const doing = first === null ? resting : firstTurnText(first);
    const away = this.away && holiday === null ? absenceText(this.away.since, now) : "";
    const state = [away, doing].filter(Boolean);
    if (fixed.length + state.length === 0) state.push(t("here"));
    const key = [...fixed, "", ...state].join("|");
    if (key === this.said) return;
    this.said = key;
    this.parts.fixed.textContent = fixed.join(" · ");
    const isLong = first !== null || holiday !== null;
    const pieces = state.flatMap((word, index) => {
      const kind = word === away ? "away" : isLong ? "long" : "";
      const piece = pieceOf(word === doing ? "b" : "span", word, kind);
      return index === 0 && fixed.length === 0 ? [piece] : [pieceOf("span", " · ", "joint"), piece];
    });
    this.parts.state.replaceChildren(...pieces);
  }
}
