"""Blocks between users: users are never paired or seated together if one blocks the other.

Neither is named to the other in lists of people, games and studies, nor quoted; both are counted.
A block is silent: the blocked user cannot tell it from an ordinary refusal.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q

from accounts.models import Block, User

HAS_BLOCKS = Exists(Block.objects.filter(blocker=OuterRef("pk"))) | Exists(
    Block.objects.filter(blocked=OuterRef("pk"))
)


def is_blocked(one_id: int | None, other_id: int | None) -> bool:
    """Return whether one of two users blocks the other."""
    if one_id is None or other_id is None:
        return False
    between = Q(blocker=one_id, blocked=other_id) | Q(blocker=other_id, blocked=one_id)
    return Block.objects.filter(between).exists()


def blocked_ids(user_id: int | None) -> set[int]:
    """Return the ids of users that a user blocks or is blocked by."""
    return set() if user_id is None else blocked_ids_of([user_id])[user_id]


def hidden_from(reader: User | AnonymousUser) -> set[int]:
    """Return the ids of users who are not named to the user of a request.

    Of an account it takes a query only if there is a block.
    """
    has_none = not isinstance(reader, User) or reader.has_blocks is False
    return set() if has_none else blocked_ids(reader.pk)


def names_of(ids: Collection[int]) -> frozenset[str]:
    """Return the names of users, for lists that hold names; without ids no query."""
    names = User.objects.filter(pk__in=ids).values_list("username", flat=True) if ids else ()
    return frozenset(names)


def blocked_ids_of(user_ids: Collection[int]) -> Mapping[int, set[int]]:
    """Return for each of some users the ids that `blocked_ids` returns, in one query."""
    found: dict[int, set[int]] = defaultdict(set)
    rows = Block.objects.filter(Q(blocker__in=user_ids) | Q(blocked__in=user_ids))
    for one, other in rows.values_list("blocker", "blocked"):
        found[one].add(other)
        found[other].add(one)
    return found


def blocked_pairs(user_ids: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs among the given users in which one blocks the other."""
    ids = set(user_ids)
    rows = Block.objects.filter(blocker__in=ids, blocked__in=ids)
    return {frozenset(pair) for pair in rows.values_list("blocker", "blocked")}
