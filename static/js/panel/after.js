/** After the end: the rematch, which is made in the game's lobby, and the way to other games. */

import { Line, addressOf } from "../socket.js";
import { onPress, freeze } from "./guard.js";
import { t } from "../text.js";

/** What the rematch button says and does for a lobby's `again`: {word, may, say, go}. Pure. */
export function rematchOf(again) {
  if (!again) return { word: null, may: false, say: "", next: null };
  if (!again.may) {
    const say = again.changed ? t("The lobby offers another game by now.") : "";
    return { word: null, may: false, say, next: again.changed ? null : again.next };
  }
  const { mine, theirs, next, other, other_here: here } = again;
  if (next) return { word: null, may: false, say: t("The rematch has begun."), next };
  if (mine) {
    const say = here
      ? t("You have asked {name}. Sides are swapped.", { name: other })
      : t("You have asked {name}, who is not here just now.", { name: other });
    return { word: t("Rematch asked"), may: false, say, next: null };
  }
  if (theirs) {
    const say = t("{name} wants a rematch, sides swapped.", { name: other });
    return { word: t("Rematch"), may: true, say, next: null };
  }
  return { word: t("Rematch"), may: true, say: "", next: null };
}

export class After {
  /** `root` is #after; `leave(url)` goes to another page; `tell(sentence)` speaks. */
  constructor(root, { leave, tell }) {
    Object.assign(this, { root, leave, tell });
    const part = (id) => root.querySelector(`#${id}`);
    this.form = part("rematch-form");
    this.button = part("rematch");
    this.say = part("again-say");
    this.next = part("next-game");
    this.lobby = part("to-lobby");
    this.again = null;
    this.line = null;
    if (this.button) {
      onPress(this.button, () => {});
      this.form.addEventListener("submit", (event) => this.ask(event));
    }
  }

  /** Shows the block once the game is over, and follows the lobby of those who sat. */
  show({ status, lobby, you }) {
    const over = status === "over";
    if (over && this.root.hidden) this.root.querySelectorAll(".button").forEach((each) => freeze(each));
    this.root.hidden = !over;
    this.lobby.hidden = !lobby;
    if (lobby) this.lobby.href = `/l/${lobby}/`;
    if (over && lobby && you !== null && this.line === null) this.follow(lobby);
  }

  follow(lobby) {
    this.rev = -1;
    this.line = new Line(addressOf(`/ws/lobby/${lobby}/`), {
      revOf: () => this.rev,
      onMessage: (message) => this.hear(message),
      onOpen: () => {},
      onState: () => {},
    });
    this.line.connect();
  }

  hear(message) {
    if (message.t !== "lobby") return;
    this.rev = message.rev;
    this.take(message.again ?? null);
  }

  take(again) {
    const here = again && again.game === location.pathname;
    const shown = rematchOf(here ? again : null);
    if (here && again.next && again.mine) {
      this.line.end();
      this.leave(again.next);
      return;
    }
    this.paint(shown);
  }

  paint({ word, may, say, next }) {
    if (this.button) {
      this.form.hidden = word === null;
      if (word !== null && this.button.textContent !== word) {
        this.button.textContent = word;
        freeze(this.button);
      }
      if (may) delete this.button.dataset.blocked;
      else this.button.dataset.blocked = "";
      if (!("inert" in this.button.dataset)) this.button.setAttribute("aria-disabled", String(!may));
      this.button.classList.toggle("primary", may);
      this.button.classList.toggle("blocked", !may);
    }
    this.next.hidden = next === null;
    if (next) this.next.href = next;
    if (say !== this.say.textContent) {
      this.say.textContent = say;
      if (say) this.tell(say);
    }
  }

  async ask(event) {
    event.preventDefault();
    if (event.submitter?.getAttribute("aria-disabled") === "true") return;
    try {
      const answer = await fetch(this.form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new FormData(this.form),
      });
      if (answer.ok) {
        const { next } = await answer.json();
        if (next) this.leave(next);
      } else this.failed(t("That was not possible. The lobby says why."));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network
      this.failed(t("Not connected. Try again in a moment."));
    }
  }

  failed(say) {
    this.say.textContent = say;
    this.tell(say);
  }
}
