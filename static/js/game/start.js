/** Start the game page: make it from the embedded state, and listen for keys and for the network. */

import { byId, find, readJson } from "../lib/dom.js";
import { playSound } from "../lib/sounds.js";
import { VIEW_STEPS } from "../replay/replay.js";
import { BoardSize } from "./board-size.js";
import { listenKeys } from "./commands.js";
import { SoundButton, SoundQuestion } from "./device-settings.js";
import { Game } from "./game-page.js";

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
  if (snapshot.you !== null && snapshot.status === "live")
    new SoundQuestion(byId("sound-question"), playSample);
  listenKeys({
    look: (step) => game.look(VIEW_STEPS[/** @type {StepName} */ (step)](game.replay.look)),
    types: () => game.types,
    type: () => game.beginTyping(),
    escape: () => game.escape(),
    send: () => game.surface.submit(),
  });
  addEventListener("hashchange", () => game.lookAtAddress());
}
