/**
 * The rounds of Blotto: their table, the score line, and past orders with their proofs.
 *
 * The list below the table shows the past rounds. One button below it, "Fair-play proof", adds the
 * fingerprints of the sealed orders and a button for each round that can be verified. The list is built
 * again only when it has changed.
 */

import { find, makeElement } from "../lib/dom.js";
import { OTHER, shortHash, splitBold } from "../lib/game-words.js";
import { t } from "../lib/text.js";
import { sideWord } from "./troops-sentences.js";

/**
 * @param {string} tag
 * @param {string} [text]
 * @param {string} [className]
 */
function makeCell(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/**
 * @param {string} name
 * @param {string[]} cells
 * @param {number} sum
 * @param {number | null} current
 */
function rowOf(name, cells, sum, current) {
  const row = document.createElement("tr");
  const head = makeCell("th", name);
  head.setAttribute("scope", "row");
  row.append(head);
  cells.forEach((text, index) =>
    row.append(makeCell("td", text, index === current ? "current" : "")),
  );
  row.append(makeCell("td", String(sum), "sum"));
  return row;
}

/**
 * @param {number} rounds
 * @param {number | null} current
 */
function headOf(rounds, current) {
  const row = document.createElement("tr");
  row.append(makeCell("th", t("Round"), "round"));
  for (let round = 1; round <= rounds; round += 1) {
    const cell = makeCell("th", String(round), round - 1 === current ? "current" : "");
    cell.setAttribute("scope", "col");
    row.append(cell);
  }
  row.append(makeCell("th", t("Sum"), "sum"));
  return row;
}

/**
 * The table, near side first; `current` is the framed round, from 0, or null.
 *
 * @param {Wire.SplitSnapshot} snapshot
 * @param {Role} near
 * @param {number | null} current
 */
export function roundsTable({ view, seats, you }, near, current) {
  const table = makeCell("table", "", "track number");
  const [head, body] = [makeCell("thead"), makeCell("tbody")];
  head.append(headOf(view.rounds, current));
  for (const role of [near, OTHER[near]]) {
    const cells = Array.from({ length: view.rounds }, (_, index) =>
      String(view.scores[role][index] ?? "·"),
    );
    const name = sideWord({ seats, you }, role, { yours: t("You"), theirs: t("Them") });
    body.append(rowOf(name, cells, view.totals[role], current));
  }
  table.append(head, body);
  return table;
}

/**
 * Fills the score line: the near side's points from the left, the far side's from the right.
 *
 * @param {HTMLElement} element
 * @param {Wire.SplitSnapshot} snapshot
 * @param {Role} near
 */
export function showScore(element, { view, seats }, near) {
  const far = OTHER[near];
  const cells = view.rounds * view.fields * 2;
  const line = makeCell("div", "", "score-line");
  for (let index = 0; index < cells; index += 1) {
    const isNear = index < view.totals[near];
    const isFar = index >= cells - view.totals[far];
    line.append(makeCell("i", "", isNear ? near : isFar ? far : ""));
  }
  element.setAttribute(
    "aria-label",
    t("{near} {ours}, {far} {theirs}", {
      near: seats[near].name,
      ours: view.totals[near],
      far: seats[far].name,
      theirs: view.totals[far],
    }),
  );
  element.replaceChildren(
    makeCell("b", String(view.totals[near])),
    line,
    makeCell("b", String(view.totals[far])),
  );
}

const HINT = t(
  "Calculated from the orders and published when they were locked in. It matches no other orders and gives nothing away.",
);

/** The name of the button that shows or hides all proofs. */
const PROOF = "proof";

export class RoundHistory {
  /**
   * `proofs`: {may(round): whether it can be verified, verify(round, tell): tells sentences}; null: no proofs.
   *
   * @param {RoundProofs | null | undefined} proofs
   */
  constructor(proofs) {
    /** The orders of the rounds that are over. @type {Wire.ByRole<number[]>[]} */
    this.splits = [];
    /** @type {Role} */
    this.near = "white";
    /** @type {[Role, string][]} */
    this.names = [];
    /** Whether a round can be verified. @type {boolean[]} */
    this.mayBe = [];
    /** @type {Partial<Wire.ByRole<string>>} */
    this.commitments = {};
    this.proofs = proofs;
    this.list = makeElement("ul", "past-rounds");
    this.proofButton = makeElement(
      "button",
      "text-button",
      { type: "button", "data-opens": PROOF, "aria-expanded": "false", hidden: "" },
      t("Fair-play proof"),
    );
    this.element = makeElement("div", "past");
    this.element.append(this.list, this.proofButton);
    this.open = new Set(); // the names of the open lines
    this.key = "";
    this.element.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const name = target.closest("[data-opens]")?.dataset.opens;
      if (name) this.toggle(name);
    });
  }

  /** @param {string} name */
  toggle(name) {
    if (!this.open.delete(name)) this.open.add(name);
    this.build();
    const button = find(this.element, `[data-opens="${name}"]`);
    button.focus();
    (button.closest("li") ?? button).scrollIntoView({ block: "nearest" });
  }

  /**
   * `snapshot` as it is looked at; `near` is the role whose orders stand first.
   *
   * @param {Wire.SplitSnapshot} snapshot
   * @param {Role} near
   */
  show({ view, seats, commitments }, near) {
    const mayBe = view.splits.map((_, round) => Boolean(this.proofs?.may(round)));
    /** @type {[Role, string][]} */
    const names = [near, OTHER[near]].map((role) => [role, seats[role].name]);
    const key = JSON.stringify([view.splits, names, commitments, mayBe]);
    if (key === this.key) return;
    this.key = key;
    this.splits = view.splits;
    this.near = near;
    this.names = names;
    this.mayBe = mayBe;
    this.commitments = commitments ?? {};
    this.build();
  }

  build() {
    const showsProofs = this.open.has(PROOF);
    const sealed = this.names.flatMap(([role, name]) => {
      const commitment = this.commitments[role];
      return commitment ? [{ role, name, commitment }] : [];
    });
    const fingerprints = showsProofs
      ? sealed.map(({ role, name, commitment }) => this.sealed(role, name, commitment))
      : [];
    const rounds = this.splits.map((split, round) => this.round(split, round, showsProofs));
    this.list.replaceChildren(...fingerprints, ...rounds);
    this.proofButton.hidden = sealed.length === 0 && !this.mayBe.includes(true);
    this.proofButton.setAttribute("aria-expanded", String(showsProofs));
  }

  /**
   * @param {Role} role
   * @param {string} name
   * @param {string} mark
   */
  sealed(role, name, mark) {
    const said = t("Round {round}: {name} locked in, **{mark}**", {
      round: this.splits.length + 1,
      name,
      mark: shortHash(mark),
    });
    const [item, body] = this.item(said, `seal-${role}`, t("Full fingerprint"));
    if (body) body.append(makeElement("code", "digits", {}, mark), makeElement("p", "", {}, HINT));
    return item;
  }

  /**
   * @param {Wire.ByRole<number[]>} split
   * @param {number} round
   * @param {boolean} showsProofs
   */
  round(split, round, showsProofs) {
    const [ours, theirs] = [split[this.near].join(" "), split[OTHER[this.near]].join(" ")];
    const said = t("Round {round}: **{ours}** against {theirs}", {
      round: round + 1,
      ours,
      theirs,
    });
    const name = showsProofs && this.mayBe[round] ? `round-${round}` : null;
    const [item, body] = this.item(said, name, t("Verify"));
    /** @param {string[]} words */
    const tell = (words) => body?.append(...words.map((text) => makeElement("p", "", {}, text)));
    if (body) this.proofs?.verify(round, tell);
    return item;
  }

  /**
   * A line with a button that opens `name` (null: without one): [item, its open body or null].
   *
   * @param {string} said
   * @param {string | null} name
   * @param {string} word
   * @returns {[HTMLElement, HTMLElement | null]}
   */
  item(said, name, word) {
    const item = makeElement("li", "");
    item.append(
      ...splitBold(said).map(([text, bold]) => (bold ? makeElement("b", "", {}, text) : text)),
    );
    if (name === null) return [item, null];
    const isOpen = this.open.has(name);
    const attributes = { type: "button", "data-opens": name, "aria-expanded": String(isOpen) };
    const label = `${word}: ${said.replaceAll("**", "")}`;
    item.append(
      " ",
      makeElement("button", "text-button", { ...attributes, "aria-label": label }, word),
    );
    if (!isOpen) return [item, null];
    const body = makeElement("div", "proof", { role: "status" });
    item.append(body);
    return [item, body];
  }
}
