"""The page of rules for abandoned games shows the figures in force."""

import pytest

from pages import abandoned
from play.domain import abandonment
from tests.support.page_visitors import text_of

pytestmark = pytest.mark.django_db


def test_the_page_shows_every_figure(client) -> None:
    page = text_of(client.get("/help/abandoned/"))
    for words in (
        "5 seconds after they close it",
        "after 5 minutes it closes",
        "waits 60 minutes for its host",
        "its host hasn’t visited the site for 30 days.",
        "at most 20",
        "30 seconds for the first move",
        "after 7 days without a move the game is aborted",
        "after 1 day without a move",
        "deleted after 90 days",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("FIRST_TURN_MS", 45_000, "45 seconds for the first move"),
        ("AWAY_SLOW_MS", 11 * abandonment.DAY_MS, "hasn’t visited the site for 11 days."),
        ("IDLE_LIMIT_MS", 9 * abandonment.DAY_MS, "after 9 days without a move"),
        ("GONE_LIMIT_MS", 2 * abandonment.DAY_MS, "after 2 days without a move"),
    ],
)
def test_a_figure_comes_from_its_constant(client, monkeypatch, name, value, words) -> None:
    monkeypatch.setattr(abandoned, name, value)
    assert words in text_of(client.get("/help/abandoned/"))


def test_the_page_is_for_everybody_and_links_to_ones_open_games(client, ada) -> None:
    assert client.get("/help/abandoned/").status_code == 200
    assert "/open-games/" not in client.get("/help/abandoned/").content.decode()
    client.force_login(ada)
    assert "/open-games/" in client.get("/help/abandoned/").content.decode()
