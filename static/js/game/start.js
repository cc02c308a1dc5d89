/** Start the game page: make it from the embedded state, and listen for keys and for the network. */

import { byId, find, loadLater, readJson, runWhenIdle } from "../lib/dom.js";
import { chooseSetting, onSettings, setting } from "../lib/settings.js";
import { playSound } from "../lib/sounds.js";
import { VIEW_STEPS } from "../replay/replay.js";
import { SoundButton, SoundQuestion } from "../settings/sound-settings.js";
import { goToNextGame } from "../slow/next-game.js";
import { listenLetters } from "../speech/letter-keys.js";
import { summaryOf } from "../speech/summary.js";
import { BoardSize } from "./board-size.js";
import { listenKeys } from "./commands.js";
import { Game } from "./game-page.js";

/**
 * Loads what asks, after the reader's first turn, whether to be told of the next ones.
 *
 * @param {HTMLElement} question
 */
function askAboutPush(question) {
  const withAsk = loadLater(
    () => import("../notices/ask.js"),
    ({ askLater }) => askLater,
  );
  runWhenIdle(() => withAsk((askLater) => askLater(question)));
}

/**
 * Starts the page of a game on the surface that `surfaceOf` makes.
 *
 * @template {Wire.Snapshot} S
 * @param {MakeSurface<S>} surfaceOf
 */
export function startGamePage(surfaceOf) {
  /** @type {S} */
  const snapshot = readJson("snapshot");
  const game = new Game(snapshot, readJson("played-steps"), (sides, events) =>
    surfaceOf(snapshot, sides, events),
  );
  new BoardSize(byId("resize"), find(byId("game"), ".table"));
  const playSample = () => playSound("own");
  new SoundButton(byId("speaker"), playSample);
  if (snapshot.you !== null && snapshot.status === "live") {
    new SoundQuestion(byId("sound-question"), playSample);
  }
  byId("open-rules").addEventListener("click", () => {
    /** @type {HTMLDialogElement} */ (byId("setup")).close();
    game.later.rules((sheet) => sheet.toggle());
  });
  const withZenMode = loadLater(
    () => import("../settings/zen-mode.js"),
    ({ ZenMode }) => new ZenMode(game),
  );
  const showZenMode = () => {
    if (setting("zen") === "on") withZenMode((mode) => mode.show());
  };
  onSettings(showZenMode);
  showZenMode();
  listenKeys({
    look: (step) => game.look(VIEW_STEPS[/** @type {StepName} */ (step)](game.replay.look)),
    types: () => game.types,
    type: () => game.beginTyping(),
    escape: () => game.escape(),
    zen: () => {
      if (setting("letters") === "on") chooseSetting("zen", setting("zen") === "on" ? "off" : "on");
    },
    next: () => {
      if (setting("letters") === "on") goToNextGame();
    },
    send: () => game.surface.submit(),
  });
  const board = document.getElementById("board") ?? byId("troops");
  listenLetters(board, (key) => game.later.speaker((speaker) => speaker.read(key)));
  const arrive = () => game.announcer.say(summaryOf(game.gate.snapshot, game.sentence));
  runWhenIdle(() => game.gate.whenTold(arrive));
  if (byId("game").dataset.searches) game.later.search();
  const pushAsk = document.getElementById("push-ask");
  if (pushAsk) askAboutPush(pushAsk);
  addEventListener("hashchange", () => game.lookAtAddress());
  return game;
}
