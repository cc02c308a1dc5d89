"""Earlier generations are deleted in time, and whoever asks for one is told so."""

import json

import pytest
from django.core.management import CommandError, call_command

from play.domain.clocks import DAY_MS, HOUR_MS, now
from play.storage import leases
from ratings.leaderboards.leaderboard_pass import make_pass
from ratings.models import Generation, RatedGame, RatingEntry
from ratings.rules import generations, pruning
from ratings.rules.fold_check import check_current
from ratings.rules.generations import rebuild
from ratings.rules.pruning import (
    INTERVAL_S,
    MAX_KEPT,
    PruningTask,
    expired_generations,
    is_pruned,
    prune,
)
from tests.support.rated_games import apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db
FILE = "/ratings.jsonl"
AT = 1_800_000_000_000


@pytest.fixture
def played(db) -> None:
    ada, bob = create_accounts("ada", "bob")
    for winner in ("white", "black", ""):
        rated_game(ada, bob, winner)
    apply_all()


def make_generations(*ages_ms: int) -> list[int]:
    """Generations that became current this long before `AT`; their numbers, oldest first."""
    for _ in ages_ms[1:]:
        rebuild("test")
    numbers = list(Generation.objects.order_by("pk").values_list("pk", flat=True))
    for number, age in zip(numbers, ages_ms, strict=True):
        Generation.objects.filter(pk=number).update(made=AT - age)
    return numbers


def test_generations_are_kept_for_thirty_days_from_their_replacement(played) -> None:
    numbers = make_generations(90 * DAY_MS, 40 * DAY_MS, 29 * DAY_MS, DAY_MS)
    assert expired_generations(AT) == numbers[:1]  # the second one was current 29 days ago
    assert expired_generations(AT + DAY_MS - 1) == numbers[:1]
    assert expired_generations(AT + DAY_MS) == numbers[:2]
    assert expired_generations(AT + 900 * DAY_MS) == numbers[:3]  # the current one never


def test_at_most_ten_are_kept_but_none_is_deleted_that_may_be_read(played) -> None:
    ages = [(20 - n) * HOUR_MS for n in range(MAX_KEPT + 3)]
    numbers = make_generations(*ages)
    assert expired_generations(AT) == numbers[:3]
    for number in numbers:
        Generation.objects.filter(pk=number).update(made=AT - HOUR_MS // 2)
    assert expired_generations(AT) == []
    assert expired_generations(AT + HOUR_MS) == numbers[:3]


def test_a_deleted_one_is_gone_and_the_others_stay_as_they_were(client, played, tmp_path) -> None:
    old, kept, current = make_generations(90 * DAY_MS, 40 * DAY_MS, DAY_MS)
    before = read_public_file(kept), read_public_file(current)
    entries = RatingEntry.objects.count()
    assert client.get(f"{FILE}?generation={old}").status_code == 200
    assert prune("test", AT) == 1
    assert prune("test", AT) == 0
    assert (read_public_file(kept), read_public_file(current)) == before
    assert RatingEntry.objects.count() == entries
    assert not RatedGame.objects.filter(generation=old).exists()
    answer = client.get(f"{FILE}?generation={old}")
    assert answer.status_code == 410
    assert "no longer kept" in answer.content.decode()
    assert answer["Content-Type"].startswith("text/plain")
    for number in (current + 1, 0):
        assert client.get(f"{FILE}?generation={number}").status_code == 404
    with pytest.raises(CommandError, match="no longer kept"):
        call_command("ratings", "--export", str(tmp_path / "x"), "--generation", str(old))
    assert check_current() is not None


def test_a_page_of_a_generation_that_is_deleted_while_it_is_read_is_not_sent(
    client, played, monkeypatch
) -> None:
    old, _ = make_generations(90 * DAY_MS, 40 * DAY_MS)
    from ratings import views

    read = views.page_of

    def delete_and_read(generation, *args, **options):
        assert prune("test", AT) == 1
        return read(generation, *args, **options)

    monkeypatch.setattr(views, "page_of", delete_and_read)
    assert client.get(f"{FILE}?generation={old}").status_code == 410


def test_rows_are_deleted_in_short_transactions_and_a_dead_process_is_followed(
    played, monkeypatch
) -> None:
    old, _ = make_generations(90 * DAY_MS, 40 * DAY_MS)
    monkeypatch.setattr(generations, "ROWS_A_WRITE", 1)
    extended: list[str] = []

    class Died(Exception):
        """Stands for the death of the process."""

    def extend(process: str) -> None:
        extended.append(process)
        if len(extended) == 2:
            raise Died

    with monkeypatch.context() as patch:
        patch.setattr(generations, "_extend_lease", extend)
        with pytest.raises(Died):
            prune("one", AT)
    assert RatedGame.objects.filter(generation=old).count() == 1
    assert is_pruned(old)
    prune("two", AT)
    assert not Generation.objects.filter(pk=old).exists()
    assert not RatedGame.objects.filter(generation=old).exists()


def test_nothing_is_deleted_while_another_process_makes_a_generation(played) -> None:
    old, _ = make_generations(90 * DAY_MS, 40 * DAY_MS)
    building = Generation.objects.create()
    leases.take(generations.LEASE, "other", now(), generations.LEASE_MS)
    assert prune("test", AT) == 0
    assert set(Generation.objects.values_list("pk", flat=True)) >= {old, building.pk}
    leases.give_back(generations.LEASE, "other")
    assert PruningTask().run("test", AT) == INTERVAL_S
    assert not Generation.objects.filter(pk__in=(old, building.pk)).exists()


def test_the_generation_of_the_boards_stays_until_the_next_pass(played) -> None:
    make_pass("test", now())
    old, _ = make_generations(90 * DAY_MS, 40 * DAY_MS)
    assert prune("test", AT) == 0
    for _ in range(2):  # the former pass is deleted when another one begins
        make_pass("test", now())
    assert prune("test", AT) == 1
    assert is_pruned(old)


def test_a_takeover_is_logged_and_leaves_the_rest(played, monkeypatch, records) -> None:
    old, _ = make_generations(90 * DAY_MS, 40 * DAY_MS)

    def lose(process: str) -> None:
        raise generations.CannotRefold("Another process makes a new generation of ratings.")

    monkeypatch.setattr(pruning, "delete_unfinished", lose)
    assert prune("test", AT) == 0
    assert [each["event"] for each in records.as_json()] == ["ratings_pruning_taken_over"]
    assert is_pruned(old)


def test_the_first_line_names_a_generation_that_can_be_asked_for(client, played) -> None:
    number = json.loads(client.get(FILE).content.splitlines()[0])["generation"]
    assert client.get(f"{FILE}?generation={number}").status_code == 200
