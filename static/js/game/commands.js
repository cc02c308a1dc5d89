/** Commands of the game page: what its buttons, its keys and its text field do. */

import { byId, find } from "../lib/dom.js";
import { leaveFor } from "../lib/leave.js";
import { pressedKey } from "../lib/pressed-key.js";
import { t } from "../lib/text.js";
import { lookAt } from "../replay/replay.js";

/**
 * Opens the share sheet for the shown position.
 *
 * @param {import("./game-page.js").Game} game
 */
export function share({ later, gate, replay, record, fetcher }) {
  /** @type {HTMLDialogElement} */ (byId("setup")).close();
  const shared = { snapshot: gate.snapshot, turn: replay.isBack ? replay.shown : null };
  later.share((sheet) => sheet.open(shared, { record, fetcher }));
}

/**
 * Returns the command of each button, by name (see action-buttons.js, status-block.js and offers.js).
 *
 * @param {import("./game-page.js").Game} game
 * @returns {Commands}
 */
export function buttonCommands(game) {
  // An answer names the offer that it is meant for: arriving late, it answers no later one.
  /** @type {(what: "draw" | "takeback") => (word: string) => () => boolean} */
  const deal = (what) => (word) => () => {
    const rev = game.snapshot.offers[what]?.rev ?? null;
    return game.ask({ t: what, do: word, rev });
  };
  const [draw, takeback] = [deal("draw"), deal("takeback")];
  /** @type {(command: () => unknown) => () => unknown} */
  const confirmed = (command) => () => {
    game.panel.ask(null);
    return command();
  };
  /** @param {string} as */
  const claim = (as) => () => game.ask({ t: "claim", as });
  return {
    ask: (/** @type {Wire.SideAction} */ what) => game.panel.ask(what),
    keepPlaying: () => game.panel.ask(null),
    resign: confirmed(() => game.ask({ t: "resign" })),
    abort: confirmed(() => game.ask({ t: "abort" })),
    offer: confirmed(draw("offer")),
    withdraw: draw("withdraw"),
    accept: draw("accept"),
    decline: draw("decline"),
    askBack: confirmed(takeback("offer")),
    keepTurn: takeback("withdraw"),
    giveBack: takeback("accept"),
    refuseBack: takeback("decline"),
    claim: claim("quiet"),
    claimWin: claim("victory"),
    claimDraw: claim("draw"),
    count: confirmed(() => game.ask({ t: "count" })),
    askClaim: () => game.panel.ask("claim_decided"),
    claimDecided: confirmed(() => game.ask({ t: "claim_decided", step: game.snapshot.step })),
    flip: () => game.flip(),
    undo: () => game.surface.undo(),
    keep: () => game.surface.keep(),
    submit: () => game.surface.submit(),
    share: () => share(game),
    setup: () => game.later.setup((sheet) => sheet.toggle(byId("open-setup"))),
    look: (/** @type {ReplayView} */ view) => game.look(view),
    lookAt: (/** @type {number} */ turn) => game.look(lookAt(game.replay.look, turn)),
    flag: () => game.connection.send({ t: "flag" }),
  };
}

/**
 * Returns the commands of the result sheet. A spectator is taken along to a rematch unless he looks back or
 * has begun to write.
 *
 * @param {import("./game-page.js").Game} game
 */
export function resultCommands(game) {
  return {
    share: () => share(game),
    leave: leaveFor,
    tell: (/** @type {string} */ sentence) => game.announcer.say(sentence),
    bring: () => {
      if (!document.activeElement?.closest(".chat")) game.panel.tabs.bring("turn");
    },
    mayLeave: () => {
      const field = document.activeElement;
      const writes = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
      return !game.replay.isBack && !(writes && field.type !== "range" && field.value !== "");
    },
  };
}

/**
 * The words that can be typed; each gives why it cannot be done, or null.
 *
 * @param {import("./game-page.js").Game} game
 */
export function wordCommands(game) {
  const offers = () => game.snapshot.offers;
  /** @param {"draw" | "takeback"} kind */
  const theirs = (kind) => Boolean(offers()[kind]) && offers()[kind]?.by !== game.snapshot.you;
  /** @type {(word: Wire.SideAction, why: string, command: () => unknown) => () => string | null} */
  const may = (word, why, command) => () => {
    if (!game.snapshot.may.includes(word)) return why;
    command();
    return null;
  };
  /** @type {(kind: "draw" | "takeback", why: string) => () => string | null} */
  const answer = (kind, why) => () => {
    if (theirs(kind)) game.ask({ t: kind, do: "accept", rev: offers()[kind]?.rev });
    else return may(kind, why, () => game.ask({ t: kind, do: "offer" }))();
    return null;
  };
  return {
    resign: may("resign", t("You can’t resign now."), () => game.ask({ t: "resign" })),
    draw: answer("draw", t("You can’t offer a draw now.")),
    takeback: answer("takeback", t("There’s no move to take back.")),
    count: may("count", t("You can’t count squares now."), () => game.panel.ask("count")),
    flip: () => (game.surface.flips ? game.flip() : t("This board can’t be flipped.")),
    back: () => game.back(),
  };
}

const TEXT_FIELDS = "input, textarea, select, [contenteditable]";

/** @type {Record<string, string>} */
const REPLAY_KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * `commands`: {look(step), types() whether turns can be typed, type(), escape(), send(), zen()}. Arrows
 * look back and forward where they have no other meaning; a slash goes to the field; Enter sends what
 * waits where it presses nothing; Z switches zen mode, N goes to the next game.
 *
 * @param {KeyCommands} commands
 */
export function listenKeys(commands) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = pressedKey(event);
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog:modal")) return;
    if (key === "Escape") commands.escape();
    if (target.closest(TEXT_FIELDS)) return;
    if (key === "/" && commands.types()) {
      event.preventDefault();
      commands.type();
    } else if (key in REPLAY_KEYS && !target.closest(".grid, .troops, .chat")) {
      event.preventDefault();
      commands.look(REPLAY_KEYS[key]);
    } else if (key === "Enter" && target === document.body) commands.send();
    else if (key === "z") commands.zen();
    else if (key === "n") commands.next();
  });
}

/** Each word that can be typed, and the reader's own for it. */
const COMMAND_WORDS = {
  resign: t("resign"),
  draw: t("draw"),
  takeback: t("takeback"),
  count: t("count"),
  flip: t("flip"),
  back: t("back"),
};

/**
 * The word that was typed, or null if it is no word but notation. Pure.
 *
 * @param {string} text
 */
export function commandWord(text) {
  const plain = text.trim();
  /** @param {string} each */
  const low = (each) => each.toLocaleLowerCase(globalThis.document?.documentElement.lang || "en");
  const found = Object.entries(COMMAND_WORDS).find(
    ([word, own]) => plain.toLowerCase() === word || low(plain) === low(own),
  );
  return found ? found[0] : null;
}

/** @type {Record<string, string>} */
const INPUT_HELP = {
  blotto: t("Three numbers that add up to ten, such as 5 1 4. Or type resign, draw, flip or back."),
  pincer: t("A move, such as a5-b5 a7-a6. Or type resign, draw, takeback, flip or back."),
  amazons: t("A move, such as d1-d7/g7. Or type resign, draw, takeback, flip or back."),
};

export class CommandInput {
  /**
   * `play(text)` → {ok, say}; `commands[word]()` → a sentence that says why not, or null.
   *
   * @param {HTMLElement} form
   * @param {string} family
   * @param {InputOptions} options
   */
  constructor(form, family, { play, commands, onSaid, onFocus }) {
    this.form = form;
    this.play = play;
    this.commands = commands;
    this.onSaid = onSaid;
    /** @type {HTMLInputElement} */
    this.field = find(form, "#type");
    this.words = find(form, "#typed-say");
    this.help = INPUT_HELP[family];
    this.say(null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    this.field.addEventListener("focus", onFocus);
    this.field.addEventListener("input", () => this.say(null));
    this.field.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Escape empties the field, then leaves it; the key that leads to the field is no notation yet.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    const isEmpty = this.field.value === "";
    if (pressedKey(event) === "/" && isEmpty) event.preventDefault();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (isEmpty) this.field.blur();
    this.field.value = "";
    this.say(null);
  }

  async enter() {
    const text = this.field.value;
    const word = commandWord(text);
    const { ok, say } = word ? this.command(word) : await this.play(text);
    if (ok) this.field.value = "";
    this.say(ok ? null : (say ?? t("You can’t play that.")));
    if (ok && say) this.onSaid(say);
  }

  /** @param {string} word */
  command(word) {
    const why = this.commands[word]();
    return { ok: why === null, say: why };
  }

  /**
   * Shows why the input was refused; null: shows what can be typed.
   *
   * @param {string | null} error
   */
  say(error) {
    this.field.setAttribute("aria-invalid", String(error !== null));
    this.words.classList.toggle("error", error !== null);
    this.words.textContent = error ?? this.help;
    if (error) this.onSaid(error);
  }

  /** The game is over: nothing is typed any more; the place stays, the focus goes to what is left. */
  end() {
    if (document.activeElement === this.field) byId("acts").focus();
    this.form.classList.add("empty");
    this.field.disabled = true;
  }

  focus() {
    this.field.focus();
    this.field.select();
  }
}
