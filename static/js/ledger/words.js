/** A ledger's entries in words. Pure. Entries of every age are told: what one lacks is left out. */

import { nameOf } from "../board/geometry.js";
import { familyOf } from "../board/speech.js";
import { clockText } from "../clock.js";
import { resultOf } from "../panel/words.js";
import { t, tn } from "../text.js";
import { short } from "./mark.js";
import { awayWords } from "./times.js";

/** "move 4 1 4 7" as "d1-d7", "fire 7 7" as "/g7", "play 4 1 4 7 7 7" as both, "troops 5 4 1" as "5 4 1". */
export function spelled(action) {
  const [word, ...numbers] = action.split(" ");
  if (word === "troops") return numbers.join(" ");
  const squares = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    squares.push(nameOf(Number(numbers[at]), Number(numbers[at + 1])));
  }
  if (word === "fire") return `/${squares[0]}`;
  const [start, end, arrow = start] = squares;
  return arrow === start ? `${start}-${end}` : `${start}-${end}/${arrow}`;
}

function actWords({ body }, { name, key, seats }) {
  if (body.reveal) {
    const [white, black] = ["white", "black"].map((side) => spelled(body.reveal[side].action));
    return t("{name} seals, and both are opened: {first} {ours}, {second} {theirs}.", {
      name,
      first: seats.white.name,
      ours: white,
      second: seats.black.name,
      theirs: black,
    });
  }
  if (body.commitment) return t("{name} seals: {mark}.", { name, mark: short(body.commitment) });
  if (!Array.isArray(body.actions)) return t("{name} plays.", { name });
  const go = body.actions.map(spelled).join(familyOf(key) === "pincer" ? " " : "");
  return t("{name} plays {go}.", { name, go });
}

const KINDS = {
  open: () => t("The game begins."),
  act: actWords,
  resign: (entry, { name }) => t("{name} resigns.", { name }),
  abort: (entry, { name }) => t("{name} calls the game off.", { name }),
  "draw-offer": (entry, { name }) => t("{name} offers a draw.", { name }),
  "draw-accept": (entry, { name }) => t("{name} agrees to the draw.", { name }),
  "draw-decline": (entry, { name }) => t("{name} declines the draw.", { name }),
  "draw-withdraw": (entry, { name }) => t("{name} takes the offer of a draw back.", { name }),
  "takeback-offer": (entry, { name }) => t("{name} asks to take a go back.", { name }),
  "takeback-accept": (entry, { name }) => t("{name} agrees: the go is taken back.", { name }),
  "takeback-decline": (entry, { name }) => t("{name} declines the takeback.", { name }),
  "takeback-withdraw": (entry, { name }) => t("{name} no longer asks to take a go back.", { name }),
  claim: (entry, { name }) => t("{name} claims a draw.", { name }),
  "claim-victory": (entry, { name }) => t("{name} claims the win: the other side is gone.", { name }),
  "claim-draw": (entry, { name }) => t("{name} calls it a draw: the other side is gone.", { name }),
  flag: () => t("A clock has run out."),
  idle: () => t("Nobody has acted for seven days."),
  credit: ({ body }) => awayWords(body.ms).join(" "),
};

/** What an entry tells, as a sentence or two; `game`: {key, seats}. */
export function entryWords(entry, game) {
  const name = game.seats[entry.role]?.name ?? "";
  const body = entry.body ?? {};
  const say = KINDS[entry.kind] ?? (() => entry.kind);
  const sentence = say({ ...entry, body }, { ...game, name });
  if (!body.result) return sentence;
  const outcome = { ...body.result, winner: body.result.winner || null };
  return `${sentence} ${resultOf({ outcome, seats: game.seats })}`;
}

/** What both clocks showed after an entry: "ada 4:58, bob 5:00"; "" where none was kept. */
export function clockWords({ clock }, seats) {
  if (typeof clock?.white !== "number" || typeof clock.black !== "number") return "";
  const [white, black] = [clock.white, clock.black].map((left) => clockText(left, { live: false }));
  return t("{first} {ours}, {second} {theirs}", {
    first: seats.white.name,
    ours: white,
    second: seats.black.name,
    theirs: black,
  });
}

const FAULTS = {
  hash: ({ number }) => t("Entry {number}: its hash does not belong to its text and the entry before.", { number }),
  unreadable: ({ number }) => t("Entry {number} cannot be read.", { number }),
  game: ({ number }) => t("Entry {number} belongs to another game.", { number }),
  gap: ({ number }) => t("An entry is missing before entry {number}.", { number }),
  seal: ({ number }) => t("Entry {number}: the opened orders are not those that were sealed.", { number }),
  unopened: ({ number }) => t("Entry {number}: both had sealed, and nothing was opened.", { number }),
  head: () => t("The ledger does not end with its newest entry."),
};

/** The sentence for a fault that `checked` has found. */
export function faultWords({ index, rev, kind }) {
  return FAULTS[kind]({ number: rev ?? index });
}

/** What a check has found, in sentences: the first tells whether all is well. */
export function checkWords({ entries, seals, faults }) {
  if (faults.length > 0) return [t("The ledger is not whole."), ...faults.map(faultWords)];
  const chain = tn(
    "The chain of {count} entry is whole.",
    "The chain of {count} entries is whole: none was changed, left out or put in between.",
    entries,
  );
  if (seals === 0) return [chain];
  return [chain, tn("{count} opened seal fits.", "{count} opened seals fit.", seals)];
}

/** What this browser's receipts say of the ledger: {ok, say}; null without any. */
export function receiptWords({ fits, lost, other }) {
  if (fits.size + lost.length + other.length === 0) return null;
  if (lost.length + other.length === 0) {
    const say = tn(
      "The receipt that this browser got in this tab stands in it.",
      "All {count} receipts that this browser got in this tab stand in it.",
      fits.size,
    );
    return { ok: true, say: [say] };
  }
  const say = [
    t("This ledger is not the one that you were given receipts of."),
    ...lost.map(({ rev, hash }) => t("Entry {rev} is missing: your receipt says {mark}.", { rev, mark: short(hash) })),
    ...other.map(({ rev, hash }) => t("Entry {rev} is another: your receipt says {mark}.", { rev, mark: short(hash) })),
  ];
  return { ok: false, say };
}
