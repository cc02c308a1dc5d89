/**
 * The game page: read the embedded snapshot, open the connection, and wire the parts together.
 *
 * The surface, a board or the fields of Blotto, comes from pages/board-game.js or pages/troops-game.js.
 */

import { GameReceipts } from "../ledger/receipts.js";
import { isPlayedNow, ServerTime, timeLeft } from "../lib/clock.js";
import { byId } from "../lib/dom.js";
import { familyOf, gameName, OTHER } from "../lib/game-words.js";
import { follow } from "../lib/page-connection.js";
import { PendingRequests } from "../lib/pending-requests.js";
import { untilReconnect } from "../lib/reconnect.js";
import { onSettings, setting } from "../lib/settings.js";
import { playSound } from "../lib/sounds.js";
import { t } from "../lib/text.js";
import { GameRecord, StepFetcher } from "../replay/record.js";
import { lookAt, Replay, turnInHash, VIEW_STEPS } from "../replay/replay.js";
import { ResultGate } from "../result/result-gate.js";
import { whenStill } from "../result/when-still.js";
import { followNextGame, offerNextGame } from "../slow/next-game.js";
import { LowTimeTicks, sendSound } from "../sounds/own-sounds.js";
import { Announcer } from "./announcer.js";
import { buttonCommands, CommandInput, wordCommands } from "./commands.js";
import { laterParts } from "./later-parts.js";
import { announcePremove, ConnectionBanner, SendStatus, UnsentGuard } from "./notices.js";
import { Panel } from "./panel.js";
import { handleMessage } from "./server-messages.js";
import { toldStatus } from "./status-block.js";
import { markTab } from "./turn-icon.js";

const SLOW_SEND_MS = 1500;

export class Game {
  /**
   * `surfaceOf(sides, events)` makes the surface.
   *
   * @param {Wire.Snapshot} snapshot
   * @param {Wire.ResolvedStep[]} steps
   * @param {(sides: { near: Role, low: Role }, events: SurfaceEvents) => Surface} surfaceOf
   */
  constructor(snapshot, steps, surfaceOf) {
    /** @type {string | undefined} */
    this.side = undefined;
    /** @type {number | undefined} */
    this.slowTimer = undefined;
    this.lowTime = new LowTimeTicks();
    this.sentence = "";
    /** The remark on the newest turn; see teach/remarks.js. */
    this.remark = "";
    this.gate = new ResultGate(this);
    /** Conditional moves, in slow games. @type {import("../slow/conditional-moves.js").ConditionalMoves | null} */
    this.conditional = null;
    /** The step in which this page has sent its turn. @type {number | null} */
    this.sentStep = null;
    this.snapshot = snapshot;
    /** The game ran when this page was opened. */
    this.wasLive = snapshot.status === "live";
    /** @type {import("../result/result-sheet.js").ResultSheet | null} */
    this.result = null;
    this.near = snapshot.you ?? "white";
    this.low = this.lowRole();
    this.time = new ServerTime();
    this.time.observe(snapshot.now);
    this.record = new GameRecord([...steps, ...snapshot.last]);
    this.requests = new PendingRequests();
    this.receipts = new GameReceipts(snapshot.game);
    this.announcer = new Announcer(byId("speech"), byId("alert"));
    this.unsentGuard = new UnsentGuard();
    this.sendStatus = new SendStatus(() => this.showDraft());
    this.panel = this.makePanel();
    this.surface = surfaceOf({ near: this.near, low: this.low }, this.events());
    this.replay = new Replay(this.record, this.surface, snapshot.key);
    this.fetcher = new StepFetcher(this, () => this.handleFetchedSteps());
    const typed = document.getElementById("typed");
    this.commandInput = typed && this.makeCommandInput(typed, familyOf(snapshot.key));
    this.hasBot = Object.values(snapshot.seats).some(({ bot }) => bot);
    this.later = laterParts(this);
    this.connectionBanner = this.makeConnectionBanner();
    this.connection = follow(`game:${snapshot.game}`, {
      revOf: () => this.snapshot.rev,
      onMessage: (message, trip) => handleMessage(this, message, trip),
      onOpen: () => this.handleOpen(),
      onState: (state) => this.connectionBanner.show(state),
      isProbing: () => isPlayedNow(this.snapshot),
    });
    this.show(snapshot, { steps: null, same: false, own: false });
    this.fetcher.fill();
    this.connectionBanner.show(this.connection.state);
    this.connection.connect();
    this.lookAtAddress();
    onSettings(() => this.settings());
    followNextGame();
    this.later.conditional();
  }

  makePanel() {
    const commands = buttonCommands(this);
    return new Panel(byId("game"), commands, {
      now: () => this.time.read(),
      onLow: (left) => this.warnLowTime(left),
      onThing: ({ what }) => this.announcer.say(what),
    });
  }

  /**
   * @param {HTMLElement} form
   * @param {string} family
   */
  makeCommandInput(form, family) {
    return new CommandInput(form, family, {
      play: (text) => this.surface.type(text),
      commands: wordCommands(this),
      onSaid: (sentence) => this.announcer.sayNow(sentence),
      onFocus: () => {
        this.surface.premoves?.request();
        this.surface.loadTyping?.();
      },
    });
  }

  makeConnectionBanner() {
    return new ConnectionBanner(this.panel.notices, {
      veil: (on) => this.surface.veil(on),
      clockRuns: () => this.clockRuns(),
      waiting: () => this.requests.has("act"),
      onChange: (lost) =>
        this.announcer.sayNow(lost ? t("Connection lost. Reconnecting…") : t("Connected again.")),
    });
  }

  /** @returns {SurfaceEvents} */
  events() {
    return {
      onDraftChange: () => this.showDraft(),
      onRevealed: () => this.gate.open(),
      onTurn: (actions) => this.go(actions),
      onPremove: (premove) => announcePremove(this, premove),
      onSaid: (sentence) => this.commandInput?.say(sentence),
      onRefusedTap: (tap) => this.later.explainer((explainer) => explainer.ask(tap)),
      onRefusedKey: (why) => this.announcer.say(why),
      requestPremoves: (rev) => this.connection.send({ t: "plan", rev }),
      stepOf: (n) => this.record.steps.get(n),
      receipts: this.receipts,
      gameOf: () => this.snapshot,
    };
  }

  /* The reader's actions. */

  get types() {
    return this.commandInput !== null && this.snapshot.status === "live";
  }

  beginTyping() {
    this.panel.tabs.bring("more");
    this.commandInput?.focus();
  }

  /**
   * One step back: in the draft if it holds something, else in the replay.
   *
   * @returns {null}
   */
  back() {
    if (this.surface.read(this.snapshot).back) this.surface.undo();
    else this.look(VIEW_STEPS.back(this.replay.look));
    return null;
  }

  /**
   * Sends a message that wants an answer, now or when the connection is back; a second press, while the
   * first has no answer, does nothing. Returns whether it was sent.
   *
   * @param {Wire.Request} message
   * @param {{ text?: string }} [extra]
   */
  ask(message, extra) {
    if (this.requests.hasLike(message)) return false;
    const { message: sent } = this.requests.add(message, extra);
    this.connection.send(sent);
    return true;
  }

  /** @param {string[]} actions */
  go(actions) {
    if (this.conditional?.takeTurn(actions)) return;
    const { text } = this.surface.read(this.snapshot);
    const { step, takebacks } = this.snapshot;
    if (!this.ask({ t: "act", step, takebacks, actions }, { text })) return;
    this.sentStep = this.snapshot.step;
    this.sendStatus.forget();
    this.surface.send();
    playSound(sendSound(this.snapshot.key));
    clearTimeout(this.slowTimer);
    this.slowTimer = setTimeout(() => {
      const words = [t("Sending your move."), t("The board updates when it arrives.")];
      if (this.connection.state.open) this.panel.notices.show("sending", words);
    }, SLOW_SEND_MS);
  }

  /** The turn that was sent has an outcome: nothing of it is pending any more. */
  settle() {
    clearTimeout(this.slowTimer);
    this.panel.notices.hide("sending");
    this.surface.settle();
  }

  /**
   * Returns the role at the low edge, by the setting.
   *
   * @returns {Role}
   */
  lowRole() {
    const side = setting("side");
    if (side === "own") return this.near;
    return side === "black" ? "black" : "white";
  }

  settings() {
    if (this.side !== setting("side")) {
      this.side = setting("side");
      this.stepTo(this.lowRole());
    }
    this.showDraft();
  }

  /**
   * Turns the board; the strips keep their places for those who sit at it.
   *
   * @returns {null}
   */
  flip() {
    this.stepTo(OTHER[this.low]);
    return null;
  }

  /** @param {Role} low */
  stepTo(low) {
    if (!this.surface.flips) return;
    this.low = low;
    if (this.snapshot.you === null) this.near = low;
    this.surface.orient(low);
    this.panel.show(this.gate.snapshot, this.near);
    this.showBalance();
  }

  /**
   * Shows another position of the game's past, or the newest one.
   *
   * @param {ReplayView} view
   */
  async look(view) {
    const known = await this.replay.go(view, () => this.fetcher.fill(true));
    if (!known) {
      const words = [untilReconnect(t("Not connected. Earlier moves couldn’t be loaded.")), ""];
      this.panel.notices.show("told", words, { passing: true });
    }
    this.showDraft();
  }

  lookAtAddress() {
    const turn = turnInHash(location.hash);
    if (turn !== null) this.look(lookAt(this.replay.look, turn));
  }

  /* Messages of the server. */

  /** A new connection: the server's time is measured again, since the network path may differ. */
  handleOpen() {
    this.time.forget();
    this.requests.unanswered().forEach((message) => this.connection.send(message));
    this.surface.premoves?.handleReconnect();
  }

  /** @param {number} left */
  warnLowTime(left) {
    if (this.lowTime.ticks(left)) playSound("low");
  }

  /**
   * @param {Wire.Snapshot} snapshot
   * @param {{ steps: Wire.ResolvedStep[] | null, same: boolean, own: boolean }} news
   */
  show(snapshot, news) {
    this.receipts.rememberCommitments(snapshot.step, snapshot.commitments ?? {});
    if (this.panel.shown === null) this.panel.show(snapshot, this.near);
    if (!this.conditional?.keeps(snapshot))
      this.surface.show(snapshot, { ...news, burns: this.record.burns() });
    this.tell(this.gate.snapshot);
    if (this.gate.isEnding)
      whenStill(
        () => this.surface.moving,
        () => this.gate.open(),
      );
  }

  /**
   * Updates the page around the board with a snapshot that holds no hidden result.
   *
   * @param {Wire.Snapshot} snapshot
   */
  tell(snapshot) {
    this.label(snapshot);
    this.panel.show(snapshot, this.near);
    if (snapshot.status === "over") {
      this.panel.showPoints(snapshot);
      this.later.result((result) => result.show(snapshot, { ended: this.wasLive }));
    }
    if (this.hasBot) this.later.computer((computer) => computer.show(snapshot));
    if (snapshot.count || snapshot.may.some((word) => word.startsWith("claim")))
      this.later.ends(() => {});
    if (this.commandInput && snapshot.status === "over") this.commandInput.end();
    offerNextGame(snapshot);
    this.conditional?.showOpener();
    this.showDraft();
  }

  /**
   * Writes the state of the game into attributes of the page's element, for style sheets and tests.
   *
   * @param {Wire.Snapshot} snapshot
   */
  label({ rev, step, status, prompt }) {
    const turn = status === "over" ? "none" : prompt ? "yours" : "waits";
    Object.assign(byId("game").dataset, { rev, step, status, turn });
  }

  handleFetchedSteps() {
    this.replay.updateCount();
    this.show(this.snapshot, { steps: null, same: true, own: false });
  }

  /* The panel. */

  clockRuns() {
    const { clock, you, status } = this.snapshot;
    const runs = status === "live" && you !== null && clock.running.includes(you);
    return runs && timeLeft(clock, you, this.time.read()) !== null;
  }

  showDraft() {
    if (!this.surface || !this.replay) return;
    const { surface, replay } = this;
    const { snapshot } = this.gate;
    if (this.conditional?.takeDraft()) return;
    const report = surface.read(snapshot);
    const status = toldStatus(this, report);
    const sends = surface.flips && setting("send") === "button" && snapshot.you !== null;
    this.panel.showDraft(status, {
      report,
      turns: this.record.turns(),
      look: replay.look,
      textOfTurn: (turn) => (surface.isOpening ? "" : replay.textOfTurn(turn)),
      flips: surface.flips,
      sends: sends && snapshot.status === "live",
    });
    this.sentence = report.status.sentence;
    this.unsentGuard.guard(report.ready && surface.flips);
    const ended = this.hasBot && snapshot.status === "over";
    if (ended)
      this.later.thoughts((thoughts) => thoughts.show(snapshot, this.record.turns(), replay));
    markTab(report.status.mine, gameName(this.snapshot));
    this.later.followDraft();
    this.showBalance();
  }

  /** Shows who is ahead in the position that is shown. */
  showBalance() {
    const { snapshot } = this.gate;
    const low = this.surface.flips ? this.low : this.near;
    const view = this.replay.viewOf(snapshot);
    this.later.balance((balance) => balance.show(snapshot, view, low));
    this.later.teach();
  }

  escape() {
    if (this.result?.close()) return;
    if (this.panel.asked) this.panel.ask(null);
    else this.surface.clear();
  }
}
