/** The game page: reads the embedded snapshot, opens the line, and wires the parts together. */

import { Board } from "./board/board.js";
import { told } from "./board/speech.js";
import { ServerTime, leftOf } from "./clock.js";
import { ANSWERS, Errands } from "./errands.js";
import { Outage } from "./panel/outage.js";
import { Panel } from "./panel/panel.js";
import { OTHER, refusalWords } from "./panel/words.js";
import { Record } from "./record.js";
import { Line, addressOf } from "./socket.js";
import { Troops } from "./troops/troops.js";

const SLOW = 1500;

function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Which surround the board has: decided by the stylesheet, by the width of the page. */
function surroundOf(key) {
  if (key === "pincer") return "wall";
  const flush = getComputedStyle(document.getElementById("board")).getPropertyValue("--flush").trim();
  return flush === "1" ? "none" : "frame";
}

class Game {
  constructor(snapshot, turns) {
    this.snapshot = snapshot;
    this.near = snapshot.you ?? "white";
    this.low = this.near;
    this.time = new ServerTime();
    this.time.hear(snapshot.now);
    this.record = new Record([...turns, ...snapshot.last]);
    this.errands = new Errands();
    this.speech = document.getElementById("speech");
    this.panel = new Panel(document.getElementById("game"), this.deeds(), () => this.time.read());
    this.surface = snapshot.prompt?.kind === "split" || snapshot.view.rounds ? this.troops() : this.board();
    this.outage = new Outage(this.panel.notices, {
      veil: (on) => this.surface.veil(on),
      clockRuns: () => this.clockRuns(),
      waiting: () => this.errands.has("act"),
    });
    this.line = new Line(addressOf(`/ws/game/${snapshot.game}/`), {
      revOf: () => this.snapshot.rev,
      onMessage: (message, trip) => HEARD[message.t]?.(this, message, trip),
      onOpen: () => this.opened(),
      onState: (state) => this.outage.show(state),
    });
    this.show(snapshot, { turns: null, same: false, own: false });
    this.fill();
    this.outage.show(this.line.state);
    this.line.connect();
  }

  board() {
    const { key, view } = this.snapshot;
    const options = { key, view, near: this.near, surroundOf: () => surroundOf(key) };
    return new Board(document.getElementById("board"), options, this.events());
  }

  troops() {
    const root = document.getElementById("troops");
    const rounds = document.getElementById("rounds");
    return new Troops(root, rounds, { near: this.near }, this.events());
  }

  events() {
    return { onHand: () => this.showHand(), onGo: (actions) => this.go(actions) };
  }

  /* What a person can do. */

  deeds() {
    const draw = (word) => () => this.ask({ t: "draw", do: word });
    return {
      resign: () => this.ask({ t: "resign" }),
      offer: draw("offer"),
      withdraw: draw("withdraw"),
      accept: draw("accept"),
      decline: draw("decline"),
      claim: () => this.ask({ t: "claim" }),
      flip: () => this.flip(),
      undo: () => (this.surface.flips ? this.surface.undo() : this.surface.clear()),
      keep: () => this.surface.keep(),
      flag: () => this.line.send({ t: "flag" }),
    };
  }

  /**
   * Sends a message that wants an answer, now or when the line is back; a second press, while the
   * first has no answer, does nothing. Tells whether it was sent.
   */
  ask(message) {
    if (this.errands.hasLike(message)) return false;
    const { message: sent } = this.errands.add(message);
    this.line.send(sent);
    return true;
  }

  go(actions) {
    if (!this.ask({ t: "act", turn: this.snapshot.turn, actions })) return;
    this.sentTurn = this.snapshot.turn;
    this.surface.send();
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      const words = ["Sending your go.", "The board shows it when it has arrived."];
      if (this.line.state.open) this.panel.notices.show("sending", words);
    }, SLOW);
  }

  /** The go that was sent has an outcome: nothing of it is pending any more. */
  settle() {
    clearTimeout(this.slow);
    this.panel.notices.hide("sending");
    this.surface.settle();
  }

  /** Turns the board; the strips keep their places for those who sit at it. */
  flip() {
    this.low = OTHER[this.low];
    if (this.snapshot.you === null) this.near = this.low;
    this.surface.turn(this.low);
    this.panel.show(this.snapshot, this.near);
  }

  clear() {
    this.surface.clear();
  }

  /* What the server says. */

  /** A new line: the way is another, so its answers tell the time anew. */
  opened() {
    this.time.forget();
    this.errands.unanswered().forEach((message) => this.line.send(message));
  }

  hear(next) {
    const before = this.snapshot;
    if (next.rev < before.rev) return;
    this.time.hear(next.now);
    this.snapshot = next;
    const fresh = this.record.add(next.last);
    const exact = fresh.length > 0 && fresh.length === next.turn - before.turn;
    const same = next.turn === before.turn;
    const sealed = next.your_seal && !before.your_seal;
    const own = this.sentTurn === before.turn && fresh.every(({ role }) => role === next.you);
    if (!same || sealed) this.settle();
    this.show(next, { turns: exact ? fresh : null, same, own });
    if (fresh.length > 0) this.speak(fresh);
    this.fill();
  }

  show(snapshot, news) {
    this.label(snapshot);
    this.panel.show(snapshot, this.near);
    this.surface.show(snapshot, { ...news, burns: this.record.burns() });
    this.showHand();
  }

  /** Says on the page's element where the game stands, for style sheets and for tests. */
  label({ rev, turn, status, prompt }) {
    const go = status === "over" ? "none" : prompt ? "yours" : "waits";
    Object.assign(document.getElementById("game").dataset, { rev, turn, status, go });
  }

  speak(turns) {
    const { seats, key, status } = this.snapshot;
    const names = { white: seats.white.name, black: seats.black.name };
    const sentences = [told(turns, names, key)];
    if (status === "over" || this.snapshot.prompt) sentences.push(this.sentence);
    this.speech.textContent = sentences.join(" ");
  }

  answered(reply) {
    const answer = this.errands.answer(reply);
    if (reply.t === "refused") this.refused(reply, answer);
    else if (answer?.outcome === ANSWERS.done) {
      const words = ["That was already done.", "It had arrived before the line broke."];
      this.panel.notices.show("told", words, { passing: true });
    }
  }

  refused(reply, answer) {
    const { you, control, status } = this.snapshot;
    const act = answer?.errand.message.t === "act";
    const mine = act && status === "live" && control.includes(you);
    if (act) {
      this.settle();
      this.surface.refuse(reply.squares ?? []);
      this.show(this.snapshot, { turns: null, same: true, own: false });
    }
    const words = act ? refusalWords(reply, mine) : [reply.say ?? "That was not accepted.", ""];
    this.panel.notices.show("refused", words, { passing: true });
  }

  /** Fetches turns that are missing; they never change. */
  async fill() {
    const from = this.record.gap(this.snapshot.turn);
    if (from === null || this.filling) return;
    this.filling = true;
    try {
      const answer = await fetch(`turns?from=${from}`, { headers: { Accept: "application/json" } });
      if (answer.ok) this.record.add((await answer.json()).turns);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // no network: the next snapshot asks again
    } finally {
      this.filling = false;
    }
    this.show(this.snapshot, { turns: null, same: true, own: false });
  }

  /* What the panel shows. */

  clockRuns() {
    const { clock, you, status } = this.snapshot;
    const runs = status === "live" && you !== null && clock.running.includes(you);
    return runs && leftOf(clock, you, this.time.read()) !== null;
  }

  showHand() {
    if (!this.surface) return;
    const { snapshot, surface } = this;
    const { status, open, back } = surface.read(snapshot);
    const goes = this.record.goes();
    this.panel.showHand(status, { open, goes, back, flips: surface.flips });
    this.sentence = status.sentence;
    document.title = `${status.mine ? "Your go · " : ""}${snapshot.name} · Quiver`;
  }
}

const HEARD = {
  game: (game, message) => game.hear(message),
  people: (game, message) => game.panel.showPeople(message),
  receipt: (game, message) => game.answered(message),
  refused: (game, message) => game.answered(message),
  pong: (game, message, trip) => game.time.hear(message.now, trip),
};

const game = new Game(embedded("snapshot"), embedded("turns"));

addEventListener("keydown", (event) => {
  if (event.key === "Escape") game.clear();
});
addEventListener("online", () => game.line.hurry());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") game.line.hurry();
});
