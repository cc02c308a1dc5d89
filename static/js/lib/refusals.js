/** Sentences for refusals, by the codes that the server sends. Pure. */

import { t, tn } from "./text.js";

/** Placeholder for a square that a refusal does not bring. */
const MISSING_SQUARE = "{}";

/** The view's letter of an arrow. */
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
      ? t("You have no piece on {square}.", { square })
      : t("That piece is not yours.");
  },
  no_way_out: ([square = MISSING_SQUARE]) =>
    t("The piece on {square} can’t move: it’s blocked on every side.", { square }),
  not_a_line: ([start = MISSING_SQUARE, end = MISSING_SQUARE]) =>
    t("{start} to {end} isn’t a straight line.", { start, end }),
  same_square: () => t("Move to a different square."),
  not_one_step: ([start = MISSING_SQUARE, end = MISSING_SQUARE]) =>
    t("{end} isn’t one step up, down, left or right of {start}.", { start, end }),
  same_piece_twice: ([square = MISSING_SQUARE], markOn) => {
    const mark = markOn(square);
    if (mark === "W") return t("Choose another triangle for the second step.");
    if (mark === "B") return t("Choose another circle for the second step.");
    return t("The piece on {square} has already moved this turn.", { square });
  },
  wrong_step: () => t("Move first, then shoot."),
  sum_not_10: () => t("Troops must add up to 10."),
  not_in_control: () => t("You have nothing to decide right now."),
  must_act: () => t("You have to make a move."),
  game_over: () => t("The game is over."),
};

/** @type {Record<string, (squares: Square[]) => string>} */
const REASON_SENTENCES = {
  malformed: () => t("That message couldn’t be read."),
  too_large: () => t("That message is too long."),
  unknown_message: () => t("Unknown kind of message."),
  slow_down: () => t("Too many messages. Wait a moment."),
  not_subscribed: () => t("This page isn’t following that. Nothing was changed."),
  too_many_topics: () => t("This page is following too many things at once."),
  not_seated: () => t("You’re watching. Only the two players can do that."),
  not_in_control: () => t("It’s not your turn."),
  stale_step: () => t("The game has moved on."),
  already_sealed: () => t("You’ve already locked in."),
  conflict: () => t("That id was already used for something else."),
  bad_action: () => t("That isn’t a move in this game."),
  illegal: () => t("That isn’t allowed here."),
  over: () => t("The game is over."),
  no_show: () => t("The game was aborted: a first move was not made in time."),
  too_late: () => t("Your time ran out before that arrived."),
  no_offer: () => t("There’s no offer to answer."),
  offer_stands: () => t("There’s already an offer."),
  no_claim: () => t("You can claim a draw after 50 moves in a row without an arrow."),
  not_counted: () => t("Squares aren’t counted in this game."),
  not_parted: () => t("You can’t count yet: both sides can still reach some of the squares."),
  not_claimable: () => t("You can’t claim the win in this game."),
  mid_turn: () => t("Finish your move first."),
  no_claims_left: () => t("You’ve used your three claims in this game."),
  no_takeback: () => t("There’s no move to take back."),
  too_late_to_abort: () => t("Both players have moved: you can’t abort the game now."),
  not_gone: () => t("Your opponent hasn’t left, or not for long enough."),
  signed_out: () => t("You’ve been logged out. Nothing was changed. Reload the page."),
  busy: () => t("The server couldn’t save that. Nothing was changed. Try again."),
  unsure: () => t("The server may not have saved that. Check the board before you try again."),
  no_replies: () => t("Conditional moves are for slow games in which you take turns."),
  own_turn: () => t("It’s your turn. Conditional moves are for while you wait."),
  too_many_lines: () => t("You can save at most 5 lines."),
  line_too_long: () => t("A line has at most 3 moves of yours."),
  line_unfinished: () => t("A line has to end with a whole move of yours."),
  gone: () => t("There’s nothing at this address."),
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
  const sentence = known?.(squares, markOn) ?? say ?? t("That wasn’t accepted.");
  return sentence.includes(MISSING_SQUARE) ? (say ?? sentence) : sentence;
}

/**
 * The notice of a refused turn in two lines: the fault and its consequence.
 *
 * @param {Wire.Refusal} reply
 * @param {boolean} mine
 */
export function refusedTurnNotice(reply, mine) {
  const then = mine ? t("Nothing was played. It’s still your turn.") : t("Nothing was played.");
  return [refusalSentence(reply), then];
}

/** Claims of a player in a game that may be refused. */
const MAX_CLAIMS = 3;

/**
 * The sentence for a player whose claim that the game is decided was not proved.
 *
 * @param {number} number of refused claims of this player in the game, with this one
 */
export function claimRefusal(number) {
  const left = MAX_CLAIMS - number;
  if (left <= 0) return t("Your win can’t be proved yet. That was your last claim.");
  return tn(
    "Your win can’t be proved yet. You have {count} claim left.",
    "Your win can’t be proved yet. You have {count} claims left.",
    left,
  );
}
