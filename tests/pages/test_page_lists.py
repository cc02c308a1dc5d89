"""Readings of the lists of the front page and the watch page: shared for a second."""

from types import SimpleNamespace

import pytest

from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from pages import page_lists
from pages.page_lists import read_lists
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import ended, game_of

pytestmark = pytest.mark.django_db
OPTIONS = Options("pincer", NO_CLOCK, "white", True)
LIFE_S = 1.0


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """The time of readings, which passes when a test says so."""
    clock = SimpleNamespace(at=0.0)
    monkeypatch.setattr(page_lists, "time", SimpleNamespace(monotonic=lambda: clock.at))
    monkeypatch.setattr(page_lists, "LIFE_S", LIFE_S)
    monkeypatch.setattr(page_lists, "_newest", {})
    return clock


def test_a_reading_is_shared_for_a_second_and_then_shows_all_changes(ada, bob, clock) -> None:
    lobby_service.create(bob, OPTIONS)
    first = read_lists()
    game_of(ada, bob)
    clock.at += LIFE_S / 2
    assert read_lists() is first and "ada" not in first.names
    clock.at += LIFE_S / 2
    second = read_lists()
    assert second.version != first.version
    assert len(second.lists.lobbies) == 1


def test_each_rule_set_has_a_reading_of_its_own(ada, bob, clock) -> None:
    ended(game_of(ada, bob, "blotto"), "white", "resigned", step=1)
    assert [len(read_lists(key).finished) for key in ("", "blotto", "pincer")] == [1, 1, 0]
    assert read_lists("blotto") is read_lists("blotto")
    assert read_lists("").results and not read_lists("blotto").results


def test_a_reading_without_some_people_is_for_one_reader_alone(ada, bob, clock) -> None:
    lobby_service.create(bob, OPTIONS)
    ended(game_of(ada, bob), "white", "resigned", step=1)
    whole = read_lists()
    for reader, count in (("cy", 0), ("ada", 1)):  # ada has played the game
        own = whole.without({"bob"}, reader)
        assert (len(own.lists.lobbies), len(own.finished), len(own.results)) == (0, count, count)
        assert own.version != whole.version and own.life_s == 0
    assert read_lists() is whole and len(whole.finished) == 1


def test_a_failed_reading_is_not_kept(ada, bob, clock, monkeypatch) -> None:
    def fail(key: str) -> object:
        raise ValueError("a damaged row")

    with monkeypatch.context() as patch:
        patch.setattr(page_lists, "stored_lists", fail)
        with pytest.raises(ValueError, match="damaged"):
            read_lists()
    assert read_lists().lists.games == ()
