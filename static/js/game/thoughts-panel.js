/** The panel of a computer player's thoughts, shown once the game is over, with the curve of its chances. */

import { find } from "../lib/dom.js";
import { onReconnect } from "../lib/reconnect.js";
import { required } from "../lib/required.js";
import { t } from "../lib/text.js";
import { turnText } from "../replay/record.js";
import {
  chancesSentence,
  curveOf,
  expectedOf,
  factsOf,
  sideOf,
  signedText,
  thoughtOf,
} from "./thoughts.js";

async function fetchThoughts() {
  try {
    const answer = await fetch("thoughts/", { headers: { Accept: "application/json" } });
    return answer.ok ? (await answer.json()).thoughts : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // no network: asked again with the next look
    throw error;
  }
}

/**
 * @param {string} tag
 * @param {string} text
 */
function textElement(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

export class ThoughtsPanel {
  /**
   * `root` is #thoughts; its tab, and the button `opener` that leads there, appear with the end.
   *
   * @param {HTMLElement} root
   * @param {HTMLElement} opener
   * @param {import("./tabs.js").Tabs} tabs
   */
  constructor(root, opener, tabs) {
    /** @type {Wire.ByRole<Wire.Seat>} */
    this.seats = { white: { name: "" }, black: { name: "" } };
    this.key = "";
    /** @type {Turn[]} */
    this.turns = [];
    this.shown = 0;
    this.lost = false;
    /** @type {string | undefined} */
    this.painted = undefined;
    this.root = root;
    this.opener = opener;
    this.tabs = tabs;
    /** @param {string} name */
    const part = (name) => find(root, `.thought-${name}`);
    const names = ["say", "number", "gauge", "facts", "curve", "whose"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    /** @type {Wire.Thought[] | null} */
    this.thoughts = null;
    /** @type {Promise<void> | null} */
    this.fetching = null;
    this.tab = find(document, ".tab[data-tab=thoughts]");
    this.tab.addEventListener("click", () => this.load());
    onReconnect(() => {
      if (this.lost) this.load();
    });
    opener.addEventListener("click", () => this.open());
  }

  open() {
    this.tabs.choose("thoughts");
    this.tab.focus();
    this.load();
  }

  /**
   * `shown`: the number of turns played in what is looked at; `isBack`: it is not the newest.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {Turn[]} turns
   * @param {{ shown: number, isBack: boolean }} replay
   */
  show({ status, seats, key }, turns, { shown, isBack }) {
    const over = status === "over";
    if (this.tab.hidden === over) this.tabs.allow("thoughts", over);
    this.opener.hidden = !over;
    this.seats = seats;
    this.key = key;
    this.turns = turns;
    this.shown = shown;
    if (over && isBack) this.load();
    if (over) this.paint();
  }

  /** Thoughts are fetched once: those of a game that is over never change. */
  load() {
    if (this.thoughts || this.fetching) return;
    this.fetching = fetchThoughts().then((thoughts) => {
      this.fetching = null;
      this.thoughts = thoughts;
      this.lost = thoughts === null;
      this.paint();
    });
  }

  paint() {
    const thought = this.thoughts && thoughtOf(this.thoughts, this.turns[this.shown - 1]);
    const key = JSON.stringify([this.shown, this.turns.length, this.thoughts?.length, this.lost]);
    if (key === this.painted) return;
    this.painted = key;
    const { say, number, gauge, facts } = this.parts;
    say.textContent = this.sentence(thought);
    number.textContent = thought ? signedText(thought.value) : "";
    gauge.hidden = !thought;
    gauge.style.setProperty("--value", String(thought?.value ?? 0));
    const rows = thought ? factsOf(thought, this.key) : [];
    facts.replaceChildren(
      ...rows.flatMap(([name, text]) => [textElement("dt", name), textElement("dd", text)]),
    );
    this.paintCurve();
  }

  /** @param {GoThought | null} thought */
  sentence(thought) {
    if (thought) return chancesSentence(thought.value, this.seats[thought.role].name);
    if (this.lost) return t("Not connected. The computer’s thoughts couldn’t be loaded.");
    if (!this.thoughts) return t("Loading the computer’s thoughts.");
    if (this.thoughts.length === 0) return t("No thoughts were saved for this game.");
    if (this.shown === 0) return t("No move yet. Step forward to see the computer’s thoughts.");
    return this.surprise();
  }

  /** Returns the sentence about a person's turn. */
  surprise() {
    const { turns, shown } = this;
    const expected = expectedOf(this.thoughts ?? [], turns, shown - 1, this.key);
    if (expected === null)
      return t("A person made this move. Step forward for the computer’s reply.");
    if (expected === turnText(turns[shown - 1], this.key))
      return t("The computer expected this move.");
    return t("The computer expected {turn} here.", { turn: expected });
  }

  paintCurve() {
    const { curve, whose } = this.parts;
    const points = this.thoughts ? curveOf(this.thoughts, this.turns, sideOf(this.seats)) : [];
    required(curve.parentElement, "the frame of the curve").hidden = points.length < 2;
    if (points.length < 2) return;
    const { name } = this.seats[sideOf(this.seats)];
    whose.textContent = t("{name}’s chances, as the computer saw them", { name });
    drawCurve(curve, points, this.turns.length, this.shown);
  }
}

const SVG = "http://www.w3.org/2000/svg";

const [WIDTH, HEIGHT, EDGE] = [100, 40, 2];

/**
 * Returns the place of a point in the picture. Pure.
 *
 * @param {[number, number]} point
 * @param {number} count
 */
export function curvePoint([turn, value], count) {
  const x = count > 1 ? ((turn - 1) / (count - 1)) * WIDTH : WIDTH / 2;
  const y = HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {Record<string, string | number>} attributes
 */
function makeSvg(tag, className, attributes) {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * Draws points [turn, value] of a game of `count` turns; a stroke stands at the turn `at`, 0 for none.
 *
 * @param {Element} svg
 * @param {[number, number][]} points
 * @param {number} count
 * @param {number} at
 */
export function drawCurve(svg, points, count, at) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  const middle = { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 };
  const parts = [makeSvg("line", "curve-level", middle)];
  if (at > 0) {
    const [x] = curvePoint([at, 0], count);
    parts.push(makeSvg("line", "curve-now", { x1: x, x2: x, y1: 0, y2: HEIGHT }));
  }
  const line = points.map((point) => curvePoint(point, count).join(",")).join(" ");
  parts.push(makeSvg("polyline", "curve-line", { points: line }));
  svg.replaceChildren(...parts);
}
