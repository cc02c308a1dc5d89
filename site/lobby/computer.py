"""Playing against the computer: it sits down in a lobby like anybody else, and is always ready."""

from django.db import transaction

from accounts.computers import computer
from accounts.models import User
from lobby.models import Lobby
from lobby.options import Options
from lobby.refusals import Reason, Refused
from lobby.services import SAME_CLICK, need_host, need_level, need_open, numbered, opened
from lobby.turnstile import Columns, change, seated
from play.clocks import now
from play.models import Game

MOST_RUNNING = 10  # games against the computer that one user may have running at once


def fill(code: str, user: User, number: int, level: int) -> Lobby:
    """The host seats the computer player of a level; with the host ready, the game starts.

    A computer player who sits there already makes room; the same one asked for again changes
    nothing. Raises Refused (not the host, a person sits there, no such level, nobody on the other
    seat) and Lobby.DoesNotExist.
    """

    def decide(lobby: Lobby) -> Columns:
        need_host(lobby, user)
        need_level(lobby.rules, level)
        place = numbered(lobby, number)
        if place.user and place.user.level == level and lobby.status != Lobby.Status.CLOSED:
            return {}
        need_open(lobby)
        if place.user and not place.user.is_bot:
            raise Refused(Reason.TAKEN)
        if lobby.place_of(user.pk) is None:
            raise Refused(Reason.NO_PERSON)
        need_few(user)
        return {**seated(place, computer(level), True), "swap_by": None}

    return change(code, decide)


def play_computer(user: User, options: Options, level: int) -> Game:
    """Starts a game of a user against the computer, in a lobby of its own.

    `options.side` is the user's. Who asks for the same twice within ten seconds gets the first
    game while it runs. Raises Refused (no such level, too many lobbies or running games).
    """
    need_level(options.rules, level)
    opponent = computer(level)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        made = Lobby.objects.hosted_by(user).filter(created__gt=now() - SAME_CLICK, two=opponent)
        made = made.filter(game__isnull=False, game__ended=None, previous=None)
        if first := made.chosen(options).first():
            return first.game  # type: ignore[return-value]
        need_few(user)
        lobby = opened(user, options)
        place = lobby.places[1]
        after = change(lobby.code, lambda here: seated(place, opponent, True))
    return after.game  # type: ignore[return-value]


def need_few(user: User) -> None:
    """Raises Refused if a user has many games against the computer running: each go of them costs
    the time that it has for everybody."""
    if Game.objects.played_by(user).filter(has_bot=True).count() >= MOST_RUNNING:
        raise Refused(Reason.TOO_MANY_GAMES)
