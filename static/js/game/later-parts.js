/** Parts of a game's page that are loaded later: at the end, when idle, or when they are wanted. */

import { byId, idle, loadLater, pause, runWhenIdle } from "../lib/dom.js";
import { familyOf } from "../lib/game-words.js";
import { resultCommands, share } from "./commands.js";

/** @typedef {import("./game-page.js").Game} Game */

/** Time without input after which the ghost hand shows a newcomer a choice, ms. */
const HESITATION_MS = 6000;

/** @param {Game} game */
export function laterParts(game) {
  /** @param {string} sentence */
  const tell = (sentence) => game.announcer.say(sentence);
  const isNarrow = () => Boolean(game.panel.tabs.compact);
  const chat = loadLater(
    () => import("../chat/chat.js"),
    ({ joinChat }) => joinChat,
  );
  const commentary = loadLater(
    () => idle().then(() => import("../teach/commentary.js")),
    ({ Commentary }) => new Commentary(game),
  );
  const hand = loadLater(
    () => pause(HESITATION_MS).then(() => import("../teach/ghost-hand.js")),
    ({ GhostHand }) => new GhostHand(byId("game"), game.snapshot.game),
  );
  const certainty = loadLater(
    () => idle().then(() => import("../result/certainty.js")),
    ({ Certainty }) => new Certainty(game),
  );
  const slot = document.getElementById("chat");
  if (slot) runWhenIdle(() => chat((join) => join(slot, game.panel.tabs)));
  const speaker = loadLater(
    () => import("../speech/speaker.js"),
    ({ Speaker }) => new Speaker(game),
  );
  for (const opener of document.querySelectorAll("[data-share]"))
    opener.addEventListener("click", () => share(game));
  const search = loadLater(
    () => import("../search/search-notice.js"),
    ({ SearchNotice }) => new SearchNotice(byId("asks"), tell),
  );
  let hasBegun = false;
  return {
    speaker,
    /** Speaks the changes of the draft, beginning with the first chosen square. */
    followDraft() {
      hasBegun ||= Boolean(game.surface.draft?.path.length);
      if (hasBegun) speaker((each) => each.followDraft());
    },
    conditional: () => conditional(game),
    share: loadLater(
      () => import("../share/share-sheet.js"),
      ({ ShareSheet }) => new ShareSheet(),
    ),
    balance: loadLater(
      () => idle().then(() => import("../result/balance.js")),
      ({ Balance }) =>
        new Balance(byId("balance"), [byId("far"), byId("near")], game.panel.notices),
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
    search: () => search(() => {}),
    explainer: loadLater(
      () => import("../teach/explainer.js"),
      ({ Explainer }) => new Explainer(game),
    ),
    refusals: loadLater(
      () => import("../lib/refusals.js"),
      (sentences) => sentences,
    ),
    teach() {
      teach(game, commentary, hand);
      const { you, status, claims } = game.gate.snapshot;
      const isAsked = claims || document.getElementById("territory") !== null;
      const isRated = "rated" in byId("game").dataset;
      if (isAsked && (status === "over" || (you === null && !isRated)))
        certainty((part) => part.show());
    },
    ends: loadLater(
      () => import("./end-offers.js"),
      (ends) => {
        game.panel.ends = ends;
        game.panel.showThings();
        game.showDraft();
        return ends;
      },
    ),
    setup: loadLater(
      () => import("../settings/device-settings.js"),
      ({ DeviceSettings }) =>
        new DeviceSettings(/** @type {HTMLDialogElement} */ (byId("setup")), { isNarrow }),
    ),
    rules: loadLater(
      () => import("./rules-sheet.js"),
      ({ RulesSheet }) => {
        const { snapshot } = game;
        const isUpright = () => isNarrow() || matchMedia("(orientation: portrait)").matches;
        const options = { panel: byId("inner"), snapshot, isNarrow: isUpright };
        return new RulesSheet(byId("open-rules"), options);
      },
    ),
    thoughts: loadLater(
      () => import("./thoughts-panel.js"),
      ({ ThoughtsPanel }) =>
        new ThoughtsPanel(byId("thoughts"), byId("see-thoughts"), game.panel.tabs),
    ),
  };
}

/**
 * Teaches while one plays: a remark about the newest turn, where there may be one, and the ghost hand
 * for a newcomer who hesitates.
 *
 * @param {Game} game
 * @param {(task: (commentary: import("../teach/commentary.js").Commentary) => void) => void} commentary
 * @param {(task: (hand: import("../teach/ghost-hand.js").GhostHand) => void) => void} hand
 */
function teach({ snapshot, remark }, commentary, hand) {
  const { you, status, last, key } = snapshot;
  const isTold = last.length > 0 && (you === null || familyOf(key) === "pincer");
  if (isTold || remark !== "") commentary((part) => part.show());
  if (you !== null && status === "live") hand((part) => part.show());
}

/**
 * Loads the conditional moves of a slow game when the page is idle: only its players have the sheet.
 *
 * @param {Game} game
 */
function conditional(game) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("lines"));
  const { kind } = game.snapshot.clock;
  if (dialog === null || game.hasBot || kind === "fischer" || kind === "limit") return;
  const load = loadLater(
    () => import("../slow/conditional-moves.js"),
    ({ ConditionalMoves }) => new ConditionalMoves(game, dialog, byId("open-lines")),
  );
  runWhenIdle(() =>
    load((part) => {
      game.conditional = part;
    }),
  );
}
