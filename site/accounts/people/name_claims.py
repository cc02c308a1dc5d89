"""Names that are not free: those in use, look-alikes of accounts' names, given-up names.

The unique column `User.skeleton` holds look-alikes apart, `NameClaim` keeps given-up names. A check
comes after the write of a name, in the same transaction: the write waits for whoever has the name.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import NameClaim, User
from accounts.people.names import MAX_NAME_CHARS, TAKEN, friendly, skeleton

KEPT_FOR: Final = timedelta(days=90)
ALIKE = _("That name looks too much like another player’s.")
CLAIMED = _("Someone used that name until recently. It’s still kept for them.")
MAX_SUGGESTIONS: Final = 50


class NameTaken(ValidationError):
    """A name that is not free; the message says why."""


def check_free(name: str, holder: User | None = None) -> None:
    """Raise NameTaken unless a user, or somebody new, may have a name."""
    alike = skeleton(name)
    rows = User.objects.filter(Q(username__iexact=name) | Q(skeleton=alike))
    claims = NameClaim.objects.filter(skeleton=alike, until__gt=timezone.now())
    if holder is not None and holder.pk is not None:
        rows = rows.exclude(pk=holder.pk)
        claims = claims.exclude(user=holder.pk)  # those of deleted users stay: they have none
    names = [each.lower() for each in rows.values_list("username", flat=True)]
    if name.lower() in names:
        raise NameTaken(TAKEN, "username_taken")
    if names:
        raise NameTaken(ALIKE, "alike")
    if claims.exists():
        raise NameTaken(CLAIMED, "claimed")


@contextmanager
def writing_name(name: str, holder: User) -> Iterator[None]:
    """Run a write of a user's name in a savepoint. Raise NameTaken if the name is not free.

    `holder` has the id of its row by the end of the write.
    """
    try:
        with transaction.atomic():
            over = Q(user__isnull=False, user=holder.pk) | Q(until__lte=timezone.now())
            NameClaim.objects.filter(over, skeleton=skeleton(name)).delete()
            yield
            check_free(name, holder)
    except IntegrityError as error:
        check_free(name, holder)
        raise NameTaken(TAKEN, "username_taken") from error


def keep_name(user: User) -> None:
    """Keep the name that an account gives up; call it in the transaction that writes another."""
    NameClaim.objects.update_or_create(
        skeleton=skeleton(user.username),
        defaults={"name": user.username, "user": user, "until": timezone.now() + KEPT_FOR},
    )


def keep_names_of_deleted(user: User) -> None:
    """Keep an account's names from everybody, without a trace that leads to the deleted row."""
    keep_name(user)
    NameClaim.objects.filter(user=user).update(user=None, name="")


def export_claims(user_id: int) -> list[dict[str, str]]:
    """Return the names that are kept for a user, JSON-ready."""
    claims = NameClaim.objects.filter(user=user_id).order_by("until")
    return [{"name": claim.name, "until": claim.until.isoformat()} for claim in claims]


def find_person(name: str) -> User | None:
    """Return the account or computer player with a name, else the account that it is kept for."""
    if person := User.objects.filter(username__iexact=name, is_guest=False).first():
        return person
    claims = NameClaim.objects.filter(skeleton=skeleton(name), name__iexact=name)
    claim = claims.filter(until__gt=timezone.now(), user__is_guest=False).first()
    return claim.user if claim else None


def suggest_name(name: str) -> str:
    """Return a name itself if it is free, else one with a number: `Ana-2`."""
    ends = ["", *(f"-{number}" for number in range(2, MAX_SUGGESTIONS + 2))]
    wanted = {end: name[: MAX_NAME_CHARS - len(end)] + end for end in ends}
    alike = {end: skeleton(each) for end, each in wanted.items()}
    lower = {end: each.lower() for end, each in wanted.items()}
    users = User.objects.annotate(lower=Lower("username"))
    taken = set(users.filter(lower__in=lower.values()).values_list("lower", flat=True))
    kept = set(User.objects.filter(skeleton__in=alike.values()).values_list("skeleton", flat=True))
    claims = NameClaim.objects.filter(skeleton__in=alike.values(), until__gt=timezone.now())
    kept |= set(claims.values_list("skeleton", flat=True))
    free = (end for end in ends if lower[end] not in taken and alike[end] not in kept)
    end = next(free, None)
    return friendly(4) if end is None else wanted[end]


def delete_old_claims() -> int:
    """Delete the claims whose time is over; return how many."""
    return NameClaim.objects.filter(until__lte=timezone.now()).delete()[0]
