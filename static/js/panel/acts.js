/** The row of side actions: resign, draw, and what belongs to the board. Each keeps its slot. */

const IDS = [
  "resign", "resign-ask", "resign-yes", "resign-no", "draw", "claim", "withdraw", "draw-ask",
  "draw-yes", "draw-no", "flip", "undo", "undo-word", "to-lobby",
];

/** Buttons that stay what they are when pressed; under the others the second press would be another's. */
const STEADY = new Set(["flip", "undo"]);

/** What each button asks the game for; "ask" and "keep" only turn the resign slot over and back. */
const CLICKS = {
  resign: "ask",
  "resign-yes": "resign",
  "resign-no": "keep",
  draw: "offer",
  claim: "claim",
  withdraw: "withdraw",
  "draw-yes": "accept",
  "draw-no": "decline",
  flip: "flip",
  undo: "undo",
};

export class Acts {
  /** `deeds` has a function for each of: resign, offer, claim, withdraw, accept, decline, flip, undo. */
  constructor(root, deeds) {
    this.root = root;
    this.parts = Object.fromEntries(IDS.map((id) => [id, root.querySelector(`#${id}`)]));
    this.asking = false;
    this.seen = null;
    const own = { ask: () => this.ask(true), keep: () => this.ask(false) };
    for (const [id, deed] of Object.entries(CLICKS)) {
      this.parts[id].addEventListener("click", ({ detail }) => {
        if (detail > 1 && !STEADY.has(id)) return;
        if (deed in own) own[deed]();
        else deeds[deed]();
      });
    }
  }

  ask(asking) {
    this.asking = asking;
    this.show(...this.seen);
    this.parts[asking ? "resign-no" : "resign"].focus();
  }

  /** `back` is the label for taking back what is in the hand, or null; `flips`: there is a board. */
  show(snapshot, { back, flips }) {
    this.seen = [snapshot, { back, flips }];
    const { may, offers, you, status, lobby } = snapshot;
    const offer = offers?.draw ?? null;
    const live = status === "live" && you !== null;
    this.asking &&= live;
    const theirs = live && offer !== null && offer.by !== you;
    const mine = live && offer !== null && offer.by === you;
    const claims = live && may.includes("claim") && !theirs;
    const shown = {
      resign: live && may.includes("resign") && !this.asking,
      "resign-ask": this.asking,
      claim: claims,
      withdraw: mine && !claims,
      "draw-ask": theirs,
      draw: live && offer === null && may.includes("draw") && !claims,
      undo: back !== null,
      flip: back === null && flips,
      "to-lobby": status === "over" && Boolean(lobby),
    };
    for (const [id, on] of Object.entries(shown)) this.parts[id].hidden = !on;
    if (back !== null) this.parts["undo-word"].textContent = back;
    if (lobby) this.parts["to-lobby"].href = `/l/${lobby}/`;
    for (const slot of this.root.querySelectorAll(".slot")) {
      slot.hidden = ![...slot.children].some((child) => !child.hidden);
    }
  }
}
