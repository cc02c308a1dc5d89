"""Blocks between users: two users of whom one blocks the other are never brought together.

A block is silent: the blocked user is told nothing that tells it from an ordinary refusal.
"""

from collections.abc import Iterable

from django.db.models import Q

from accounts.models import Block


def is_blocked(one_id: int | None, other_id: int | None) -> bool:
    """Return whether one of two users blocks the other."""
    if one_id is None or other_id is None:
        return False
    between = Q(blocker=one_id, blocked=other_id) | Q(blocker=other_id, blocked=one_id)
    return Block.objects.filter(between).exists()


def blocked_ids(user_id: int | None) -> set[int]:
    """Return the ids of users whom a user blocks, or who block the user."""
    if user_id is None:
        return set()
    rows = Block.objects.filter(Q(blocker=user_id) | Q(blocked=user_id))
    pairs = rows.values_list("blocker", "blocked")
    return {other if one == user_id else one for one, other in pairs}


def blocked_pairs(user_ids: Iterable[int]) -> set[frozenset[int]]:
    """Return the pairs among the given users of whom one blocks the other."""
    ids = set(user_ids)
    rows = Block.objects.filter(blocker__in=ids, blocked__in=ids)
    return {frozenset(pair) for pair in rows.values_list("blocker", "blocked")}
