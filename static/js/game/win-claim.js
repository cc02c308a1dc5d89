/** The claim that the game is decided, in the settings sheet: explained, then confirmed. */

import { makeElement } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";

/** Claims of a player in a game that may be refused. */
const MAX_CLAIMS = 3;

/**
 * The number of claims of a player that may still be refused. Pure.
 *
 * @param {Wire.Snapshot} snapshot
 */
export function claimsLeft({ claims, you }) {
  return claims && you ? MAX_CLAIMS - (claims[you] ?? 0) : 0;
}

/**
 * The text of the sheet before and after the button is pressed. Pure.
 *
 * @param {Wire.Snapshot} snapshot
 * @param {boolean} asks the player has pressed it
 */
export function claimText(snapshot, asks) {
  const left = claimsLeft(snapshot);
  if (left <= 0) return t("You’ve used your three claims in this game.");
  if (!snapshot.may.includes("claim_decided"))
    return asks
      ? t("You can claim at the start of your turn.")
      : t("If nothing can change who wins, claim the win at the start of your turn.");
  if (!asks) return t("If nothing can change who wins, end the game now.");
  return tn(
    "Claim the win? If it can’t be proved, you’ve used your last claim.",
    "Claim the win? If it can’t be proved, you’ve used one of your {count} claims.",
    left,
  );
}

export class WinClaim {
  /**
   * @param {import("./game-page.js").Game} game
   * @param {HTMLDialogElement} sheet
   */
  constructor(game, sheet) {
    this.game = game;
    this.sheet = sheet;
    this.asks = false;
    this.root = makeElement("fieldset", "setup-line", { id: "win-claim" });
    this.words = makeElement("p", "small", { role: "status" });
    this.claim = this.makeButton(t("Claim the win"), "claim-win", () => this.press());
    this.no = this.makeButton(t("Keep playing"), "keep-claim", () => this.ask(false));
    const row = makeElement("p", "");
    row.append(this.claim, " ", this.no);
    this.root.append(makeElement("legend", "", {}, t("A decided game")), this.words, row);
    sheet.firstElementChild?.after(this.root);
    sheet.addEventListener("close", () => this.ask(false));
    this.show();
  }

  /**
   * @param {string} word
   * @param {string} id
   * @param {() => void} press
   */
  makeButton(word, id, press) {
    const button = makeElement("button", "button plain", { type: "button", id }, word);
    button.addEventListener("click", press);
    return button;
  }

  get may() {
    return this.game.snapshot.may.includes("claim_decided");
  }

  press() {
    if (!this.asks || !this.may) {
      this.ask(true);
      return;
    }
    this.game.ask({ t: "claim_decided", step: this.game.snapshot.step });
    this.sheet.close();
  }

  /** @param {boolean} asks */
  ask(asks) {
    this.asks = asks;
    this.show();
    if (this.sheet.open) this.claim.focus();
  }

  /** Shows what can be claimed now; nothing where games have no claims, and after the end. */
  show() {
    const { snapshot } = this.game;
    const { you, status, claims } = snapshot;
    this.root.hidden = status !== "live" || you === null || !claims;
    const isMeant = this.asks && this.may;
    this.words.textContent = claimText(snapshot, this.asks);
    this.claim.textContent = isMeant ? t("Yes, claim the win") : t("Claim the win");
    this.claim.hidden = claimsLeft(snapshot) <= 0;
    this.no.hidden = !isMeant;
  }
}
