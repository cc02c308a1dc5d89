"""Standing offers: keep, change, remove, and open a new game when one has ended.

A standing offer keeps lobbies open so that open and running games together are as many as its owner
wants. Every change of these lobbies locks the offer's row first and counts them under the lock: of
two processes, one makes the change and the other finds nothing left to do.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from accounts.limits.rate_limits import DAY_S, Rate
from accounts.models import User
from accounts.refusals import Refused
from lobby.lobbies.lobby_checks import check_may_play
from lobby.lobbies.lobby_service import columns_of
from lobby.lobbies.transactions import announce, close, people_of
from lobby.lobby_options import SIDES, Side
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.offers.models import MAX_OPEN_GAMES, StandingOffer, columns_of_clock, options_of
from play.domain.clocks import Clock, now
from play.time_controls import BANKS, PRESETS, days_clock
from ratings.fair_play.rated_log import paused_until

USUAL_CLOCK = days_clock(3)
# On offer: days for each turn, or a bank of days.
CLOCKS = (*map(days_clock, (1, 2, 3, 5, 7, 14)), *BANKS)
MAX_SWEPT = 200  # offers that one sweep changes
# Open games that one network may add in a day. A school class has thirty busy people.
BY_NETWORK = Rate("open-games", 60, DAY_S)


def keep(
    user: User,
    key: str,
    clock: Clock | None = None,
    side: Side | None = None,
    count: int = 1,
    network: str = "",
    is_rated: bool = False,
) -> StandingOffer:
    """Keeps at least `count` games of a kind open for a user, all of them rated or all casual.

    Without clock and side, any offer of that game serves. The same request repeated changes
    nothing. Raises Refused (game or number not offered, too many by the user or the network, rated
    and no account or paused).
    """
    if key not in PRESETS or (side is not None and side not in SIDES):
        raise Refused(LobbyReason.MALFORMED)
    check_count(count)
    check_may_play(options_of(key, clock or USUAL_CLOCK, side or "lot", is_rated), user)
    with transaction.atomic():
        _lock_offers(user)
        offers = _locked().filter(user=user).filter(rules=key, is_rated=is_rated)
        if clock is not None:
            offers = offers.filter(**_columns(clock))
        if side is not None:
            offers = offers.filter(side=side)
        offer = offers.order_by("pk").first()
        if offer is not None:
            return _set_count(offer, max(offer.count, count), network)
        time = _columns(clock or USUAL_CLOCK)
        _check_total(user, count, network)
        offer = StandingOffer.objects.create(
            user=user, rules=key, side=side or "lot", is_rated=is_rated, count=count, **time
        )
        _balance(offer)
    return offer


def change_count(user: User, pk: int, count: int, network: str = "") -> StandingOffer:
    """Changes how many games an offer keeps; running games go on.

    Raises StandingOffer.DoesNotExist for an offer of somebody else, and Refused as `keep`.
    """
    check_count(count)
    with transaction.atomic():
        _lock_offers(user)
        offer = _locked().filter(user=user).get(pk=pk)
        return _set_count(offer, count, network)


def remove(user: User, pk: int) -> None:
    """Removes an offer and closes its open games; running games go on.

    Does nothing if there is none of the user.
    """
    with transaction.atomic():
        _lock_offers(user)
        if offer := _locked().filter(user=user).filter(pk=pk).first():
            _remove(offer, Lobby.Why.HOST)


def refill(pk: int) -> None:
    """Opens or closes games of an offer, so that there are as many as its owner wants."""
    with transaction.atomic():
        offers = _locked().filter(pk=pk, user__is_active=True, rules__in=list(PRESETS))
        if offer := offers.first():
            _balance(offer)


def refill_all() -> int:
    """Opens or closes games of all offers that need it; returns how many offers did."""
    keys = list(StandingOffer.objects.unbalanced().values_list("pk", flat=True)[:MAX_SWEPT])
    for pk in keys:
        refill(pk)
    return len(keys)


def remove_expired(at: int) -> int:
    """Removes the offers of users who are away for too long or for good; returns their number."""
    offers = StandingOffer.objects.expired(at, list(PRESETS))
    keys = list(offers.values_list("pk", flat=True)[:MAX_SWEPT])
    for pk in keys:
        with transaction.atomic():
            if offer := _locked().filter(pk=pk).first():
                _remove(offer, Lobby.Why.AWAY)
    return len(keys)


def note_visits(users: Collection[int]) -> None:
    """Notes that users visit the site: it keeps their offers and open slow lobbies alive."""
    at = now()
    StandingOffer.objects.filter(user__in=users).update(visited=at)
    Lobby.objects.slow().filter(host__in=users).update(host_seen=at)


def check_count(count: int) -> None:
    """Raises Refused unless one offer may keep so many games."""
    if not 1 <= count <= MAX_OPEN_GAMES:
        raise Refused(LobbyReason.TOO_MANY_OPEN, _say_most())


def _columns(clock: Clock) -> dict[str, int]:
    try:
        return columns_of_clock(clock)
    except ValueError:
        raise Refused(LobbyReason.MALFORMED) from None


def _lock_offers(user: User) -> None:
    """Serialises the changes of a user's offers; call it first in the transaction."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _set_count(offer: StandingOffer, count: int, network: str) -> StandingOffer:
    if count == offer.count:
        return offer
    if count > offer.count:
        _check_total(offer.user, count - offer.count, network)
    offer.count = count
    offer.save(update_fields=["count"])
    _balance(offer)
    return offer


def _check_total(user: User, more: int, network: str) -> None:
    """Counts `more` open games of a user and a network. Raises Refused if they are too many."""
    total = StandingOffer.objects.of(user).aggregate(total=Sum("count"))["total"] or 0
    if total + more > MAX_OPEN_GAMES:
        raise Refused(LobbyReason.TOO_MANY_OPEN, _say_most())
    if not network:
        return
    quota = BY_NETWORK.of(network)
    taken = [quota.take() for _each in range(more)]
    if not all(taken):
        for _each in taken:
            quota.give_back()
        raise Refused(LobbyReason.TOO_MANY_HERE)


def _say_most() -> str:
    return _("You can keep 1 to %(most)s open games in all.") % {"most": MAX_OPEN_GAMES}


def _locked() -> QuerySet[StandingOffer]:
    """Returns offers whose rows are locked for this transaction as they are read."""
    return StandingOffer.objects.select_for_update(of=("self",)).select_related("user")


def _balance(offer: StandingOffer) -> None:
    """Opens missing games of an offer, or closes the newest surplus ones.

    While the owner's rated play is paused, none of a rated offer is opened; a later sweep does it.
    """
    waiting = list(offer.lobbies.waiting().order_by("-pk"))
    running = offer.lobbies.filter(game__isnull=False, game__ended=None).count()
    surplus = len(waiting) + running - offer.count
    for lobby in waiting[: max(0, surplus)]:
        _close(lobby, Lobby.Why.HOST)
    if surplus < 0 and not (offer.is_rated and paused_until(offer.user_id, now())):
        for _each in range(-surplus):
            _open(offer)


def _open(offer: StandingOffer) -> None:
    """Opens one public game with the owner seated and ready."""
    lobby = Lobby.objects.create(
        host=offer.user,
        one=offer.user,
        one_ready=True,
        offer=offer,
        host_seen=offer.visited,
        **columns_of(offer.options),
    )
    announce(lobby.code, lobby.rev, people_of(lobby))


def _remove(offer: StandingOffer, why: Lobby.Why) -> None:
    """Deletes an offer and closes its open games; a game that starts meanwhile goes on."""
    for lobby in offer.lobbies.waiting():
        _close(lobby, why)
    offer.delete()


def _close(lobby: Lobby, why: Lobby.Why) -> None:
    """Closes an open game, unless somebody has joined it since it was read."""
    while not close(lobby, why):
        lobby.refresh_from_db()
        if not lobby.is_kept:
            return
