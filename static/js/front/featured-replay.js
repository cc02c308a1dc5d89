/** The replay of a finished game on the large board of the front page: a move every two seconds. */

import { whenVisible } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { GameRecord, pastPosition } from "../replay/record.js";

const TURN_MS = 2000;

/** Time for which the end of the game stays before the replay begins anew. */
const END_MS = 8000;

/**
 * @param {string} url of the game's page
 * @param {AbortSignal} signal
 * @returns {Promise<GameRecord | null>} null if it could not be fetched
 */
async function fetchRecord(url, signal) {
  try {
    const answer = await fetch(`${url}steps?from=0`, {
      headers: { Accept: "application/json" },
      signal,
    });
    if (!answer.ok) return null;
    const { steps, start } = await answer.json();
    const record = new GameRecord(steps);
    record.start = start;
    return record;
  } catch (error) {
    // No network, or stopped: the last position stays on the board.
    if (error instanceof TypeError || signal.aborted) return null;
    throw error;
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>} also resolved when the signal is aborted
 */
function wait(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * The number of the last move that was made, or of the last round that was opened.
 *
 * @param {string} key
 * @param {number} count
 */
const progressText = (key, count) =>
  key === "blotto" ? t("round {count}", { count }) : t("move {count}", { count });

/**
 * Shows a finished game turn by turn, again and again, until the signal is aborted. `onTurn` gets the
 * position, the steps that led to it, and the number of the move or the result in words.
 *
 * @param {Wire.Featured} game
 * @param {{ signal: AbortSignal, onTurn: (position: { view: Wire.View, last: Wire.ResolvedStep[] }, steps: Wire.ResolvedStep[], progress: string) => void }} options
 */
export async function replayGame(game, { signal, onTurn }) {
  await wait(TURN_MS, signal); // with the end of the game, which the page came with
  const record = await fetchRecord(game.url, signal);
  const turns = record?.turns() ?? [];
  if (record === null || turns.length === 0) return;
  for (let turn = 0; !signal.aborted; turn = (turn + 1) % (turns.length + 1)) {
    await whenVisible();
    const position = pastPosition(turns, record.start, turn);
    if (signal.aborted || position === null) return;
    const isEnd = turn === turns.length;
    onTurn(position, position.last, isEnd ? game.result : progressText(game.key, turn));
    await wait(isEnd ? END_MS : TURN_MS, signal);
  }
}
