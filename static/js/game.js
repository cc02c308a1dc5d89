/**
 * The game page: reads the embedded snapshot, opens the line, and wires the parts together. What is
 * played on comes from board-game.js or troops-game.js.
 */

import { familyOf } from "./board/speech.js";
import { ServerTime, leftOf } from "./clock.js";
import { ANSWERS, Errands } from "./errands.js";
import { listenKeys } from "./keys.js";
import { Memory } from "./ledger/memory.js";
import { deedsOf, wordsOf } from "./page/deeds.js";
import { Fetcher } from "./page/fetch.js";
import { later, whenIdle } from "./page/later.js";
import { Leaving } from "./page/leaving.js";
import { newsOf } from "./page/news.js";
import { Fate } from "./panel/fate.js";
import { gameName } from "./panel/labels.js";
import { Outage } from "./panel/outage.js";
import { Panel } from "./panel/panel.js";
import { droppedPlan, refusalOf, refusedGo } from "./panel/refusals.js";
import { Setup, Speaker } from "./panel/setup.js";
import { Typed } from "./panel/typed.js";
import { Voice } from "./panel/voice.js";
import { OTHER } from "./panel/words.js";
import { Record } from "./record.js";
import { Replay } from "./replay/replay.js";
import { STEPS, goOf, lookAt } from "./replay/view.js";
import { onSettings, setting } from "./settings.js";
import { Line, addressOf } from "./socket.js";
import { sound } from "./sounds.js";
import { t } from "./text.js";

const SLOW = 1500;
const LOW = 20_000;

function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const part = (id) => document.getElementById(id);

class Game {
  /** `surfaceOf(snapshot, sides, events)`: what one plays on. */
  constructor(snapshot, turns, surfaceOf) {
    this.snapshot = snapshot;
    this.near = snapshot.you ?? "white";
    this.low = this.lowest();
    this.time = new ServerTime();
    this.time.hear(snapshot.now);
    this.record = new Record([...turns, ...snapshot.last]);
    this.errands = new Errands();
    this.memory = new Memory(snapshot.game);
    this.voice = new Voice(part("speech"), part("alert"));
    this.leaving = new Leaving();
    this.fate = new Fate(() => this.showHand());
    this.panel = this.makePanel();
    this.surface = surfaceOf(snapshot, { near: this.near, low: this.low }, this.events());
    this.replay = new Replay(this.record, this.surface, snapshot.key);
    this.fetcher = new Fetcher(this, () => this.filled());
    this.setup = new Setup(part("setup"), { isNarrow: () => this.panel.tabs.compact });
    this.typed = part("typed") && this.makeTyped(familyOf(snapshot.key));
    this.makeLater(Object.values(snapshot.seats).some(({ bot }) => bot));
    this.outage = this.makeOutage();
    this.line = new Line(addressOf(`/ws/game/${snapshot.game}/`), {
      revOf: () => this.snapshot.rev,
      onMessage: (message, trip) => HEARD[message.t]?.(this, message, trip),
      onOpen: () => this.opened(),
      onState: (state) => this.outage.show(state),
    });
    this.show(snapshot, { turns: null, same: false, own: false });
    this.fetcher.fill();
    this.outage.show(this.line.state);
    this.line.connect();
    this.lookAtAddress();
    onSettings(() => this.settings());
  }

  /** What the page has no need of at first, before the end, or without a computer player. */
  makeLater(hasBot) {
    const tell = (sentence) => this.voice.say(sentence);
    this.after = later(() => import("./panel/after.js"), ({ After }) => {
      return new After(part("after"), { leave: (url) => location.assign(url), tell });
    });
    this.computer = later(() => import("./page/computer.js"), ({ Computer }) => {
      return new Computer(this.panel.notices, tell);
    });
    this.thoughts = later(() => import("./replay/thoughts.js"), ({ Thoughts }) => {
      return new Thoughts(part("thoughts"), part("see-thoughts"), this.panel.tabs);
    });
    const talk = later(() => import("./page/talk.js"), ({ joinTalk }) => joinTalk);
    if (part("talk")) whenIdle(() => talk((join) => join(part("talk"), this.panel.tabs)));
    this.hasBot = hasBot;
  }

  makePanel() {
    const deeds = deedsOf(this);
    return new Panel(part("game"), deeds, {
      now: () => this.time.read(),
      onLow: (left) => this.low20(left),
      onThing: ({ what }) => this.voice.say(what),
    });
  }

  makeTyped(family) {
    return new Typed(part("typed"), family, {
      play: (text) => this.surface.type(text),
      deeds: wordsOf(this),
      onSaid: (sentence) => this.voice.call(sentence),
      onFocus: () => this.surface.wish?.touch(),
    });
  }

  makeOutage() {
    return new Outage(this.panel.notices, {
      veil: (on) => this.surface.veil(on),
      clockRuns: () => this.clockRuns(),
      waiting: () => this.errands.has("act"),
      onChange: (lost) => this.voice.call(lost ? t("Not connected. The board may be old.") : t("Connected again.")),
    });
  }

  events() {
    return {
      onHand: () => this.showHand(),
      onGo: (actions) => this.go(actions),
      onPlan: (plan) => this.planned(plan),
      onSaid: (sentence) => this.typed.say(sentence),
      onWish: (rev) => this.line.send({ t: "plan", rev }),
      turnOf: (n) => this.record.turns.get(n),
      memory: this.memory,
      gameOf: () => this.snapshot,
    };
  }

  /* What a person can do. */

  end(how) {
    this.ask({ t: how });
    this.panel.ask(null);
  }

  get types() {
    return this.typed !== null && this.snapshot.status === "live";
  }

  beginTyping() {
    this.panel.tabs.bring("more");
    this.typed.focus();
  }

  /** One step back: in the hand if it holds something, else in what is looked at. */
  back() {
    if (this.surface.read(this.snapshot).back) this.surface.undo();
    else this.look(STEPS.back(this.replay.look));
    return null;
  }

  /**
   * Sends a message that wants an answer, now or when the line is back; a second press, while the
   * first has no answer, does nothing. Tells whether it was sent.
   */
  ask(message, extra) {
    if (this.errands.hasLike(message)) return false;
    const { message: sent } = this.errands.add(message, extra);
    this.line.send(sent);
    return true;
  }

  go(actions) {
    const { text } = this.surface.read(this.snapshot);
    const { turn, takebacks } = this.snapshot;
    if (!this.ask({ t: "act", turn, takebacks, actions }, { text })) return;
    this.sentTurn = this.snapshot.turn;
    this.fate.forget();
    this.surface.send();
    sound("own");
    clearTimeout(this.slow);
    this.slow = setTimeout(() => {
      const words = [t("Sending your go."), t("The board shows it when it has arrived.")];
      if (this.line.state.open) this.panel.notices.show("sending", words);
    }, SLOW);
  }

  /** The go that was sent has an outcome: nothing of it is pending any more. */
  settle() {
    clearTimeout(this.slow);
    this.panel.notices.hide("sending");
    this.surface.settle();
  }

  planned(plan) {
    if (plan !== null) {
      this.voice.say(t("Planned: {go}", { go: plan.text }));
      return;
    }
    const words = droppedPlan(this.surface.dropped);
    if (words) this.panel.notices.show("told", words, { passing: true });
    if (words) this.voice.call(words.join(" "));
  }

  /** Which role's side is at the low edge, by the setting. */
  lowest() {
    const side = setting("side");
    return side === "own" ? this.near : side;
  }

  settings() {
    if (this.side !== setting("side")) {
      this.side = setting("side");
      this.turnTo(this.lowest());
    }
    this.showHand();
  }

  /** Turns the board; the strips keep their places for those who sit at it. */
  flip() {
    this.turnTo(OTHER[this.low]);
    return null;
  }

  turnTo(low) {
    if (!this.surface.flips) return;
    this.low = low;
    if (this.snapshot.you === null) this.near = low;
    this.surface.turn(low);
    this.panel.show(this.snapshot, this.near);
  }

  /** Shows another position of the game's past, or the newest one. */
  async look(view) {
    const known = await this.replay.go(view, () => this.fetcher.fill(true));
    if (!known) {
      const words = [t("Not connected. The earlier positions could not be fetched."), ""];
      this.panel.notices.show("told", words, { passing: true });
    }
    this.showHand();
  }

  lookAtAddress() {
    const go = goOf(location.hash);
    if (go !== null) this.look(lookAt(this.replay.look, go));
  }

  /* What the server says. */

  /** A new line: the way is another, so its answers tell the time anew. */
  opened() {
    this.time.forget();
    this.errands.unanswered().forEach((message) => this.line.send(message));
    this.surface.wish?.reached();
  }

  hear(next) {
    const before = this.snapshot;
    if (next.rev < before.rev) return;
    if (next.you !== before.you) {
      location.reload(); // the session is another one: this page belongs to somebody else
      return;
    }
    this.time.hear(next.now);
    this.snapshot = next;
    const undone = (next.takebacks ?? 0) !== (before.takebacks ?? 0);
    if (undone) this.takenBack(next);
    const fresh = this.record.add(next.last);
    const exact = !undone && fresh.length > 0 && fresh.length === next.turn - before.turn;
    const same = !undone && next.turn === before.turn;
    const sealed = next.your_seal && !before.your_seal;
    const own = this.sentTurn === before.turn && fresh.every(({ role }) => role === next.you);
    if (!same || sealed) this.settle();
    this.replay.grown();
    this.show(next, { turns: exact ? fresh : null, same, own });
    this.tell(before, next, undone ? [] : fresh, own);
    this.fetcher.fill();
  }

  /** Turns after a takeback have numbers that were used before: the record is fetched anew. */
  takenBack({ turn }) {
    this.sentTurn = null;
    this.record.cut(turn);
    this.record.isOld = true;
  }

  /** Says and sounds what has changed. */
  tell(before, next, fresh, own) {
    const news = newsOf(before, next, fresh, own);
    if (news.answer) this.panel.notices.show("told", [news.answer, ""], { passing: true });
    if (news.away) this.panel.notices.show("away", news.away, { passing: true });
    if (news.begins) this.fate.forget();
    if (news.begins || news.ends) this.voice.call([...news.said, this.sentence].join(" "));
    else if (news.said.length > 0) this.voice.say(news.said.join(" "));
    if (news.sound) sound(news.sound);
  }

  low20(left) {
    const low = left < LOW;
    if (low && this.wasLow === false) sound("low");
    this.wasLow = low;
  }

  show(snapshot, news) {
    this.memory.see(snapshot.turn, snapshot.commitments ?? {});
    this.label(snapshot);
    this.panel.show(snapshot, this.near);
    this.surface.show(snapshot, { ...news, burns: this.record.burns() });
    if (snapshot.status === "over") this.after((after) => after.show(snapshot));
    if (this.hasBot) this.computer((computer) => computer.show(snapshot));
    if (this.typed && snapshot.status === "over") this.typed.end();
    this.showHand();
  }

  /** Says on the page's element where the game stands, for style sheets and for tests. */
  label({ rev, turn, status, prompt }) {
    const go = status === "over" ? "none" : prompt ? "yours" : "waits";
    Object.assign(part("game").dataset, { rev, turn, status, go });
  }

  /** What may have been saved is asked again under the same id, which does nothing twice. */
  askAgain({ id }) {
    const wait = this.errands.patience(id);
    if (wait === null) return false;
    setTimeout(() => this.errands.withId(id).forEach((message) => this.line.send(message)), wait);
    return true;
  }

  answered(reply) {
    if (reply.reason === "unsure" && this.askAgain(reply)) return;
    const answer = this.errands.answer(reply);
    const act = answer?.errand.message.t === "act";
    if (reply.t === "receipt") this.memory.keep(reply);
    if (reply.t === "refused") this.refused(reply, answer);
    else if (answer?.outcome === ANSWERS.done) {
      const words = [t("That was already done."), t("It had arrived before the line broke.")];
      this.panel.notices.show("told", words, { passing: true });
      if (act) this.fate.tell("done", answer.errand.text);
    } else if (act) this.fate.tell("accepted", answer.errand.text, reply.lag);
  }

  refused(reply, answer) {
    const { you, control, status } = this.snapshot;
    const act = answer?.errand.message.t === "act";
    const mine = act && status === "live" && control.includes(you);
    if (act) {
      this.settle();
      this.surface.refuse(reply.squares ?? []);
      this.show(this.snapshot, { turns: null, same: true, own: false });
      this.fate.tell("refused", answer.errand.text);
    }
    const words = act ? refusedGo(reply, mine) : [refusalOf(reply), ""];
    this.panel.notices.show("refused", words, { passing: true });
    this.voice.call(words.join(" ").trim());
  }

  filled() {
    this.replay.grown();
    this.show(this.snapshot, { turns: null, same: true, own: false });
  }

  /* What the panel shows. */

  clockRuns() {
    const { clock, you, status } = this.snapshot;
    const runs = status === "live" && you !== null && clock.running.includes(you);
    return runs && leftOf(clock, you, this.time.read()) !== null;
  }

  showHand() {
    if (!this.surface || !this.replay) return;
    const { snapshot, surface, replay } = this;
    const report = surface.read(snapshot);
    const status = this.withFate(replay.isBack ? replay.status(report.status) : report.status);
    const sends = surface.flips && setting("send") === "button" && snapshot.you !== null;
    this.panel.showHand(status, {
      report,
      goes: this.record.goes(),
      look: replay.look,
      spelled: (go) => replay.spelled(go),
      flips: surface.flips,
      sends: sends && snapshot.status === "live",
    });
    this.sentence = report.status.sentence;
    this.leaving.guard(report.ready && surface.flips);
    const ended = this.hasBot && snapshot.status === "over";
    if (ended) this.thoughts((thoughts) => thoughts.show(snapshot, this.record.goes(), replay));
    document.title = this.title(report.status.mine);
  }

  withFate(status) {
    return { ...status, chip: status.chip ?? this.fate.chip };
  }

  title(mine) {
    const name = gameName(this.snapshot);
    return mine ? t("Your go · {name} · Quiver", { name }) : t("{name} · Quiver", { name });
  }

  escape() {
    if (this.panel.asked) this.panel.ask(null);
    else this.surface.clear();
  }
}

const HEARD = {
  game: (game, message) => game.hear(message),
  plan: (game, message) => game.surface.wish?.hear(message),
  people: (game, message) => game.panel.showPeople(message),
  receipt: (game, message) => game.answered(message),
  refused: (game, message) => game.answered(message),
  anew: () => location.reload(),
  pong: (game, message, trip) => game.time.hear(message.now, trip),
};

/** Begins the page of a game. */
export function begin(surfaceOf) {
  const game = new Game(embedded("snapshot"), embedded("turns"), surfaceOf);
  new Speaker(part("speaker"), () => sound("own"));
  listenKeys({
    look: (step) => game.look(STEPS[step](game.replay.look)),
    types: () => game.types,
    type: () => game.beginTyping(),
    escape: () => game.escape(),
    send: () => game.surface.submit(),
  });
  addEventListener("hashchange", () => game.lookAtAddress());
  addEventListener("online", () => game.line.hurry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") game.line.hurry();
  });
}
