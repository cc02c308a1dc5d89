/**
 * Conditional moves in slow games: a sheet beside the board on which lines are composed and kept.
 *
 * While it is open the board shows the position at the end of the line. Legal moves come from the
 * server, which also plays the replies; nobody else is told of them.
 */

import { find } from "../lib/dom.js";
import { OTHER } from "../lib/game-words.js";
import { follow } from "../lib/page-connection.js";
import { newId } from "../lib/pending-requests.js";
import { refusalSentence } from "../lib/refusals.js";
import { t, tn } from "../lib/text.js";
import {
  actionsOfLine,
  isWhole,
  lineSentence,
  lineText,
  MAX_LINES,
  MAX_TURNS,
  nextSentence,
} from "./reply-line.js";

/** @typedef {SiteMessage<"replies:SLUG">} ReplyMessage */

export class ConditionalMoves {
  /**
   * @param {import("../game/game-page.js").Game} game
   * @param {HTMLDialogElement} dialog
   * @param {HTMLElement} opener
   */
  constructor(game, dialog, opener) {
    this.game = game;
    this.dialog = dialog;
    this.opener = opener;
    this.say = find(dialog, "#line-say");
    this.composed = find(dialog, "#line-composed");
    this.list = find(dialog, "#line-list");
    /** @type {HTMLButtonElement} */
    this.take = find(dialog, "#line-take");
    /** @type {HTMLButtonElement} */
    this.undo = find(dialog, "#line-undo");
    /** @type {HTMLButtonElement} */
    this.add = find(dialog, "#line-add");
    this.complaint = find(dialog, "#line-complaint");
    /** The saved lines. @type {Wire.ShownTurn[][]} */
    this.lines = [];
    /** The position at the end of the composed line, and the line. @type {Wire.Tried | null} */
    this.tried = null;
    /** The id of the question or save that waits for its answer. @type {string | null} */
    this.asked = null;
    this.hint = "";
    this.subscription = follow(`replies:${game.snapshot.game}`, {
      revOf: () => null,
      onMessage: (message) => this.receive(/** @type {ReplyMessage} */ (message)),
      onOpen: () => this.askAnew(),
      onState: () => {},
    });
    this.subscription.connect();
    opener.addEventListener("click", () => this.open());
    find(dialog, "#line-close").addEventListener("click", () => this.close());
    this.take.addEventListener("click", () => game.surface.submit());
    this.undo.addEventListener("click", () => this.stepBack());
    this.add.addEventListener("click", () => this.save([...this.lines, this.line]));
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.showOpener();
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** The line that is composed. @returns {Wire.ShownTurn[]} */
  get line() {
    return this.tried?.turns ?? [];
  }

  get opponent() {
    const { seats, you } = this.game.snapshot;
    return you ? seats[OTHER[you]].name : "";
  }

  /** The player waits in a running game: only then lines can be saved. */
  get isAllowed() {
    const { you, status, control } = this.game.snapshot;
    return you !== null && status === "live" && !control.includes(you);
  }

  open() {
    if (this.isOpen || !this.isAllowed) return;
    const { game } = this;
    if (game.replay.isBack) game.look({ ...game.replay.look, at: null });
    game.surface.clear(); // a premove would wait beside the lines
    this.complain("");
    this.dialog.show();
    this.showLines();
    this.ask([]);
    this.say.focus();
  }

  close() {
    if (!this.isOpen) return;
    this.dialog.close();
    this.tried = null;
    this.asked = null;
    this.game.show(this.game.snapshot, { steps: null, same: false, own: false });
    this.game.surface.premoves?.handleReconnect();
    this.showOpener();
    this.opener.focus();
  }

  /**
   * Whether the board goes on to show the composed line beside a newer snapshot; if the game has moved
   * on, the sheet is closed.
   *
   * @param {Wire.Snapshot} snapshot
   */
  keeps({ step, takebacks, status }) {
    const isSame = this.tried !== null && this.stepOfGame === `${step}.${takebacks}`;
    if (this.isOpen && status === "live" && (this.tried === null || isSame)) return this.isShown;
    if (this.isOpen) {
      this.dialog.close();
      this.tried = null;
      this.game.panel.notices.show("told", [t("The game has moved on."), ""], { passing: true });
    }
    return false;
  }

  get isShown() {
    return this.isOpen && this.tried !== null;
  }

  /** The position that the board shows instead of the game; null while it shows the game. @returns {Wire.BoardSnapshot | null} */
  get shown() {
    if (!this.isShown || this.tried === null) return null;
    const snapshot = /** @type {Wire.BoardSnapshot} */ (this.game.snapshot);
    const { role, turns, view, prompt } = this.tried;
    const isOpen = role !== null && prompt !== null && turns.length < MAX_TURNS;
    return {
      ...snapshot,
      rev: -1 - turns.length, // another position than any that premoves were asked for
      view: /** @type {Wire.BoardView} */ (/** @type {unknown} */ (view)),
      prompt: isOpen ? /** @type {Wire.BoardPrompt} */ (/** @type {unknown} */ (prompt)) : null,
      you: isOpen ? role : null,
      control: isOpen ? [role] : [],
      step: snapshot.step + turns.length,
      last: [],
    };
  }

  /**
   * Takes a turn that was composed on the board, if the board shows a line; returns whether it does.
   *
   * @param {string[]} actions
   */
  takeTurn(actions) {
    const { isShown } = this;
    if (isShown) this.ask([...actionsOfLine(this.line), actions]);
    return isShown;
  }

  stepBack() {
    if (this.game.surface.draft?.path.length) this.game.surface.undo();
    else if (this.line.length > 0) this.ask(actionsOfLine(this.line.slice(0, -1)));
  }

  /** @param {string[][]} turns */
  ask(turns) {
    const { step, takebacks } = this.game.snapshot;
    this.asked = newId();
    this.stepOfGame = `${step}.${takebacks}`;
    this.subscription.send({ t: "try_turns", id: this.asked, step, takebacks, turns });
  }

  /** The connection is open anew: a question may have been lost. */
  askAnew() {
    if (this.isOpen) this.ask(actionsOfLine(this.line));
  }

  /** @param {Wire.ShownTurn[][]} lines */
  save(lines) {
    const { step, takebacks } = this.game.snapshot;
    this.asked = newId();
    const sent = lines.map(actionsOfLine);
    this.subscription.send({ t: "save_replies", id: this.asked, step, takebacks, lines: sent });
  }

  /** @param {ReplyMessage} message */
  receive(message) {
    if (message.t === "replies") {
      this.lines = message.lines;
      this.showLines();
      this.showOpener();
    } else if (message.t === "tried" && message.id === this.asked) {
      this.complain("");
      this.tried = message;
      this.showBoard();
    } else if (message.t === "saved" && message.id === this.asked) {
      this.complain("");
      const say = tn("{count} line saved.", "{count} lines saved.", message.lines);
      this.game.announcer.sayNow(say);
      if (this.isOpen) this.ask([]);
    } else if (message.t === "refused" && this.isOpen) {
      this.complain(refusalSentence(message));
      if (message.id === this.asked) this.askAgainWithoutLast(message);
    }
  }

  /** A turn that was refused is taken off the board. @param {Wire.Refusal} refusal */
  askAgainWithoutLast({ reason }) {
    this.asked = null;
    if (reason === "illegal" || reason === "bad_action") this.showBoard();
  }

  /** Shows the position at the end of the line. */
  showBoard() {
    const { shown, game } = this;
    if (shown === null) return;
    const burns = game.record.burns();
    game.surface.show(shown, { steps: null, same: false, own: false, burns });
    game.showDraft();
    game.announcer.say(this.sentence);
  }

  get sentence() {
    const isOver = this.tried !== null && this.tried.role === null;
    return nextSentence(this.line, this.opponent, isOver);
  }

  /** Shows what is composed, if the board shows a line; returns whether it does. */
  takeDraft() {
    const { line, shown: position } = this;
    if (position === null) return false;
    const { status, ready, text } = this.game.surface.read(position);
    const key = this.game.snapshot.key;
    this.say.textContent = this.sentence;
    find(this.dialog, "#line-hint").textContent = status.hint.map(([words]) => words).join("");
    const drafted = text.trim() === "" ? [] : [{ text: [text.trim()] }];
    const shown = lineText(key, [...line, ...drafted]);
    this.composed.textContent = shown;
    this.composed.hidden = shown === "";
    this.take.hidden = !ready;
    this.undo.hidden = line.length + drafted.length === 0;
    this.add.hidden = !isWhole(line) || drafted.length > 0;
    this.add.disabled = this.lines.length >= MAX_LINES;
    return true;
  }

  showLines() {
    const { key } = this.game.snapshot;
    const focused = this.list.contains(document.activeElement);
    this.list.replaceChildren(
      ...this.lines.map((line, index) => {
        const row = document.createElement("li");
        const text = document.createElement("span");
        text.className = "line-text number";
        text.textContent = lineText(key, line);
        const remove = document.createElement("button");
        remove.type = "button";
        remove.className = "button plain";
        remove.textContent = t("Remove");
        remove.setAttribute("aria-label", `${t("Remove")}: ${lineSentence(key, line)}`);
        remove.addEventListener("click", () =>
          this.save(this.lines.filter((_, other) => other !== index)),
        );
        row.append(text, remove);
        return row;
      }),
    );
    find(this.dialog, "#line-none").hidden = this.lines.length > 0;
    find(this.dialog, "#line-most").hidden = this.lines.length < MAX_LINES;
    this.add.disabled = this.lines.length >= MAX_LINES;
    if (focused) this.say.focus();
  }

  /** Shows the button while the player waits, with the number of saved lines. */
  showOpener() {
    const { length } = this.lines;
    this.opener.hidden = !this.isAllowed;
    this.opener.textContent =
      length > 0 ? t("Conditional moves ({count})", { count: length }) : t("Conditional moves");
  }

  /** @param {string} sentence */
  complain(sentence) {
    this.complaint.textContent = sentence;
    this.complaint.hidden = sentence === "";
  }
}
