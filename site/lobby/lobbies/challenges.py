"""Challenges: lobbies in which one seat is reserved for a person named by the host.

The challenged person finds the lobby among their own games, and accepts by joining it. A block gets
the same refusal as a full list of challenges.
"""

from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.observers import AccountObserver
from accounts.people import relations
from accounts.people.blocks import is_blocked
from accounts.refusals import Refused
from lobby.lobbies.lobby_checks import check_open
from lobby.lobbies.lobby_service import open_lobby
from lobby.lobbies.transactions import Columns, change
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby, LobbyQuerySet

MAX_CHALLENGES = 10  # that wait for one person
MAX_GUESTS_CHALLENGES = 3  # of them: guests are made with one click


def find_challenged(host_id: int | None, name: str) -> User:
    """Returns the account with a name, if the user may challenge it. Raises Refused."""
    them = relations.find_user(name)
    if them.pk == host_id:
        raise Refused(LobbyReason.YOURSELF)
    if not them.is_account or not them.is_active or is_blocked(host_id, them.pk):
        raise Refused(LobbyReason.UNAVAILABLE)
    return them


def challenge(host: User, name: str, options: Options) -> Lobby:
    """Opens a lobby whose other seat is reserved for the account with a name. Raises Refused.

    While a challenge of the same two waits, that one is returned.
    """
    them = find_challenged(host.pk, name)
    with transaction.atomic():
        # Serialises clicks of the host, and challenges to one person.
        list(User.objects.select_for_update(no_key=True).filter(pk__in=(host.pk, them.pk)))
        waiting = waiting_for(them)
        if first := waiting.hosted_by(host).with_people().first():
            return first
        if waiting.count() >= MAX_CHALLENGES:
            raise Refused(LobbyReason.UNAVAILABLE)
        of_guests = waiting.filter(host__is_guest=True)
        if host.is_guest and of_guests.count() >= MAX_GUESTS_CHALLENGES:
            raise Refused(LobbyReason.UNAVAILABLE)
        return open_lobby(host, options, invited=them)


def waiting_for(user: User) -> LobbyQuerySet:
    """Returns the challenges that a user has neither accepted nor declined."""
    return Lobby.objects.open().filter(invited=user, game=None).exclude(Q(one=user) | Q(two=user))


def decline(code: str, user: User) -> Lobby:
    """Closes a challenge for the challenged user. Raises Refused."""
    return change(code, partial(_decline, user.pk))


def decline_all(user: User) -> None:
    """Declines all challenges that wait for a user."""
    _decline_each(waiting_for(user), user.pk)


class ChallengeObserver(AccountObserver):
    """Ends challenges when accounts change."""

    def blocks_changed(self, one_id: int, other_id: int) -> None:
        """Declines the challenges that wait between two users if one now blocks the other."""
        if is_blocked(one_id, other_id):
            users = User.objects.in_bulk((one_id, other_id))
            for user in users.values():
                _decline_each(waiting_for(user).filter(host__in=users), user.pk)


def may_decline(lobby: Lobby, viewer_id: int | None) -> bool:
    """Returns whether a challenge waits for the answer of a viewer."""
    is_asked = viewer_id is not None and lobby.invited_id == viewer_id
    return is_asked and lobby.status == Lobby.Status.OPEN and lobby.place_of(viewer_id) is None


def sentence(lobby: Lobby, viewer_id: int | None) -> str:
    """Returns the status of a challenge for a viewer; empty for other or started lobbies."""
    if lobby.invited is None or lobby.place_of(lobby.invited_id):
        return ""
    names = {"name": lobby.invited.username, "host": lobby.host.username}
    if lobby.status == Lobby.Status.CLOSED:
        is_declined = lobby.why == Lobby.Why.DECLINED
        return _("%(name)s declined the challenge.") % names if is_declined else ""
    if viewer_id == lobby.invited_id:
        return _("%(host)s challenges you. Join to play.") % names
    if viewer_id == lobby.host_id:
        return _("Waiting for %(name)s to accept your challenge.") % names
    return _("%(host)s challenges %(name)s.") % names


def joiners(lobby: Lobby) -> str:
    """Returns the users who may join a challenge; empty for other lobbies."""
    if lobby.invited is None:
        return ""
    return _("Only %(name)s") % {"name": lobby.invited.username}


def invitation(lobby: Lobby) -> str:
    """Returns a sentence about the link to a challenge; empty for other lobbies."""
    if lobby.invited is None:
        return ""
    names = {"name": lobby.invited.username}
    if lobby.watch:
        return _("Only %(name)s can join. Others with the link can watch.") % names
    return _("Only %(name)s can join.") % names


def _decline_each(waiting: LobbyQuerySet, user_id: int) -> None:
    for code in list(waiting.values_list("code", flat=True)):
        try:
            change(code, partial(_decline, user_id))
        except (Refused, Lobby.DoesNotExist):
            continue  # it was accepted or closed meanwhile


def _decline(user_id: int, lobby: Lobby) -> Columns:
    check_open(lobby)
    if not may_decline(lobby, user_id):
        raise Refused(LobbyReason.NOT_SEATED)
    return {"status": Lobby.Status.CLOSED, "why": Lobby.Why.DECLINED}
