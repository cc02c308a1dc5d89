/** What a newer snapshot has brought, in a sentence and a sound. Pure. */

import { told } from "../board/speech.js";
import { answerOf } from "../panel/offers.js";

function soundOf(turns, own) {
  const kinds = new Set(turns.flatMap(({ effects }) => effects.map(({ kind }) => kind)));
  if (kinds.has("count")) return "reveal";
  if (kinds.has("remove")) return "capture";
  return own ? "own" : "action";
}

/**
 * {answer: what became of an offer or null, said: what happened, begins: one's own go, ends: the
 * game, sound: its name or null}. `fresh`: the turns that are new; `own`: the hand had shown them.
 */
export function newsOf(before, next, fresh, own) {
  const { seats, key, prompt, status } = next;
  const names = { white: seats.white.name, black: seats.black.name };
  const answer = answerOf(before, next);
  const happened = fresh.length > 0 ? told(fresh, names, key) : null;
  const ends = status === "over" && before.status !== "over";
  return {
    answer,
    said: [answer, happened].filter(Boolean),
    begins: Boolean(prompt) && (!before.prompt || fresh.length > 0),
    ends,
    sound: ends ? "end" : fresh.length > 0 ? soundOf(fresh, own) : null,
  };
}
