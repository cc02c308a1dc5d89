"""Texts of notices: each kind in both languages, the time left, names of deleted users."""

from itertools import product
from typing import Any

import pytest
from django.utils.translation import override

from games.catalogue import RULES
from notices.inbox.texts import NoticeText, notice_text
from notices.models import Kind, Notice

HOUR_MS, MINUTE_MS = 3_600_000, 60_000
DAY_MS = 24 * HOUR_MS
AT = 1_800_000_000_000
SLUG = "a1B2c3D4e5F6a1B2c3D4e5"
TURN = {"rules": "amazons-8x8", "opponent": "Ada", "deadline": AT + 2 * DAY_MS, "is_first": False}
DAYS_CLOCK = {"kind": "days", "initial": DAY_MS, "increment": 0}
END = {"rules": "pincer", "opponent": "Ada"}


def text_of(kind: Kind, data: dict[str, Any], subject: str = SLUG) -> NoticeText:
    return notice_text(Notice(user_id=1, kind=kind, subject=subject, data=data), AT)


@pytest.mark.parametrize(
    ("kind", "data", "title", "body", "url"),
    [
        (Kind.TURN, TURN, "Your turn against Ada", "Amazons 8×8 · 2 days left", f"/g/{SLUG}/"),
        (Kind.TURN, TURN | {"deadline": None}, "Your turn against Ada", "Amazons 8×8", None),
        (Kind.TURN, TURN | {"is_first": True}, "Your first turn against Ada", None, None),
        (
            Kind.HALF,
            TURN | {"deadline": AT + 12 * HOUR_MS},
            "Half your time is gone",
            "Amazons 8×8 against Ada · 12 hours left",
            f"/g/{SLUG}/",
        ),
        (
            Kind.LAST,
            TURN | {"deadline": AT + 5 * HOUR_MS},
            "5 hours left against Ada",
            "Amazons 8×8 · It’s your turn.",
            f"/g/{SLUG}/",
        ),
        (Kind.LAST, TURN | {"deadline": AT - 1}, "No time left against Ada", None, None),
        (
            Kind.ENDED,
            END | {"result": "won", "reason": "resigned"},
            "You win. Ada resigned.",
            "Pincer against Ada",
            f"/g/{SLUG}/",
        ),
        (Kind.ENDED, END | {"result": "lost", "reason": "time"}, "You lose. You ran out of time.",
         None, None),
        (Kind.ENDED, END | {"result": "drawn", "reason": "agreed"}, "Draw. You both agreed.",
         None, None),
        (Kind.ENDED, END | {"result": "void", "reason": "aborted"}, "Game aborted.", None, None),
        (Kind.OFFER, END | {"what": "draw"}, "Ada offers a draw", "Pincer", f"/g/{SLUG}/"),
        (Kind.OFFER, END | {"what": "takeback"}, "Ada asks to take a move back", None, None),
        (
            Kind.CHALLENGE,
            {"rules": "amazons-8x8", "host": "Ada", "clock": DAYS_CLOCK},
            "Ada challenges you",
            "Amazons 8×8 · 1 day a turn",
            f"/l/{SLUG}/",
        ),
        (Kind.JOINED, {"rules": "pincer", "name": "Ada", "game": ""}, "Ada joined your game",
         "Pincer", f"/l/{SLUG}/"),
        (Kind.JOINED, {"rules": "pincer", "name": "Ada", "game": "x"}, None, None, "/g/x/"),
        (Kind.JOINED, {"rules": "pincer", "name": "Ada", "end": "declined"},
         "Ada declined your challenge", "Pincer", f"/l/{SLUG}/"),
        (Kind.JOINED, {"rules": "pincer", "name": "Ada", "end": "away"},
         "Your challenge to Ada has ended", None, f"/l/{SLUG}/"),
        (
            Kind.PLAYS,
            {"rules": "blotto", "name": "Ada", "opponent": "bob"},
            "Ada is playing now",
            "Colonel Blotto against bob",
            f"/g/{SLUG}/",
        ),
        (Kind.HOLIDAY, {"until": AT, "game": SLUG}, "Your holiday began", None, f"/g/{SLUG}/"),
        (Kind.HOLIDAY, END | {"until": AT, "game": SLUG}, "Ada went on holiday", None,
         f"/g/{SLUG}/"),
        (Kind.MODERATION, {"what": "muted", "until": None}, "You’ve been muted",
         "A moderator has muted you in chat.", "/terms/"),
        (Kind.MODERATION, {"what": "muted", "until": AT}, None,
         "A moderator has muted you in chat. Until 15 January 2027, 08:00 (UTC).", None),
    ],
)  # fmt: skip
def test_a_notice_says_plainly_what_happened(kind, data, title, body, url) -> None:
    text = text_of(kind, data)
    assert title is None or text.title == title
    assert body is None or text.body == body
    assert url is None or text.url == url
    assert text.button


def test_the_same_notice_tells_less_time_later() -> None:
    notice = Notice(user_id=1, kind=Kind.TURN, subject=SLUG, data=TURN)
    assert notice_text(notice, AT).body.endswith("2 days left")
    assert notice_text(notice, AT + 30 * HOUR_MS).body.endswith("18 hours left")


@pytest.mark.parametrize("name", ["", "deleted-7f3a02"])
def test_the_name_of_a_deleted_user_is_not_told(name: str) -> None:
    assert text_of(Kind.TURN, TURN | {"opponent": name}).title == "Your turn against a deleted user"
    offer = text_of(Kind.OFFER, {"rules": "pincer", "opponent": name, "what": "draw"})
    assert offer.title == "A deleted user offers a draw"


def test_a_name_in_small_letters_keeps_them() -> None:
    offer = text_of(Kind.OFFER, {"rules": "pincer", "opponent": "ada", "what": "draw"})
    assert offer.title == "ada offers a draw"


def test_a_withdrawn_game_and_an_unknown_clock_are_left_bare() -> None:
    assert text_of(Kind.TURN, TURN | {"rules": "tak", "deadline": None}).body == "tak"
    data = {"rules": "pincer", "host": "Ada", "clock": {"kind": "sundial"}}
    assert text_of(Kind.CHALLENGE, data).body == "Pincer"


ENDS = [
    {"result": result, "reason": reason}
    for result, reason in product(
        ("won", "lost", "drawn", "void"),
        ("resigned", "time", "abandoned", "no_moves", "captured_all", "agreed", "rounds", "idle"),
    )
]
DECISIONS = [
    "muted", "unmuted", "suspended", "restored", "report_upheld", "report_dismissed", "line_deleted"
]  # fmt: skip
ALL_DATA: list[tuple[Kind, dict[str, Any]]] = [
    *((kind, TURN) for kind in (Kind.TURN, Kind.HALF, Kind.LAST)),
    *((Kind.ENDED, END | end) for end in ENDS),
    *((Kind.OFFER, END | {"what": what}) for what in ("draw", "takeback")),
    *(
        (Kind.CHALLENGE, {"rules": key, "host": "Ada", "clock": DAYS_CLOCK})
        for key in sorted(RULES)
    ),
    (Kind.JOINED, {"rules": "pincer", "name": "Ada", "game": SLUG}),
    *(
        (Kind.JOINED, {"rules": "pincer", "name": "Ada", "end": end})
        for end in ("declined", "away")
    ),
    (Kind.PLAYS, {"rules": "pincer", "name": "Ada", "opponent": "bob"}),
    (Kind.HOLIDAY, {"until": AT, "game": SLUG}),
    (Kind.HOLIDAY, END | {"until": AT, "game": SLUG}),
    *((Kind.MODERATION, {"what": what, "until": AT}) for what in DECISIONS),
]


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize(("kind", "data"), ALL_DATA)
def test_every_kind_has_a_whole_text(language: str, kind: Kind, data: dict[str, Any]) -> None:
    with override(language):
        text = text_of(kind, data)
    for part in (text.title, text.body, text.url, text.button):
        assert part
        assert "%" not in part
        assert "{" not in part
    assert len(text.title) <= 70
    assert text.url.startswith("/")


def test_the_kinds_above_are_all_there_are() -> None:
    assert {kind for kind, _ in ALL_DATA} == set(Kind)


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.TURN, "It was your turn"),
        (Kind.HALF, "Half your time was gone"),
        (Kind.LAST, "Your time was nearly up"),
    ],
)
def test_a_turn_that_was_made_is_told_without_its_time_left(kind: Kind, title: str) -> None:
    closed = Notice(user_id=1, kind=kind, subject=SLUG, data=TURN, closed=AT)
    text = notice_text(closed, AT)
    assert (text.title, text.body) == (title, "Amazons 8×8 against Ada")
    assert text.button == "View the game"
