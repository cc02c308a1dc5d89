"""Reasons for which lobbies refuse requests: words for programs, sentences for people."""

from django.utils.translation import gettext_lazy as _

from accounts.refusals import RefusalReason


class LobbyReason(RefusalReason):
    """Why a lobby refused a request."""

    TAKEN = "taken", _("Someone else just took that seat.")
    FULL = "full", _("This game is full.")
    NOT_SEATED = "not_seated", _("You haven’t joined this game.")
    NOT_HOST = "not_host", _("Only the host can do that.")
    STARTED = "started", _("The game has already started.")
    # CLOSED is also the refusal if one of two users blocks the other.
    CLOSED = "closed", _("This game isn’t available.")
    CHANGED = "changed", _("The host has just changed the game.")
    BARRED = "barred", _("The host removed you. You can join again in a minute.")
    EMPTY = "empty", _("That player has already left.")
    NO_SIDES = "no_sides", _("Sides are random here, so there is nothing to swap.")
    TOO_MANY = "too_many", _("You have too many open games. Close one of them first.")
    WITHDRAWN = "withdrawn", _("This game is no longer offered.")
    MALFORMED = "malformed", _("That isn’t one of the choices on this page."), 400
    BUSY = "busy", _("Too many changes at once. Nothing was changed. Try again.")
    NO_LEVEL = "no_level", _("The computer doesn’t play this game at that level.")
    NO_PERSON = "no_person", _("Join first: someone has to play against the computer.")
    TOO_MANY_GAMES = (
        "too_many_games",
        _("You have too many games against the computer. Finish or resign one of them first."),
    )
    NO_SHOWS = (
        "no_shows",
        _("You missed the start of several games. You can search again in a few minutes."),
    )
    NO_SEARCH = "no_search", _("You can’t search for another opponent after this game.")
    OWN_OFFER = "own_offer", _("This is your own open game. Change it under “Your open games”.")
    FASTER = "faster", _("Someone else was faster.")
    TOO_MANY_OPEN = "too_many_open", _("You have too many open games. Remove one of them first.")
    TOO_MANY_HERE = (
        "too_many_here",
        _("Too many open games were created from your network today. Try again tomorrow."),
    )
    OWN = "own", _("That’s your own invitation. Send it to a friend.")
    NAME = "name", _("Choose another name."), 400
    YOURSELF = "yourself", _("You can’t challenge yourself.")
    UNAVAILABLE = "unavailable", _("This player isn’t taking challenges right now.")
    RESERVED = "reserved", _("This game isn’t available.")
    NO_ACCOUNT = "no_account", _("This game is rated. Sign in or sign up to play it.")
    UNRATABLE = "unratable", _("Your opponent has no account, so this game can’t be rated.")
    CASUAL_LEVEL = (
        "casual_level",
        _("Games against the computer aren’t rated. Make this game casual first."),
    )
    PAUSED = "paused", _("You can’t play rated games right now.")
    CASUAL_PAIR = "casual_pair", _("This pairing is casual.")
    PAIR_LIMIT = (
        "pair_limit",
        _(
            "You two have played three rated games in 24 hours. "
            "Play a casual one, or come back later."
        ),
    )
    NO_PLACEMENT = "no_placement", _("There is no game to play here: your level is found.")
    BEING_COUNTED = "being_counted", _("Your last game is being counted. Try again in a moment.")
