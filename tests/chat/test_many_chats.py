"""Chats and viewers of many pages are read at once, and as one by one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.relations import block
from chat import chat_service, chat_view, permissions
from chat.models import Line, Report
from tests.chat.test_chat import refill_buckets, say, where
from tests.support.chat_people import account, end, game_of, guest, lobby_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def places():
    """Two people with chats: games that run and are over, a lobby, one without a line."""
    ada, bob, cy = account("ada"), account("bob"), account("cyrus")
    over, runs, silent, lobby = (*(game_of(ada, bob) for _ in range(3)), lobby_of(ada))
    for place in (over, runs, lobby):
        for number, user in enumerate((ada, bob, cy, ada)):
            say(place, user, f"{user} {number}")
        refill_buckets(ada, bob, cy)
    Line.objects.filter(pk=Line.objects.order_by("-pk")[1].pk).update(is_hidden=True)
    end(over)
    return over, runs, silent, lobby


def idents_of(places) -> list[str]:
    circles = {"game": ("players", "watchers"), "lobby": ("lobby",)}
    heads = [where(place) for place in places]
    idents = [f"{kind}/{ident}/{circle}" for kind, ident in heads for circle in circles[kind]]
    return [*idents, "game/nothing/players", "lobby/nothing/lobby"]


@pytest.mark.parametrize("most", [1, 3, 240])
def test_many_chats_are_read_as_each_alone(places, monkeypatch, most) -> None:
    monkeypatch.setattr(chat_view, "MAX_READ_LINES", most)
    idents = idents_of(places)
    alone = {each: chat_view.load_chat(*each.split("/")) for each in idents}
    together = chat_view.load_chats(idents)
    assert together == {ident: chat for ident, chat in alone.items() if chat is not None}
    assert max(len(chat.lines) for chat in together.values()) == min(most, 4)


def test_the_newest_lines_of_both_circles_are_shown_after_the_end(places, monkeypatch) -> None:
    monkeypatch.setattr(chat_view, "MAX_READ_LINES", 3)
    over = chat_view.load_chat(*where(places[0]), "players")
    assert [line.text for line in over.lines] == ["bob 1", "cyrus 2", "ada 3"]
    assert over.rev.startswith("over.")


def test_many_chats_take_as_many_queries_as_two(places) -> None:
    counts = []
    for idents in (idents_of(places[:1]), idents_of(places[:3])):
        with CaptureQueriesContext(connection) as queries:
            chat_view.load_chats([each for each in idents if each.startswith("game")])
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 5


def test_many_viewers_are_read_as_each_alone(places) -> None:
    ada, bob, cy = (permissions.User.objects.get(username=name) for name in ("ada", "bob", "cyrus"))
    chat_service.mute(ada.pk, "cyrus", True)
    block(bob, "cyrus")
    gus = guest("gus")
    line = chat_view.load_chat(*where(places[1]), "players").lines[-1].id
    chat_service.report(*where(places[1]), bob.pk, line, Report.Why.values[0])
    permissions.User.objects.filter(pk=cy.pk).update(is_active=False)
    users = [ada.pk, bob.pk, cy.pk, gus.pk, 0]
    alone = {user: permissions.load_viewer(user) for user in users}
    together = permissions.load_viewers(users)
    assert together == {user: viewer for user, viewer in alone.items() if viewer is not None}
    assert together.keys() == {ada.pk, bob.pk, gus.pk}
    assert together[ada.pk].muted == {cy.pk: "cyrus"}
    assert together[bob.pk].blocked == (cy.pk,)
    assert len(together[bob.pk].reports) == 1
    with CaptureQueriesContext(connection) as queries:
        permissions.load_viewers(users)
    assert len(queries) == 4
