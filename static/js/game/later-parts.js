/** Parts of a game's page that are loaded later: at the end, when idle, or with a computer player. */

import { byId, idle, loadLater, runWhenIdle } from "../lib/dom.js";
import { resultCommands } from "./commands.js";

/** @typedef {import("./game-page.js").Game} Game */

/** @param {Game} game */
export function laterParts(game) {
  /** @param {string} sentence */
  const tell = (sentence) => game.announcer.say(sentence);
  const chat = loadLater(
    () => import("../chat/chat.js"),
    ({ joinChat }) => joinChat,
  );
  const slot = document.getElementById("chat");
  if (slot) runWhenIdle(() => chat((join) => join(slot, game.panel.tabs)));
  const { clock, you } = game.snapshot;
  if (clock.begin && you && !clock.begin.shown.includes(you)) {
    import("./page-shown.js").then(({ reportShown }) => reportShown(game));
  }
  return {
    balance: loadLater(
      () => idle().then(() => import("../result/balance.js")),
      ({ Balance }) => new Balance(byId("balance"), [byId("far"), byId("near")]),
    ),
    result: loadLater(
      () => import("../result/result-sheet.js"),
      ({ ResultSheet }) => {
        const parts = { sheet: byId("result"), row: byId("after"), panel: byId("side") };
        game.result = new ResultSheet(parts, resultCommands(game));
        return game.result;
      },
    ),
    computer: loadLater(
      () => import("./computer-notice.js"),
      ({ ComputerNotice }) => new ComputerNotice(game.panel.notices, tell),
    ),
    thoughts: loadLater(
      () => import("./thoughts-panel.js"),
      ({ ThoughtsPanel }) =>
        new ThoughtsPanel(byId("thoughts"), byId("see-thoughts"), game.panel.tabs),
    ),
  };
}
