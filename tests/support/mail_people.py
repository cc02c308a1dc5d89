"""People with confirmed addresses and their posts by mail, for the tests of mails."""

import itertools

from allauth.account.models import EmailAddress

from accounts.models import User
from notices.models import Channel, Kind, Notice, Post, Preferences

MINUTE, HOUR = 60_000, 3_600_000
DAY = 24 * HOUR
NOON = 1_780_000_000_000 // DAY * DAY + 12 * HOUR  # of a day in 2026, UTC
SERIALS = itertools.count(1)
DATA: dict[Kind, dict[str, object]] = {
    Kind.TURN: {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False},
    Kind.HALF: {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False},
    Kind.LAST: {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False},
    Kind.ENDED: {"rules": "pincer", "opponent": "bob", "result": "won", "reason": "resigned"},
    Kind.OFFER: {"rules": "pincer", "opponent": "bob", "what": "draw"},
    Kind.CHALLENGE: {
        "rules": "pincer",
        "host": "bob",
        "clock": {"kind": "days", "initial": DAY, "increment": 0},
    },
    Kind.JOINED: {"rules": "pincer", "name": "bob", "game": ""},
    Kind.PLAYS: {"rules": "pincer", "name": "bob", "opponent": "cy"},
    Kind.HOLIDAY: {"rules": "pincer", "opponent": "bob", "until": NOON, "game": "game"},
    Kind.MODERATION: {"what": "muted", "until": NOON},
}


def mailed_person(name: str = "ada", **prefs: object) -> User:
    """An account with a confirmed address and preferences; mails at once unless said otherwise."""
    user = User.objects.create(username=name, email=f"{name}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Preferences.objects.create(user=user, **{"mail": "at_once", **prefs})
    return user


def mail_post(
    user: User,
    kind: Kind = Kind.TURN,
    at: int = NOON,
    subject: str = "",
    deadline: int | None = None,
    **data: object,
) -> Post:
    """A notice told 15 minutes before `at`, whose mail is due at `at`."""
    serial = next(SERIALS)
    about = {**DATA[kind], **({"deadline": deadline} if deadline else {}), **data}
    told = at - 15 * MINUTE
    notice = Notice.objects.create(
        user=user,
        kind=kind,
        subject=subject or f"game{serial}",
        serial=serial,
        data=about,
        created=told,
        due=told,
    )
    return Post.objects.create(
        notice=notice, channel=Channel.MAIL, due=at, expires=deadline or at + 7 * DAY
    )


def wants(user: User, *kinds: Kind) -> None:
    """Ticks mail for kinds."""
    channels = {kind: ["bell", "mail"] for kind in kinds}
    Preferences.objects.filter(user=user).update(channels=channels)


def states(user: User) -> list[str]:
    """The states of a user's posts, oldest first."""
    rows = Post.objects.filter(notice__user=user).order_by("pk")
    return list(rows.values_list("state", flat=True))
