/** Asks the server why a click has chosen nothing, and shows the answer: the sentence and the squares. */

import { afterDraft } from "../board/occupancy.js";
import { questionOf, signatureOf, squaresToMark } from "../board/refused-tap.js";
import { EXPLAIN_ID } from "../lib/pending-requests.js";
import { refusalSentence } from "../lib/refusals.js";

export class Explainer {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    this.asked = 0;
    /** The question that waits for its answer. @type {OpenQuestion | null} */
    this.open = null;
  }

  /**
   * Asks about a click. Without a connection nothing is asked, and above five questions a second the
   * server drops them: then the piece has only been shaken.
   *
   * @param {RefusedTap} tap
   */
  ask({ square, draft, board, signature }) {
    const { snapshot, connection } = this.game;
    if (snapshot.you === null) return;
    const { marks } = afterDraft(board.shown.view, draft);
    const squares = questionOf(draft, square, marks, snapshot.you);
    const id = `${EXPLAIN_ID}${this.asked}`;
    if (!connection.send({ t: "explain", id, step: snapshot.step, squares })) return;
    this.asked += 1;
    this.open = { id, board, marks, signature, step: snapshot.step };
  }

  /**
   * Shows an answer, unless the draft has changed since the question.
   *
   * @param {Wire.Explained} answer
   */
  receive({ id, code, squares, say }) {
    const { open, game } = this;
    if (open?.id !== id) return;
    this.open = null;
    const { board, marks, signature, step } = open;
    const changed = signatureOf(board.activeDraft) !== signature || game.snapshot.step !== step;
    if (changed || code === null) return;
    const sentence = refusalSentence({ code, squares, say }, (square) => marks.get(square));
    board.replyMarks.explain(sentence, squaresToMark(code, squares), signature);
    board.refresh();
    game.announcer.sayNow(sentence);
  }
}
