/** Entry of the page of a study: the analysis board, with a tree that is saved and followed. */

import "./base.js";
import { listenForCopies } from "../studies/embed-code.js";
import { StudySession } from "../studies/study-session.js";
import { board, onShow } from "./analysis-page.js";

const { study } = board.data;

if (study) {
  const session = new StudySession(board, study);
  onShow(() => session.offer());
  listenForCopies();
}
