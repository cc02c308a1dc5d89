/** “Save as a study” on an analysis board: keeps the tree, and opens the study at the same turn. */

import { t } from "../lib/text.js";
import { postStudy, studyNodes } from "./study-requests.js";

/**
 * @param {HTMLElement} button whose `data-game` is the slug of the board's game, if it has one
 * @param {import("../analysis/analysis-board.js").AnalysisBoard} board
 * @param {(say: string) => void} onSay told why nothing was saved
 */
export function offerStudy(button, board, onSay) {
  const { data, tree } = board;
  button.addEventListener("click", async () => {
    onSay(t("Saving…"));
    const { game, title } = button.dataset;
    const body = {
      rules: data.key,
      title: title ?? "",
      nodes: studyNodes(tree.nodes),
      ...(game ? { game } : {}),
    };
    const reply = await postStudy("/studies/new", JSON.stringify(body));
    if ("done" in reply && reply.done.url) location.assign(`${reply.done.url}#${board.at}`);
    else if ("failed" in reply) onSay(reply.failed);
  });
}
