/** Sentences for refusals, by the codes that the server sends. Pure. */

import { t } from "./text.js";

/** Placeholder for a square that a refusal does not bring. */
const MISSING_SQUARE = "{}";

/** What stands on a square is an arrow. */
const BURNT = "x";

/**
 * Sentences for actions against the rules, by code; they get the squares concerned, and what stands on
 * a square if that is known.
 *
 * @type {Record<string, (squares: Square[], markOn: (square: Square) => string | undefined) => string>}
 */
const RULE_SENTENCES = {
  path_blocked: ([square = MISSING_SQUARE], markOn) => {
    const mark = markOn(square);
    if (mark === undefined) return t("{square} is in the way.", { square });
    return mark === BURNT
      ? t("Blocked by the arrow on {square}.", { square })
      : t("Blocked by the amazon on {square}.", { square });
  },
  occupied: ([square = MISSING_SQUARE], markOn) =>
    markOn(square) === BURNT
      ? t("An arrow blocks {square}.", { square })
      : t("{square} is not empty.", { square }),
  not_yours: ([square = MISSING_SQUARE], markOn) => {
    const mark = markOn(square);
    if (mark === BURNT) return t("An arrow blocks {square}.", { square });
    return mark === undefined
      ? t("No piece of yours stands on {square}.", { square })
      : t("That piece is not yours.");
  },
  no_way_out: ([square = MISSING_SQUARE]) =>
    t("The piece on {square} cannot move: every way is blocked.", { square }),
  not_a_line: ([start = MISSING_SQUARE, end = MISSING_SQUARE]) =>
    t("No straight line leads from {start} to {end}.", { start, end }),
  same_square: () => t("Move to a different square."),
  not_one_step: ([start = MISSING_SQUARE, end = MISSING_SQUARE]) =>
    t("{end} is not one step up, down, left or right from {start}.", { start, end }),
  same_piece_twice: ([square = MISSING_SQUARE], markOn) => {
    const mark = markOn(square);
    if (mark === "W") return t("Choose another triangle for the second step.");
    if (mark === "B") return t("Choose another circle for the second step.");
    return t("The piece on {square} has already moved in this turn.", { square });
  },
  wrong_step: () => t("Move first, then shoot."),
  sum_not_10: () => t("The troops have to add up to 10."),
  not_in_control: () => t("There is nothing for you to decide in this turn."),
  must_act: () => t("You have to act in this turn."),
  game_over: () => t("The game is over."),
};

/** @type {Record<string, (squares: Square[]) => string>} */
const REASON_SENTENCES = {
  malformed: () => t("That message could not be read."),
  too_large: () => t("That message is too long."),
  unknown_message: () => t("That kind of message is not known here."),
  slow_down: () => t("Too many messages. Wait a moment."),
  not_subscribed: () => t("This page does not follow that. Nothing was changed."),
  too_many_topics: () => t("This page follows too much at once."),
  not_seated: () => t("You are watching: only the two who are seated can do that."),
  not_in_control: () => t("It is not your turn."),
  stale_step: () => t("The game has moved on since that was made."),
  already_sealed: () => t("You have already locked in."),
  conflict: () => t("That id was already used for something else."),
  bad_action: () => t("That is not an action of this game."),
  illegal: () => t("That is not allowed here."),
  over: () => t("The game is over."),
  no_show: () => t("The game was aborted: a first move was not made in time."),
  too_late: () => t("Your time was up when that arrived."),
  no_offer: () => t("There is no offer to answer."),
  offer_stands: () => t("An offer already stands."),
  no_claim: () => t("A draw can be claimed after 50 turns in a row without an arrow."),
  no_takeback: () => t("There is nothing to take back."),
  too_late_to_abort: () => t("Both have acted: the game can no longer be aborted."),
  not_gone: () => t("They are not gone, or not for long enough."),
  signed_out: () => t("You have been logged out. Nothing was changed; load the page again."),
  busy: () => t("The server could not save that. Nothing was changed; try again."),
  unsure: () =>
    t("The server has not saved that for certain. Look at the board before you try again."),
  gone: () => t("There is nothing at this address."),
};

/** @type {(square: Square) => string | undefined} */
const UNKNOWN = () => undefined;

/**
 * The sentence for a refusal; the server's own where its words are not known here. `markOn`: what stands
 * on a square, "W", "B" or "x".
 *
 * @param {{ reason?: string, code?: string | null, squares?: Square[], say?: string }} refusal
 * @param {(square: Square) => string | undefined} [markOn]
 */
export function refusalSentence({ reason, code, squares = [], say }, markOn = UNKNOWN) {
  const known = (code && RULE_SENTENCES[code]) || REASON_SENTENCES[reason ?? ""];
  const sentence = known?.(squares, markOn) ?? say ?? t("That was not accepted.");
  return sentence.includes(MISSING_SQUARE) ? (say ?? sentence) : sentence;
}

/**
 * A refused turn in two lines: what is wrong, and what that means.
 *
 * @param {Wire.Refusal} reply
 * @param {boolean} mine
 */
export function refusedTurnNotice(reply, mine) {
  const then = mine ? t("Nothing was played. It is still your turn.") : t("Nothing was played.");
  return [refusalSentence(reply), then];
}
