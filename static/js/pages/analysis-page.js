/** Entry of the analysis board: board, engine, review, moves, notes and territory put together. */

import "./base.js";
import { hashOf, parseHash } from "../analysis/address.js";
import { AnalysisBoard } from "../analysis/analysis-board.js";
import { BetterTurn } from "../analysis/better-turn.js";
import { BoardOverlay } from "../analysis/board-overlay.js";
import { EnginePanel } from "../analysis/engine-panel.js";
import { ExplorerPanel } from "../analysis/explorer-panel.js";
import { LineNavigation } from "../analysis/line-navigation.js";
import { MovesPanel } from "../analysis/moves-panel.js";
import { NotesPanel } from "../analysis/notes-panel.js";
import { PlayOn } from "../analysis/play-on.js";
import { ReviewPanel } from "../analysis/review-panel.js";
import { lossSentence } from "../analysis/sentences.js";
import { TerritoryPanel } from "../analysis/territory-panel.js";
import { ThreatPanel } from "../analysis/threat-panel.js";
import { requestTree } from "../analysis/tree-requests.js";
import { copyText } from "../lib/clipboard.js";
import { byId, readJson } from "../lib/dom.js";
import { pressedKey } from "../lib/pressed-key.js";
import { t } from "../lib/text.js";
import { offerStudy } from "../studies/save-study.js";

const language = document.documentElement.lang;

/** @type {AnalysisData} */
const data = readJson("analysis");

const url = byId("analysis-root").dataset.url ?? "";

export const board = new AnalysisBoard(data, url, {
  onShow: show,
  onTurn: (index) => betterTurn.judge(index),
});

const { tree } = board;

const overlay = new BoardOverlay(board.board);

const engine = new EnginePanel(data.key, {
  names: data.names,
  language,
  onTurn: (actions) => board.play(actions),
  onBest: (actions) => overlay.showBest(actions),
});

const betterTurn = new BetterTurn(board, { engine, language });

const threat = new ThreatPanel(data.key, {
  names: data.names,
  language,
  onThreat: (actions) => overlay.showThreat(actions),
});

const territory = document.getElementById("territory-toggle")
  ? new TerritoryPanel(data.key, {
      names: data.names,
      onTurn: (isOn) => board.askStandings(isOn),
      onRegions: (regions) => overlay.showRegions(regions),
    })
  : null;

const notes = new NotesPanel(board);
const explorer = new ExplorerPanel(language, (actions) => board.play(actions));

const moves = new MovesPanel(byId("moves"), tree, choose);

const playOn = new PlayOn(tree);

const review = document.getElementById("review-start")
  ? new ReviewPanel(data.key, tree, {
      names: data.names,
      language,
      onChoose: choose,
      onRetry: retry,
      onPlayOn(loss) {
        choose(loss.turn - 2);
        playOn.focus();
      },
      published: data.review,
      mayPublish: data.mayPublish,
      onLosses(losses) {
        moves.mark(losses);
        moves.show(board.at);
        showVerdict();
      },
    })
  : null;

/** @type {(() => void)[]} */
const listeners = [];

/**
 * Calls a function whenever the tree or the place in it may have changed.
 *
 * @param {() => void} listener
 */
export const onShow = (listener) => listeners.push(listener);

/** @param {number} index */
function choose(index) {
  betterTurn.end();
  board.go(index);
}

/** @param {TurnLoss} loss */
function retry(loss) {
  choose(loss.turn - 2);
  betterTurn.begin(loss);
}

function show() {
  moves.show(board.at);
  byId("no-moves").hidden = tree.nodes.length > 0;
  byId("position").textContent = board.position.position;
  notes.show();
  engine.show(board.position);
  threat.show(board.position);
  territory?.show(board.standing);
  explorer.show(board.position);
  playOn.show(board.at);
  review?.moveTo(tree.isOfGame(board.at) ? board.at + 1 : 0);
  navigation.show();
  showVerdict();
  writeAddressSoon();
  for (const listener of listeners) listener();
}

function showVerdict() {
  if (betterTurn.isOn) return;
  if (fault) {
    byId("verdict").textContent = fault;
    fault = "";
    return;
  }
  const loss = tree.isOfGame(board.at)
    ? review?.losses.find(({ turn }) => turn === board.at + 1)
    : undefined;
  byId("verdict").textContent = loss ? lossSentence(loss, data.names, language) : "";
}

const navigation = new LineNavigation(tree, { placeOf: () => board.at, onChoose: choose });

/** Key of the threat, active outside of text fields. */
const THREAT_KEY = "t";

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches?.("input:not([type=range]), textarea")) return;
  if (pressedKey(event) === THREAT_KEY) threat.turn(!threat.isOn);
});

/* The address. */

/** Browsers refuse an address that changes with each letter of a comment. */
const ADDRESS_DELAY_MS = 200;

let addressTimer = 0;

function writeAddressSoon() {
  clearTimeout(addressTimer);
  addressTimer = window.setTimeout(writeAddress, ADDRESS_DELAY_MS);
}

/** Writes the tree into the address; returns whether it fits. */
function writeAddress() {
  clearTimeout(addressTimer);
  const hash = data.study
    ? hashOf(board.at, [])
    : hashOf(board.at, tree.variations, tree.gameNotes);
  byId("too-long").hidden = hash !== null;
  if (hash !== null) history.replaceState(null, "", hash);
  return hash !== null;
}

addEventListener("pagehide", writeAddress);

byId("copy-link").addEventListener("click", async () => {
  const isWhole = writeAddress();
  const isCopied = isWhole && (await copyText(location.href));
  if (isCopied) byId("copy-say").textContent = t("Copied.");
  else if (isWhole)
    byId("copy-say").textContent = t("Not copied. Copy the address of this page instead.");
  else byId("copy-say").textContent = t("There are too many variations for a link.");
});

/** The fault of the address; empty if there is none. */
let fault = "";

/**
 * Adds the variations of an address, which the server plays.
 *
 * @param {Variation[]} variations
 */
async function addVariations(variations) {
  const main = tree.nodes.map(({ parent, actions }) => ({ parent, actions }));
  const turns = variations.map(({ parent, actions }) => ({ parent, actions }));
  const reply = await requestTree(url, { nodes: [...main, ...turns] });
  if ("nodes" in reply)
    reply.nodes.slice(main.length).forEach((node, index) => {
      const { comment, mark } = variations[index];
      tree.add({ ...node, comment, mark });
    });
  else fault = "error" in reply ? reply.error : t("The variations in this link aren’t legal here.");
}

/** Shows the contents of the address: a place, variations, and notes. */
async function openAddress() {
  const found = parseHash(location.hash);
  if (!found && location.hash.length > 1)
    fault = t("This link is cut off or damaged. Its variations are missing.");
  if (found?.variations.length && !data.study) await addVariations(found.variations);
  for (const { index, ...each } of found?.notes ?? [])
    if (tree.isOfGame(index)) tree.annotate(index, each);
  const at = found && found.at < tree.nodes.length ? found.at : tree.mainCount - 1;
  board.go(at);
}

review?.showPublished();
openAddress();

/* Studies. */

const saveStudy = document.getElementById("save-study");
if (saveStudy)
  offerStudy(saveStudy, board, (say) => {
    byId("copy-say").textContent = say;
  });
