"""Write notices in batches, mark them as read, and delete old ones.

Every function is one transaction and safe to repeat. The inboxes of the users concerned are locked
first, in ascending id: of two processes that record the same notice, one finds it recorded.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from accounts.account_service import find_active_people
from notices.models import Inbox, Kind, Notice
from play.domain.clocks import DAY_MS
from play.runtime.notify import publish

KEPT_MS = 60 * DAY_MS  # a notice
CLOSED_KEPT_MS = 7 * DAY_MS  # an obsolete one
DELETE_BATCH = 500  # notices deleted in one transaction
TOPIC = "notices"  # of a user's notices, with the id of the user
# Derived from states that may last longer than a notice is kept; they stay until they are closed.
LASTING_SUBJECTS = ("mute", "suspension")  # of moderation; see `derive.polls`
Key = tuple[int, str, str, int]  # user, kind, subject, serial


@dataclass(frozen=True, slots=True)
class Draft:
    """A notice to be recorded; times in epoch ms."""

    user: int
    kind: str
    subject: str
    serial: int
    data: Mapping[str, Any]
    at: int  # when it happened
    due: int  # when it is first shown
    expires: int | None = None
    is_read: bool = False  # the user was watching when it happened

    @property
    def key(self) -> Key:
        """The columns by which it is unique."""
        return (self.user, self.kind, self.subject, self.serial)


@dataclass(frozen=True, slots=True)
class Move:
    """New times of an open notice, whose turn has got another deadline."""

    notice: int
    due: int
    expires: int
    data: Mapping[str, Any]


@dataclass
class Batch:
    """Changes of notices to be written together."""

    drafts: list[Draft] = field(default_factory=list)
    closing: list[int] = field(default_factory=list)  # ids of notices
    moves: list[Move] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.drafts or self.closing or self.moves)

    def add(self, other: "Batch") -> None:
        """Take over the changes of another batch."""
        self.drafts += other.drafts
        self.closing += other.closing
        self.moves += other.moves


def mark_read(user_id: int, ids: Collection[int] | None, at: int) -> int:
    """Mark notices of a user as read, all that are due if `ids` is None; return how many."""
    rows = Notice.objects.of(user_id).shown(at).filter(read=None)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    with transaction.atomic():
        if not rows.exists():
            return 0
        _lock_inboxes({user_id})
        count = rows.update(read=at)
        _bump([user_id] if count else [])
    return count


def write(batch: Batch, at: int) -> set[Key]:
    """Write a batch in one transaction; return the keys of the notices that are new."""
    moved = {move.notice: move for move in batch.moves}
    touched = [*batch.closing, *moved]
    rows = Notice.objects.filter(pk__in=touched) if touched else Notice.objects.none()
    owners = dict(rows.values_list("pk", "user"))
    users = {draft.user for draft in batch.drafts} | set(owners.values())
    with transaction.atomic():
        _lock_inboxes(users)
        known = _known(batch.drafts)
        new = {draft.key: draft for draft in batch.drafts if draft.key not in known}
        Notice.objects.bulk_create([_row(draft) for draft in new.values()], ignore_conflicts=True)
        changed = [*_close(batch.closing, at), *(draft.user for draft in new.values())]
        for notice, move in moved.items():
            row = Notice.objects.filter(pk=notice, closed=None)
            times = {"created": move.due, "due": move.due, "expires": move.expires}
            if row.update(**times, data=dict(move.data)):
                changed.append(owners[notice])
        _bump(changed)
    return set(new)


def may_be_told(user_ids: Iterable[int]) -> set[int]:
    """Return the users who can read a notice, see `find_active_people`."""
    return find_active_people(user_ids)


def touch(user_id: int) -> None:
    """Make all pages of a user read the bell again, such as after a change of its kinds."""
    _bump([user_id])


def hint(user_ids: Iterable[int]) -> None:
    """Tell the pages of some users that their notices have changed."""
    for user in user_ids:
        publish((TOPIC, str(user)))


def delete_old(at: int) -> int:
    """Delete a batch of notices that are kept no longer at `at` (epoch ms); return how many.

    The process of the notices calls it now and then, again while it returns `DELETE_BATCH`. The
    inboxes keep their revs: pages show the change with their next one.
    """
    is_closed = Q(closed__lt=at - CLOSED_KEPT_MS)
    is_state = Q(kind=Kind.CHALLENGE) | Q(kind=Kind.MODERATION, subject__in=LASTING_SUBJECTS)
    is_lasting = is_state & Q(closed=None)
    rows = Notice.objects.filter(Q(due__lt=at - KEPT_MS) & ~is_lasting | is_closed)
    old = list(rows.values_list("pk", flat=True)[:DELETE_BATCH])
    if old:
        with transaction.atomic():
            Notice.objects.filter(pk__in=old).delete()
    return len(old)


def _row(draft: Draft) -> Notice:
    return Notice(
        user_id=draft.user,
        kind=draft.kind,
        subject=draft.subject,
        serial=draft.serial,
        data=dict(draft.data),
        created=draft.at,
        due=draft.due,
        expires=draft.expires,
        read=draft.at if draft.is_read else None,
    )


def _known(drafts: Sequence[Draft]) -> set[Key]:
    """Return the keys of those drafts that are recorded already."""
    if not drafts:
        return set()
    rows = Notice.objects.filter(
        user__in={draft.user for draft in drafts},
        kind__in={draft.kind for draft in drafts},
        subject__in={draft.subject for draft in drafts},
    )
    return set(rows.values_list("user", "kind", "subject", "serial"))


def _close(ids: Sequence[int], at: int) -> list[int]:
    """Close the open ones of some notices; return their users."""
    if not ids:
        return []
    rows = Notice.objects.filter(pk__in=ids, closed=None)
    users = list(rows.values_list("user", flat=True))
    if users:
        rows.update(closed=at)
    return users


def _lock_inboxes(users: Collection[int]) -> None:
    """Lock the inboxes of users until the end of the transaction; create missing ones."""
    if not users:
        return
    inboxes = Inbox.objects.filter(pk__in=users)
    known = set(inboxes.values_list("pk", flat=True))
    if missing := set(users) - known:
        new = [Inbox(user_id=user) for user in sorted(missing)]
        Inbox.objects.bulk_create(new, ignore_conflicts=True)
    list(inboxes.select_for_update().order_by("pk").values_list("pk", flat=True))


def _bump(users: Iterable[int]) -> None:
    """Increment the revs of inboxes, and hint to their pages after the commit."""
    changed = set(users)
    if not changed:
        return
    Inbox.objects.filter(pk__in=changed).update(rev=F("rev") + 1)
    transaction.on_commit(lambda: hint(changed))
