/**
 * Below the track: the fingerprints of what is sealed now, and the past rounds, each with what can be
 * computed of it. A button opens what it names; the list is built again only when it has changed.
 */

import { bolded } from "../board/speech.js";
import { short } from "../ledger/mark.js";
import { OTHER } from "../panel/words.js";
import { t } from "../text.js";
import { make } from "./make.js";

const HINT = t("Computed from the orders and published when they were sealed: it fits no others, and tells nothing of them.");

export class Past {
  /** `proofs`: {may(round): whether it can be verified, verify(round, tell): tells sentences}; null: no proofs. */
  constructor(proofs) {
    this.proofs = proofs;
    this.element = make("ul", "past");
    this.open = new Set(); // the names of what is open
    this.key = "";
    this.element.addEventListener("click", ({ target }) => {
      const name = target.closest("[data-opens]")?.dataset.opens;
      if (name) this.toggle(name);
    });
  }

  toggle(name) {
    if (!this.open.delete(name)) this.open.add(name);
    this.build();
    const button = this.element.querySelector(`[data-opens="${name}"]`);
    button.focus();
    button.closest("li").scrollIntoView({ block: "nearest" });
  }

  /** `snapshot` as it is looked at; `near` is the role whose orders stand first. */
  show({ view, seats, commitments }, near) {
    const mayBe = view.splits.map((_, round) => Boolean(this.proofs?.may(round)));
    const names = [near, OTHER[near]].map((role) => [role, seats[role].name]);
    const key = JSON.stringify([view.splits, names, commitments, mayBe]);
    if (key === this.key) return;
    Object.assign(this, { key, view, near, names, mayBe, commitments: commitments ?? {} });
    this.build();
  }

  build() {
    const sealed = this.names.filter(([role]) => this.commitments[role]);
    const rounds = this.view.splits.map((split, round) => this.round(split, round));
    this.element.replaceChildren(...sealed.map(([role, name]) => this.sealed(role, name)), ...rounds);
  }

  sealed(role, name) {
    const mark = this.commitments[role];
    const said = t("Round {round}: {name} has sealed, **{mark}**", {
      round: this.view.splits.length + 1,
      name,
      mark: short(mark),
    });
    const [item, body] = this.item(said, `seal-${role}`, t("Whole fingerprint"));
    if (body) body.append(make("code", "digits", {}, mark), make("p", "", {}, HINT));
    return item;
  }

  round(split, round) {
    const [ours, theirs] = [split[this.near].join(" "), split[OTHER[this.near]].join(" ")];
    const said = t("Round {round}: **{ours}** against {theirs}", { round: round + 1, ours, theirs });
    const [item, body] = this.item(said, this.mayBe[round] ? `round-${round}` : null, t("Verify"));
    const tell = (words) => body.append(...words.map((text) => make("p", "", {}, text)));
    if (body) this.proofs.verify(round, tell);
    return item;
  }

  /** A line with a button that opens `name` (null: without one): [item, its open body or null]. */
  item(said, name, word) {
    const item = make("li", "");
    item.append(...bolded(said).map(([text, bold]) => (bold ? make("b", "", {}, text) : text)));
    if (name === null) return [item, null];
    const isOpen = this.open.has(name);
    const attributes = { type: "button", "data-opens": name, "aria-expanded": String(isOpen) };
    const label = `${word}: ${said.replaceAll("**", "")}`;
    item.append(" ", make("button", "text-button", { ...attributes, "aria-label": label }, word));
    if (!isOpen) return [item, null];
    const body = make("div", "proof", { role: "status" });
    item.append(body);
    return [item, body];
  }
}
