/** What a newer snapshot has brought, in a sentence and a sound. Pure. */

import { told } from "../board/speech.js";
import { awayWords } from "../ledger/times.js";
import { answerOf } from "../panel/offers.js";

const NOTED = 1000; // ms: less than a second given back is not worth a notice

function soundOf(turns, own) {
  const kinds = new Set(turns.flatMap(({ effects }) => effects.map(({ kind }) => kind)));
  if (kinds.has("count")) return "reveal";
  if (kinds.has("remove")) return "capture";
  return own ? "own" : "action";
}

/** Time in which no server was there, in ms, that the clocks got back: within a turn, nothing else
 * moves the moment from which they run. */
function awayIn(before, next) {
  const same = next.turn === before.turn && (next.takebacks ?? 0) === (before.takebacks ?? 0);
  const runs = next.status === "live" && next.clock.running.length > 0;
  const gift = next.clock.since - before.clock.since;
  return same && runs && gift >= NOTED ? gift : 0;
}

/**
 * {away: a notice in two lines or null, answer: what became of an offer or null, said: what happened, begins: one's own go, ends: the
 * game, sound: its name or null}. `fresh`: the turns that are new; `own`: the hand had shown them.
 */
export function newsOf(before, next, fresh, own) {
  const { seats, key, prompt, status } = next;
  const names = { white: seats.white.name, black: seats.black.name };
  const answer = answerOf(before, next);
  const happened = fresh.length > 0 ? told(fresh, names, key) : null;
  const gift = awayIn(before, next);
  const away = gift > 0 ? awayWords(gift) : null;
  const ends = status === "over" && before.status !== "over";
  return {
    away,
    answer,
    said: [away?.join(" "), answer, happened].filter(Boolean),
    begins: Boolean(prompt) && (!before.prompt || fresh.length > 0),
    ends,
    sound: ends ? "end" : fresh.length > 0 ? soundOf(fresh, own) : null,
  };
}
