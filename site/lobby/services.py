"""What people do in a lobby; with `again` and `quick` THE ONLY WRITERS of lobbies.

Each deed is decided inside the turnstile, on the lobby as it stands then. All raise Refused.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.players.levels import UnknownLevel, is_available
from lobby.forms import values_of
from lobby.models import OTHER, Lobby, Place
from lobby.options import Options, clock_label
from lobby.refusals import Reason, Refused
from lobby.turnstile import COLUMNS, Columns, announce, change, people_of, seated
from lobby.words import name_of
from play.clocks import now

SAME_CLICK = 10_000  # ms in which the same lobby made again is the same click, sent again
MOST_OPEN = 5  # lobbies that one host may have waiting for a first game at once
BARRED = 60_000  # ms for which whose seat was given free may not sit down again


def create(host: User, options: Options) -> Lobby:
    """Makes a lobby with its host seated and ready. Raises Refused: too many.

    Who does so twice within ten seconds gets the first one, or finds its game running.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=host.pk)  # clicks one after the other
        made = Lobby.objects.hosted_by(host).filter(created__gt=now() - SAME_CLICK)
        if first := made.alive().chosen(options).with_people().first():
            return first
        return opened(host, options)


def opened(host: User, options: Options) -> Lobby:
    """A new lobby with its host seated and ready; in a transaction. Raises Refused: too many."""
    if Lobby.objects.open().hosted_by(host).filter(game=None).count() >= MOST_OPEN:
        raise Refused(Reason.TOO_MANY)
    lobby = Lobby.objects.create(host=host, one=host, one_ready=True, **columns_of(options))
    announce(lobby.code, lobby.rev, people_of(lobby))
    return lobby


def sit(code: str, user: User, number: int | None = None, seen: str = "") -> Lobby:
    """Seats a user and makes them ready, on seat `number` or on the free one.

    `seen` is the digest of the options that they were shown; empty if that is not known. If
    everybody is ready then, the game starts. Who is seated already stays where they are.
    Raises Lobby.DoesNotExist as well.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.place_of(user.pk):
            return {}
        check_room(lobby, number, seen)
        need_welcome(lobby, user)
        place = lobby.free if number is None else numbered(lobby, number)
        return seated(place, user, True)

    return change(code, decide)


def leave(code: str, user: User) -> Lobby:
    """Frees the seat of a user. The host stays host, and may sit down again.

    A computer player stands up as well: nobody is to find himself in a game against it.
    """

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        gone = seated(held(lobby, user), None, False)
        for place in lobby.places:
            if place.user and place.user.is_bot:
                gone = {**gone, **seated(place, None, False)}
        return {**gone, "swap_by": None}

    return change(code, decide)


def give_free(code: str, user: User, number: int) -> Lobby:
    """The host frees the seat of somebody else, who may not sit down again for a minute."""

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        need_host(lobby, user)
        place = numbered(lobby, number)
        if place.user is None or place.user.pk == user.pk:
            raise Refused(Reason.EMPTY)
        at = now()
        barred = {who: until for who, until in lobby.barred.items() if until > at}
        if not place.user.is_bot:
            barred[str(place.user.pk)] = at + BARRED
        return {**seated(place, None, False), "swap_by": None, "barred": barred}

    return change(code, decide)


def ready(code: str, user: User, seen: str = "") -> Lobby:
    """Makes a seated user ready for what they were shown; with the other ready, the game starts.

    Once it has started, this changes nothing.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.status == Lobby.Status.PLAYING and lobby.place_of(user.pk):
            return {}
        need_open(lobby)
        place = held(lobby, user)
        if place.is_ready:
            return {}
        need_seen(lobby, seen)
        need_levels(lobby, lobby.rules)
        return seated(place, user, True)

    return change(code, decide)


def unready(code: str, user: User) -> Lobby:
    """Makes a seated user not ready."""

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        place = held(lobby, user)
        return seated(place, user, False) if place.is_ready else {}

    return change(code, decide)


def choose(code: str, user: User, chosen: Options | Callable[[Lobby], Options]) -> Lobby:
    """The host chooses other options, perhaps in view of those that stand; whoever else is seated
    has to be ready for them anew, and is told what has changed."""

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        need_host(lobby, user)
        options = chosen if isinstance(chosen, Options) else chosen(lobby)
        if options == lobby.options:
            return {}
        need_levels(lobby, options.rules)
        return {**columns_of(options), **_asked_anew(lobby, user)}

    return change(code, decide)


def swap(code: str, user: User) -> Lobby:
    """Swaps the sides: at once for the host, else when both who are seated ask for it.

    Who asks a second time takes that back. What the host does alone asks the other anew.
    """

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        if lobby.side == "lot":
            raise Refused(Reason.NO_SIDES)
        swapped: Columns = {"side": OTHER[lobby.side], "swap_by": None}
        asker = lobby.swap_by_id
        if lobby.host_id == user.pk:
            return swapped if asker else {**swapped, **_asked_anew(lobby, user)}
        held(lobby, user)
        if asker == user.pk:
            return {"swap_by": None}
        return swapped if asker else {"swap_by": user}

    return change(code, decide)


def close(code: str, user: User) -> Lobby:
    """The host gives the lobby up."""

    def decide(lobby: Lobby) -> Columns:
        need_open(lobby)
        need_host(lobby, user)
        return {"status": Lobby.Status.CLOSED, "why": Lobby.Why.HOST}

    return change(code, decide)


def forget_unplayed(most: int) -> int:
    """Delete some closed lobbies in which nobody has played, at most `most`; return how many were
    looked at.

    What was said in them is deleted by its age (`talk.services`). A guest who has no other lobby
    can be deleted then.
    """
    keys = list(Lobby.objects.unplayed(now()).values_list("pk", flat=True)[:most])
    Lobby.objects.filter(pk__in=keys, status=Lobby.Status.CLOSED).delete()
    return len(keys)


def check_room(lobby: Lobby, number: int | None = None, seen: str = "") -> None:
    """Raises Refused if nobody could sit down in a lobby as it was read."""
    need_open(lobby)
    if lobby.free is None:
        raise Refused(Reason.FULL)
    if number is not None and numbered(lobby, number).user:
        raise Refused(Reason.TAKEN)
    need_seen(lobby, seen)


def need_level(key: str, level: int) -> None:
    """Raises Refused unless this machine plays the game at that level."""
    try:
        if is_available(key, level):
            return
    except UnknownLevel:
        pass
    raise Refused(Reason.NO_LEVEL)


def need_levels(lobby: Lobby, key: str) -> None:
    """Raises Refused unless this machine plays a game at the levels that sit in a lobby."""
    for place in lobby.places:
        if place.user and place.user.is_bot:
            need_level(key, place.user.level)


def need_open(lobby: Lobby) -> None:
    """Raises Refused unless seats can be taken and options changed."""
    if lobby.status == Lobby.Status.PLAYING:
        raise Refused(Reason.STARTED)
    if lobby.status == Lobby.Status.CLOSED:
        raise Refused(Reason.CLOSED)


def need_host(lobby: Lobby, user: User) -> None:
    """Raises Refused for everybody but the host."""
    if lobby.host_id != user.pk:
        raise Refused(Reason.NOT_HOST)


def need_welcome(lobby: Lobby, user: User) -> None:
    """Raises Refused for whom the host has sent away a moment ago."""
    if lobby.barred_until(user.pk) > now():
        raise Refused(Reason.BARRED)


def need_seen(lobby: Lobby, seen: str) -> None:
    """Raises Refused if the options are not those that somebody was shown."""
    if seen and seen != lobby.options.digest:
        words = {"game": name_of(lobby.rules), "clock": clock_label(lobby.rules, lobby.clock)}
        say = _("The host has changed this lobby: it is now %(game)s, %(clock)s.") % words
        raise Refused(Reason.CHANGED, say)


def held(lobby: Lobby, user: User) -> Place:
    """The seat of a user. Raises Refused if there is none."""
    place = lobby.place_of(user.pk)
    if place is None:
        raise Refused(Reason.NOT_SEATED)
    return place


def numbered(lobby: Lobby, number: int) -> Place:
    """The seat with this number. Raises Refused if there is none."""
    if number not in COLUMNS:
        raise Refused(Reason.MALFORMED)
    return lobby.places[number - 1]


def columns_of(options: Options) -> Columns:
    """The columns that hold these options."""
    return {
        "rules": options.rules,
        "clock_kind": options.clock.kind,
        "clock_initial": options.clock.initial,
        "clock_increment": options.clock.increment,
        "side": options.side,
        "is_public": options.public,
        "watch": options.watch,
    }


def _asked_anew(lobby: Lobby, chooser: User) -> Columns:
    """Everybody but who has chosen has to be ready anew, and keeps what they were ready for."""
    others = [place for place in lobby.places if place.user and place.user.pk != chooser.pk]
    waits = {f"{COLUMNS[place.number]}_ready": False for place in others}
    before = (lobby.before or values_of(lobby.options)) if others else {}
    return {**waits, "before": before, "swap_by": None}
