"""Reasons for which games and sockets refuse messages; scripts have the sentences by the words."""

from accounts.refusals import RefusalReason


class Reason(RefusalReason):
    """Why a game or a socket refused a message."""

    MALFORMED = "malformed", "That message couldn’t be read."
    TOO_LARGE = "too_large", "That message is too long."
    UNKNOWN_MESSAGE = "unknown_message", "Unknown kind of message."
    SLOW_DOWN = "slow_down", "Too many messages. Wait a moment."
    NOT_SEATED = "not_seated", "You’re watching. Only the two players can do that."
    NOT_IN_CONTROL = "not_in_control", "It’s not your turn."
    STALE_STEP = "stale_step", "The game has moved on."
    ALREADY_SEALED = "already_sealed", "You’ve already locked in."
    CONFLICT = "conflict", "That id was already used for something else."
    BAD_ACTION = "bad_action", "That isn’t a move in this game."
    ILLEGAL = "illegal", "That isn’t allowed here."
    OVER = "over", "The game is over."
    NO_SHOW = "no_show", "The game was aborted: a first move was not made in time."
    TOO_LATE = "too_late", "Your time ran out before that arrived."
    NO_OFFER = "no_offer", "There’s no offer to answer."
    OFFER_STANDS = "offer_stands", "There’s already an offer."
    NO_CLAIM = "no_claim", "You can claim a draw after 50 moves in a row without an arrow."
    NOT_COUNTED = "not_counted", "Squares aren’t counted in this game."
    NOT_PARTED = (
        "not_parted",
        "You can’t count yet: both sides can still reach some of the squares.",
    )
    NOT_CLAIMABLE = "not_claimable", "You can’t claim the win in this game."
    MID_TURN = "mid_turn", "Finish your move first."
    NO_CLAIMS_LEFT = "no_claims_left", "You’ve used your three claims in this game."
    NO_TAKEBACK = "no_takeback", "There’s no move to take back."
    TOO_LATE_TO_ABORT = (
        "too_late_to_abort",
        "Both players have moved: you can’t abort the game now.",
    )
    NOT_GONE = "not_gone", "Your opponent hasn’t left, or not for long enough."
    BUSY = "busy", "The server couldn’t save that. Nothing was changed. Try again."
    # The outcome is unknown until the same command is sent again under the same id.
    UNSURE = "unsure", "The server may not have saved that. Check the board before you try again."
    GONE = "gone", "There’s nothing at this address."
    SIGNED_OUT = "signed_out", "You’ve been logged out. Nothing was changed. Reload the page."
    NOT_SUBSCRIBED = "not_subscribed", "This page isn’t following that. Nothing was changed."
    TOO_MANY_TOPICS = "too_many_topics", "This page is following too many things at once."
    NO_REPLIES = "no_replies", "Conditional moves are for slow games in which you take turns."
    OWN_TURN = "own_turn", "It’s your turn. Conditional moves are for while you wait."
    TOO_MANY_LINES = "too_many_lines", "You can save at most 5 lines."
    LINE_TOO_LONG = "line_too_long", "A line has at most 3 moves of yours."
    LINE_UNFINISHED = "line_unfinished", "A line has to end with a whole move of yours."
