"""Anchors and first-move advantages are entries of the log, once each, and the fold obeys them."""

import json
from datetime import UTC, datetime

import pytest
from django.db import transaction
from django.test import Client

from games.rating.anchors import BadAnchors
from games.rating.explanation import explain
from games.rating.pools import Pool, Speed
from games.rating.recompute import recompute
from play.domain.clocks import DAY_MS, now
from ratings.history.changes import history_page
from ratings.models import (
    DriftReport,
    FittedAdvantage,
    FurtherEntry,
    Generation,
    Person,
    RatingEntry,
)
from ratings.rules import scale
from ratings.rules.fold_check import RatingsDiffer, check_current
from ratings.rules.generations import correct, rebuild
from ratings.rules.scale import ScaleTask, append_anchors, current_advantage, fit_advantages
from tests.ratings.placement_games import RATINGS, anchors_with
from tests.support.page_visitors import text_of
from tests.support.rated_games import apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db
NOVEMBER, DECEMBER = (
    int(datetime(2026, month, 5, tzinfo=UTC).timestamp() * 1000) for month in (11, 12)
)


def entries(kind: str) -> list[FurtherEntry]:
    return list(FurtherEntry.objects.filter(kind=kind).order_by("seq"))


def test_anchors_are_appended_once_for_each_board_game() -> None:
    games = ["amazons", "amazons-10x10", "amazons-8x8", "pincer"]
    assert sorted(append_anchors(now())) == games
    assert append_anchors(now()) == []
    found = entries("anchors")
    assert sorted(entry.rules for entry in found) == games
    assert json.loads(found[0].content)["ratings"] == [1000 * each for each in RATINGS]
    assert recompute(read_public_file()).header.last_seq == 4
    assert check_current().entries == 4


def test_only_a_newer_version_is_taken_over(monkeypatch) -> None:
    append_anchors(now())
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2026, shift=9))
    assert append_anchors(now()) == []  # changed without a new version
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2025, shift=9))
    assert append_anchors(now()) == []
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2027, shift=9))
    assert len(append_anchors(now())) == 4
    assert recompute(read_public_file()).header.last_seq == 8


def test_two_processes_append_anchors_once(monkeypatch) -> None:
    """The second one has looked before the first wrote."""
    append_anchors(now())
    monkeypatch.setattr(scale, "_is_newer", lambda *_: pytest.fail("not asked"))
    is_newer = iter([True, False] * 4)  # before the lock, and under it
    monkeypatch.setattr(scale, "_is_newer", lambda *_: next(is_newer))
    assert append_anchors(now()) == []
    assert len(entries("anchors")) == 4


def test_a_damaged_file_is_logged_and_the_earlier_anchors_hold(monkeypatch, caplog) -> None:
    append_anchors(now())

    def damaged(rules: str):
        raise BadAnchors(f"The anchors of {rules} are not JSON.")

    monkeypatch.setattr("ratings.rules.scale.anchors_of", damaged)
    assert append_anchors(now()) == []
    assert len(entries("anchors")) == 4
    assert [getattr(each, "event", "") for each in caplog.records].count("anchors_refused") == 4


@pytest.fixture
def few(monkeypatch):
    """An advantage is fitted from six games on, of which white wins five."""
    monkeypatch.setattr("ratings.rules.scale.MIN_GAMES", 6)
    monkeypatch.setattr("games.rating.advantage.MIN_GAMES", 6)
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    for n in range(6):
        pair = ((ada, bob), (bob, cy), (cy, ada))[n % 3]
        rated_game(*pair, "black" if n == 0 else "white")
    apply_all()
    return ada, bob, cy


def test_the_advantage_is_fitted_once_a_month_and_used_from_then_on(few) -> None:
    assert current_advantage("pincer") == 0
    assert fit_advantages(NOVEMBER) == ["pincer"]
    first = current_advantage("pincer")
    assert 0 < first <= 60_000
    assert fit_advantages(NOVEMBER + 20 * DAY_MS) == []
    assert fit_advantages(NOVEMBER - 40 * DAY_MS) == []  # a clock that was set back
    rated_game(few[1], few[0], "white")
    apply_all()
    assert fit_advantages(DECEMBER) == ["pincer"]
    rated_game(few[1], few[2], "black")
    apply_all()
    lines = read_public_file()
    kinds = [json.loads(line).get("kind") for line in lines[1:]]
    assert kinds == ["game"] * 6 + ["advantage", "game", "advantage", "game"]
    found = recompute(lines)
    assert found.fold.advantages["pincer"] == current_advantage("pincer")
    assert check_current() is not None


def test_a_rebuild_fits_alike_and_an_annulled_game_changes_the_fit(few) -> None:
    fit_advantages(NOVEMBER)
    rated_game(few[1], few[0], "black")
    apply_all()
    first = read_public_file()
    rebuild("test")
    assert read_public_file()[1:] == first[1:]
    before = current_advantage("pincer")
    slug = RatingEntry.objects.get(seq=1).game.slug
    correct([slug], True, "made for a test", "test")
    assert current_advantage("pincer") != before
    recompute(read_public_file())
    assert check_current() is not None
    old = Generation.objects.order_by("pk").first()
    assert FittedAdvantage.objects.get(generation=old).advantage == before
    assert read_public_file(old.pk) == first


def test_too_few_games_fit_nothing() -> None:
    rated_game(*create_accounts("ada", "bob"))
    apply_all()
    assert fit_advantages(NOVEMBER) == []
    assert entries("advantage") == []


def test_a_game_that_is_rated_during_a_fit_is_part_of_it(few, monkeypatch) -> None:
    fit, late = scale.first_move_advantage, []

    def slow(meetings):
        if not late:
            late.append(rated_game(few[0], few[1], "black"))
            apply_all()
        return fit(meetings)

    monkeypatch.setattr(scale, "first_move_advantage", slow)
    assert fit_advantages(NOVEMBER) == ["pincer"]
    assert entries("advantage")[0].seq == 8
    recompute(read_public_file())


def test_a_wrong_advantage_is_found(few) -> None:
    fit_advantages(NOVEMBER)
    FittedAdvantage.objects.update(advantage=59_999)
    with pytest.raises(RatingsDiffer, match="first-move advantage"):
        check_current()
    FittedAdvantage.objects.all().delete()
    with pytest.raises(RatingsDiffer, match="first-move advantage"):
        check_current()


def test_a_process_that_dies_while_it_appends_has_changed_nothing(few, monkeypatch) -> None:
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(scale, "insert_advantages", die)
        with pytest.raises(KeyboardInterrupt), transaction.atomic():
            fit_advantages(NOVEMBER)
    assert entries("advantage") == []
    assert fit_advantages(NOVEMBER) == ["pincer"]


def test_the_task_does_all_of_it_once(few) -> None:
    for process in ("one", "two", "one"):
        ScaleTask().run(process, NOVEMBER)
    assert len(entries("anchors")) == 4
    assert len(entries("advantage")) == 1
    assert DriftReport.objects.count() == 4
    assert check_current() is not None


def test_the_page_of_a_board_says_it(few) -> None:
    said = text_of(Client().get("/ratings/pincer/live/"))
    assert "Moving first counts as no advantage" in said
    fit_advantages(NOVEMBER)
    points = round(current_advantage("pincer") / 1000)
    said = text_of(Client().get("/ratings/pincer/live/"))
    assert f"Moving first is worth {points} points here" in said
    assert "Moving" not in text_of(Client().get("/ratings/blotto/live/"))


def test_the_arithmetic_of_a_change_reckons_with_it(few) -> None:
    fit_advantages(NOVEMBER)
    rated_game(few[1], few[0], "white")
    apply_all()
    person = Person.objects.get(user=few[1])
    (newest, *_), _ = history_page(person, Pool("pincer", Speed.LIVE), before=None, limit=5)
    assert newest.explanation.change * 1000 == pytest.approx(newest.own.change, abs=1000)
    plain = explain(newest.own.before, newest.opponent.before, 1.0)
    assert newest.explanation.expected > plain.expected
