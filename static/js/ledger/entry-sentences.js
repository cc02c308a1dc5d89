/** A ledger's entries, faults and receipts in sentences. Pure. Missing fields are left out. */

import { nameOf } from "../drawing/geometry.js";
import { clockText, creditSentences, momentText } from "../lib/clock.js";
import { familyOf, shortHash } from "../lib/game-words.js";
import { resultSentence } from "../lib/result-words.js";
import { t, tn } from "../lib/text.js";

/**
 * "move 4 1 4 7" as "d1-d7", "fire 7 7" as "/g7", "play 4 1 4 7 7 7" as both, "troops 5 4 1" as "5 4 1".
 *
 * @param {string} action
 */
export function actionText(action) {
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

/**
 * @param {Wire.LedgerEntry} entry
 * @param {NamedGame & { name: string }} game
 */
function actSentence({ body }, { name, key, seats }) {
  const { reveal } = body;
  if (reveal) {
    const [white, black] = /** @type {Role[]} */ (["white", "black"]).map((side) =>
      actionText(reveal[side].action),
    );
    return t("{name} seals, and both are revealed: {first} {ours}, {second} {theirs}.", {
      name,
      first: seats.white.name,
      ours: white,
      second: seats.black.name,
      theirs: black,
    });
  }
  if (body.commitment)
    return t("{name} seals: {mark}.", { name, mark: shortHash(body.commitment) });
  if (!Array.isArray(body.actions)) return t("{name} plays.", { name });
  const turn = body.actions.map(actionText).join(familyOf(key) === "pincer" ? " " : "");
  if (body.ahead) return t("{name} plays {turn} (played ahead).", { name, turn });
  return t("{name} plays {turn}.", { name, turn });
}

/**
 * A claim that the game is decided, with the two bounds that prove it.
 *
 * @param {Wire.LedgerEntry} entry
 * @param {NamedGame & { name: string }} game
 */
function claimSentence({ body }, { name, key }) {
  const { witness } = body;
  if (!witness) return t("{name} claims the win.", { name });
  const { least, most, line } = witness;
  const slots = { name, least, most };
  if (key === "blotto")
    return t("{name} claims the win: {least} points ahead, and at most {most} can change.", slots);
  if (line.length === 0)
    return t("{name} claims the win: {least} sure squares against at most {most}.", slots);
  return t("{name} claims the win: {least} sure moves against at most {most}.", slots);
}

/** @type {Record<string, (entry: Wire.LedgerEntry, game: NamedGame & { name: string }) => string>} */
const KINDS = {
  open: ({ body }) =>
    typeof body.given === "number"
      ? tn(
          "The game begins after {count} given move.",
          "The game begins after {count} given moves.",
          body.given,
        )
      : t("The game begins."),
  act: actSentence,
  resign: (_, { name }) => t("{name} resigns.", { name }),
  abort: (_, { name }) => t("{name} aborts the game.", { name }),
  "draw-offer": (_, { name }) => t("{name} offers a draw.", { name }),
  "draw-accept": (_, { name }) => t("{name} accepts the draw.", { name }),
  "draw-decline": (_, { name }) => t("{name} declines the draw.", { name }),
  "draw-withdraw": (_, { name }) => t("{name} withdraws the draw offer.", { name }),
  "takeback-offer": (_, { name }) => t("{name} asks for a takeback.", { name }),
  "takeback-accept": (_, { name }) => t("{name} accepts the takeback.", { name }),
  "takeback-decline": (_, { name }) => t("{name} declines the takeback.", { name }),
  "takeback-withdraw": (_, { name }) => t("{name} withdraws the takeback request.", { name }),
  claim: (_, { name }) => t("{name} claims a draw.", { name }),
  count: (_, { name }) => t("{name} has the squares counted.", { name }),
  "claim-decided": claimSentence,
  "claim-refused": ({ body }, { name }) =>
    t("{name} claims the win, but can’t prove it (claim {number} of 3).", {
      name,
      number: body.number ?? "",
    }),
  "claim-victory": (_, { name }) => t("{name} claims the win: the opponent left.", { name }),
  "claim-draw": (_, { name }) => t("{name} calls it a draw: the opponent left.", { name }),
  shown: (_, { name }) => t("{name} is here.", { name }),
  begin: (entry, { name }) =>
    entry.role ? t("{name} is here: the clocks start.", { name }) : t("The clocks start."),
  flag: ({ body }) =>
    body.absent ? t("A first move was not made in time.") : t("A clock ran out."),
  idle: ({ body }) =>
    body.gone ? t("None of its players can come back.") : t("Nobody moved for seven days."),
  holiday: ({ body }, { seats }) =>
    t("{name} takes a holiday. The clock stands until {time}.", {
      name: body.role ? seats[body.role].name : "",
      time: momentText(body.until ?? 0),
    }),
  credit: ({ body }) => creditSentences(body.ms ?? 0).join(" "),
};

/**
 * Describes an entry in a sentence or two; `game`: {key, seats}.
 *
 * @param {Wire.LedgerEntry} entry
 * @param {NamedGame} game
 */
export function entrySentence(entry, game) {
  const name = game.seats[entry.role]?.name ?? "";
  const body = entry.body ?? {};
  const say = KINDS[entry.kind] ?? (() => entry.kind);
  const sentence = say({ ...entry, body }, { ...game, name });
  if (!body.result) return sentence;
  const outcome = { ...body.result, winner: body.result.winner || null };
  const { absent, count } = body;
  return `${sentence} ${resultSentence({ outcome, seats: game.seats, absent, count })}`;
}

/**
 * Returns both clocks after an entry: "ada 4:58, bob 5:00"; "" where none was kept.
 *
 * @param {Pick<Wire.LedgerEntry, "clock">} entry
 * @param {NamedGame["seats"]} seats
 */
export function clocksText({ clock }, seats) {
  if (typeof clock?.white !== "number" || typeof clock.black !== "number") return "";
  const [white, black] = [clock.white, clock.black].map((left) => clockText(left, { live: false }));
  return t("{first} {ours}, {second} {theirs}", {
    first: seats.white.name,
    ours: white,
    second: seats.black.name,
    theirs: black,
  });
}

/** @type {Record<string, (slots: { number: number }) => string>} */
const FAULTS = {
  hash: ({ number }) =>
    t("Entry {number}: the hash doesn’t match the text and the previous entry.", { number }),
  unreadable: ({ number }) => t("Entry {number} can’t be read.", { number }),
  game: ({ number }) => t("Entry {number} belongs to another game.", { number }),
  gap: ({ number }) => t("An entry is missing before entry {number}.", { number }),
  seal: ({ number }) =>
    t("Entry {number}: the revealed orders don’t match the sealed ones.", { number }),
  unopened: ({ number }) =>
    t("Entry {number}: both players sealed, but nothing was revealed.", { number }),
  head: () => t("The game log doesn’t end with its newest entry."),
};

/**
 * The sentence for a fault that `checkLedger` has found.
 *
 * @param {LedgerFault} fault
 */
export function faultSentence({ index, rev, kind }) {
  return FAULTS[kind]({ number: rev ?? index });
}

/**
 * Returns the findings of a check in sentences: the first tells whether all is well.
 *
 * @param {{ entries: number, seals: number, faults: LedgerFault[] }} found
 */
export function checkSentences({ entries, seals, faults }) {
  if (faults.length > 0) return [t("The game log is damaged."), ...faults.map(faultSentence)];
  const chain = tn(
    "The chain of {count} entry is intact.",
    "The chain of {count} entries is intact: none was changed, removed or inserted.",
    entries,
  );
  if (seals === 0) return [chain];
  return [chain, tn("{count} revealed seal matches.", "{count} revealed seals match.", seals)];
}

/**
 * Compares the ledger with this browser's receipts: {ok, say}; null without any.
 *
 * @param {ReceiptFindings} found
 */
export function receiptSentences({ fits, lost, other }) {
  if (fits.size + lost.length + other.length === 0) return null;
  if (lost.length + other.length === 0) {
    const say = tn(
      "The receipt from this tab matches.",
      "All {count} receipts from this tab match.",
      fits.size,
    );
    return { ok: true, say: [say] };
  }
  const say = [
    t("This game log doesn’t match your receipts."),
    ...lost.map(({ rev, hash }) =>
      t("Entry {rev} is missing: your receipt says {mark}.", { rev, mark: shortHash(hash) }),
    ),
    ...other.map(({ rev, hash }) =>
      t("Entry {rev} is different: your receipt says {mark}.", { rev, mark: shortHash(hash) }),
    ),
  ];
  return { ok: false, say };
}
