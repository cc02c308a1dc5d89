/** The sentences of an analysis. Pure. */

import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";
import { actionsText } from "./turn-text.js";

/** @type {Record<TurnMark, () => string>} */
const MARK_NAMES = {
  best: () => t("best move"),
  fine: () => t("fine"),
  inaccuracy: () => t("inaccuracy"),
  mistake: () => t("mistake"),
  blunder: () => t("blunder"),
};

/** @type {Record<TurnMark, string>} */
export const MARK_SIGNS = { best: "★", fine: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @param {TurnMark} mark */
export const markName = (mark) => MARK_NAMES[mark]();

/**
 * A chance as whole percent.
 *
 * @param {number} chance
 * @param {string} [language]
 */
export const percentText = (chance, language = "en") =>
  chance.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });

/**
 * The change of a player's chances by a turn of that player.
 *
 * @param {TurnLoss} loss
 * @param {Wire.ByRole<string>} names
 * @param {string} [language]
 */
export function lossSentence({ role, before, after, loss, mark, isProved }, names, language) {
  const values = {
    name: names[role],
    mark: markName(mark),
    before: percentText(before, language),
    after: percentText(after, language),
  };
  if (mark === "best") return t("{name} played the best move.", values);
  if (loss < 0.005) return t("{name}’s chances stay at {after}.", values);
  if (isProved) return t("{name}’s chances go from {before} to {after}: {mark}, proved.", values);
  return t("{name}’s chances go from {before} to {after}: {mark}.", values);
}

/**
 * The sentence about the better turn; empty if there was none.
 *
 * @param {TurnLoss} loss
 */
export function betterSentence({ better }) {
  return better ? t("{turn} was better.", { turn: actionsText(better[0]) }) : "";
}

/**
 * The chances of the side that is ahead, from White's chance.
 *
 * @param {number} chance White's
 * @param {boolean} isProved
 * @param {Wire.ByRole<string>} names
 * @param {string} [language]
 */
export function standingSentence(chance, isProved, names, language) {
  const [name, own] = chance >= 0.5 ? [names.white, chance] : [names.black, 1 - chance];
  if (isProved && own === 1) return t("Proved: a win for {name}.", { name });
  if (isProved && own === 0.5) return t("Proved: it’s a draw.");
  return t("{name}: {percent} chance of winning.", {
    name,
    percent: percentText(own, language),
  });
}

/**
 * The turn of the other side if it were to move.
 *
 * @param {Pick<EngineLine, "turns" | "value"> | null} line null: it has no move
 * @param {string} name of the other side
 * @param {string} [language]
 */
export function threatSentence(line, name, language) {
  if (line === null) return t("Threat: none. {name} couldn’t move.", { name });
  const percent = percentText((1 + line.value) / 2, language);
  const turn = actionsText(line.turns[0]);
  return t("Threat: if {name} were to move, {turn} ({percent}).", { name, turn, percent });
}

/**
 * The sentence that says why the engine is unavailable; rethrows any other error.
 *
 * @param {unknown} error
 */
export function engineFault(error) {
  // The module could not be loaded: no network.
  if (error instanceof TypeError)
    return untilReconnect(t("Not connected. The engine couldn’t be loaded."));
  if (error instanceof Error && error.name === "EngineUnavailable") return error.message;
  throw error;
}
