"""Who reads: what talk shows a user depends on, and nothing else of them."""

from collections.abc import Sequence

import msgspec

from accounts.models import User
from talk.models import Kind, Mute, Report, Talker

NEW = 60 * 60 * 1000  # ms for which a new account talks as guests do
MOST_TOLD = 10  # newest reports whose outcome is told


class Told(msgspec.Struct, frozen=True):
    """A report that the viewer has made."""

    kind: Kind
    ident: str
    line: int
    state: str


class Viewer(msgspec.Struct, frozen=True):
    """A pair of eyes. As JSON it is the audience of a talk socket."""

    user: int | None = None  # None: a stranger
    rev: int = 0
    is_guest: bool = False
    text_from: int = 0  # ms, from when on they may write what they like
    silent_until: int = 0  # ms
    muted: dict[int, str] = {}  # user to name
    reports: tuple[Told, ...] = ()


STRANGER = Viewer()


def find(user: int | None) -> Viewer | None:
    """The viewer as the database has them now; None for a user who is gone."""
    if user is None:
        return STRANGER
    row = User.objects.select_related("talker").filter(pk=user, is_active=True).first()
    if row is None:
        return None
    talker = getattr(row, "talker", None) or Talker()
    return Viewer(
        user=user,
        rev=talker.rev,
        is_guest=row.is_guest,
        text_from=int(row.date_joined.timestamp() * 1000) + NEW,
        silent_until=talker.silent_until,
        muted=dict(Mute.objects.filter(viewer=user).values_list("muted", "muted__username")),
        reports=_told(user),
    )


def revs(users: Sequence[int]) -> dict[int, int]:
    """The revs of many viewers; who has none yet is left out."""
    return dict(Talker.objects.filter(pk__in=users).values_list("pk", "rev"))


def _told(user: int) -> tuple[Told, ...]:
    rows = Report.objects.filter(reporter=user).order_by("-pk")[:MOST_TOLD]
    return tuple(Told(row.kind, row.ident, row.said, row.state) for row in rows)  # type: ignore[arg-type]
