/** Why something was refused, in the reader's language, by the words that the wire brings. Pure. */

import { t } from "../text.js";

/** What stands where a refusal brings fewer squares than its sentence needs. */
const OPEN = "{}";

/** Why an action is against the rules: by its code and the squares that say why. */
const CODES = {
  path_blocked: ([square = OPEN]) => t("{square} is in the way.", { square }),
  occupied: ([square = OPEN]) => t("{square} is not empty.", { square }),
  not_yours: ([square = OPEN]) => t("No piece of yours stands on {square}.", { square }),
  not_a_line: ([start = OPEN, end = OPEN]) => t("No straight line leads from {start} to {end}.", { start, end }),
  same_square: ([square = OPEN]) => t("The way has to lead to another square than {square}.", { square }),
  not_one_step: ([start = OPEN, end = OPEN]) =>
    t("{end} is not one step up, down, left or right from {start}.", { start, end }),
  same_piece_twice: ([square = OPEN]) => t("The piece on {square} has already moved in this go.", { square }),
  wrong_step: () => t("An amazon moves first and shoots then."),
  sum_not_10: () => t("The troops have to add up to 10."),
  not_in_control: () => t("There is nothing for you to decide in this turn."),
  must_act: () => t("You have to act in this turn."),
  game_over: () => t("The game is over."),
};

const REASONS = {
  malformed: () => t("That message could not be read."),
  too_large: () => t("That message is too long."),
  unknown_message: () => t("That kind of message is not known here."),
  slow_down: () => t("Too many messages. Wait a moment."),
  not_seated: () => t("You are watching: only the two who are seated can do that."),
  not_in_control: () => t("It is not your go."),
  stale_turn: () => t("The game has moved on since that was made."),
  already_sealed: () => t("You have already sealed this turn."),
  conflict: () => t("That id was already used for something else."),
  bad_action: () => t("That is not an action of this game."),
  illegal: () => t("That is not allowed here."),
  over: () => t("The game is over."),
  too_late: () => t("Your time was up when that arrived."),
  no_offer: () => t("There is no offer to answer."),
  offer_stands: () => t("An offer already stands."),
  no_claim: () => t("A draw can be claimed after 50 goes in a row without an arrow."),
  no_takeback: () => t("There is nothing to take back."),
  too_late_to_abort: () => t("Both have acted: the game can no longer be aborted."),
  not_gone: () => t("They are not gone, or not for long enough."),
  signed_out: () => t("You have been logged out. Nothing was changed; load the page again."),
  busy: () => t("The server could not save that. Nothing was changed; try again."),
  unsure: () => t("The server has not saved that for certain. Look at the board before you try again."),
  gone: () => t("There is nothing at this address."),
};

/** The sentence for a refusal; the server's own where its words are not known here. */
export function refusalOf({ reason, code, squares = [], say }) {
  const known = (code && CODES[code]) || REASONS[reason];
  const sentence = known?.(squares) ?? say ?? t("That was not accepted.");
  return sentence.includes(OPEN) ? (say ?? sentence) : sentence;
}

/** A refused go in two lines: what is wrong, and what that means. */
export function refusedGo(reply, mine) {
  const then = mine ? t("Nothing was played. It is still your go.") : t("Nothing was played.");
  return [refusalOf(reply), then];
}

const DROPPED = {
  "gone on": () => t("The game has gone on otherwise."),
  "no longer legal": () => t("It is no longer allowed after the other side's go."),
};

/** Why a planned go is not kept, as a notice; null if nothing has to be said. */
export function droppedPlan(why) {
  const say = DROPPED[why];
  return say ? [t("Your planned go was dropped."), say()] : null;
}
