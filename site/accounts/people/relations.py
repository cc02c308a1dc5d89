"""Follow, unfollow, block and unblock users.

A block is silent: the refusal is the same as for a suspended account.
"""

import time

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Block, Follow, User
from accounts.observers import observers
from accounts.people.blocks import blocked_ids, is_blocked
from accounts.people.names import NAME
from accounts.refusals import RefusalReason, Refused

MAX_FOLLOWED_USERS = 500
MAX_BLOCKED_USERS = 1_000


class RelationReason(RefusalReason):
    """Why a follow or a block was refused."""

    NOBODY = "nobody", _("No one has that name.")
    YOURSELF = "yourself", _("That’s you.")
    COMPUTER = "computer", _("You can’t do that with a computer player.")
    GUEST = "guest", _("Only accounts can follow and be followed.")
    UNAVAILABLE = "unavailable", _("This player isn’t available.")
    TOO_MANY = "too_many", _("Your list is full. Remove someone first.")


def find_user(name: str) -> User:
    """Return the user with a name, in any letter case. Raises Refused."""
    user = User.objects.filter(username__iexact=name).first() if NAME.fullmatch(name) else None
    if user is None:
        raise Refused(RelationReason.NOBODY)
    return user


def follow(follower: User, name: str) -> User:
    """Let an account follow another; return that. Following again changes nothing.

    Raises Refused.
    """
    followed = find_user(name)
    if followed.pk == follower.pk:
        raise Refused(RelationReason.YOURSELF)
    if followed.is_bot:
        raise Refused(RelationReason.COMPUTER)
    if not (follower.is_account and followed.is_account):
        raise Refused(RelationReason.GUEST)
    with transaction.atomic():
        _lock(follower)
        if not followed.is_active or is_blocked(follower.pk, followed.pk):
            raise Refused(RelationReason.UNAVAILABLE)
        own = Follow.objects.filter(follower=follower)
        if not own.filter(followed=followed).exists():
            if own.count() >= MAX_FOLLOWED_USERS:
                raise Refused(RelationReason.TOO_MANY)
            Follow.objects.create(follower=follower, followed=followed, at=_now())
    return followed


def unfollow(follower: User, name: str) -> User:
    """End a follow, if there is one; return the other user. Raises Refused."""
    followed = find_user(name)
    Follow.objects.filter(follower=follower, followed=followed).delete()
    return followed


def block(blocker: User, name: str) -> User:
    """Block a user, also a guest; return that user. It ends follows in both directions.

    Blocking again changes nothing. Raises Refused.
    """
    blocked = find_user(name)
    if blocked.pk == blocker.pk:
        raise Refused(RelationReason.YOURSELF)
    if blocked.is_bot:
        raise Refused(RelationReason.COMPUTER)
    with transaction.atomic():
        _lock(blocker)
        own = Block.objects.filter(blocker=blocker)
        if own.filter(blocked=blocked).exists():
            return blocked
        if own.count() >= MAX_BLOCKED_USERS:
            raise Refused(RelationReason.TOO_MANY)
        Block.objects.create(blocker=blocker, blocked=blocked, at=_now())
        pair = (blocker.pk, blocked.pk)
        Follow.objects.filter(follower__in=pair, followed__in=pair).delete()
        _notify_blocks_changed(blocker.pk, blocked.pk)
    return blocked


def unblock(blocker: User, name: str) -> User:
    """End a block, if there is one; return the other user. Raises Refused."""
    blocked = find_user(name)
    with transaction.atomic():
        count, _tables = Block.objects.filter(blocker=blocker, blocked=blocked).delete()
        if count:
            _notify_blocks_changed(blocker.pk, blocked.pk)
    return blocked


def is_following(follower_id: int | None, followed_id: int) -> bool:
    """Return whether one user follows another."""
    if follower_id is None:
        return False
    return Follow.objects.filter(follower=follower_id, followed=followed_id).exists()


def has_blocked(blocker_id: int | None, blocked_id: int) -> bool:
    """Return whether one user has blocked another, in this direction only."""
    if blocker_id is None:
        return False
    return Block.objects.filter(blocker=blocker_id, blocked=blocked_id).exists()


def followed_by(user_id: int) -> list[User]:
    """Return the active accounts that a user follows, by name."""
    ids = Follow.objects.filter(follower=user_id).values("followed")
    users = User.objects.filter(pk__in=ids, is_active=True, is_guest=False)
    return sorted(users, key=lambda user: user.username.lower())


def blocked_by(user_id: int) -> list[User]:
    """Return the users whom a user has blocked, the latest first."""
    rows = Block.objects.filter(blocker=user_id).select_related("blocked").order_by("-at", "-pk")
    return [row.blocked for row in rows]


def delete_relations(user_id: int) -> None:
    """Delete all follows and blocks of a user, in both directions; call it in a transaction."""
    others = blocked_ids(user_id)
    Follow.objects.filter(Q(follower=user_id) | Q(followed=user_id)).delete()
    Block.objects.filter(Q(blocker=user_id) | Q(blocked=user_id)).delete()
    for other in others:
        _notify_blocks_changed(user_id, other)


def export_relations(user_id: int) -> dict[str, list[str]]:
    """Return the names of the followed and the blocked users, JSON-ready."""
    return {
        "following": [user.username for user in followed_by(user_id)],
        "blocked": [user.username for user in blocked_by(user_id)],
    }


def _lock(user: User) -> None:
    """Serialize changes of one user's lists, so that none grows beyond its bound."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _notify_blocks_changed(one_id: int, other_id: int) -> None:
    def notify() -> None:
        for observer in observers():
            observer.blocks_changed(one_id, other_id)

    transaction.on_commit(notify)


def _now() -> int:
    return time.time_ns() // 1_000_000
