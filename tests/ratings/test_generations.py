"""Generations: corrections and rebuilds make new ones, and the earlier ones stay as they were."""

from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.rating.recompute import recompute
from play.storage import leases
from ratings.models import Generation, RatedGame, RatingEntry, Standing
from ratings.rules import fold_check, generations
from ratings.rules.fold_check import RatingsDiffer, check_current
from ratings.rules.generations import CannotRefold, correct, rebuild
from ratings.rules.public_file import find_generation
from tests.support.rated_games import apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db


def played(count: int = 4) -> list[str]:
    """Rated games in a ring of three accounts; their slugs."""
    people = create_accounts("ada", "bob", "cy")
    results = ("white", "", "black")
    games = [
        rated_game(people[n % 3], people[(n + 1) % 3], results[n % 3]).slug for n in range(count)
    ]
    apply_all()
    return games


def numbers(lines: list[str]) -> list[str]:
    """The lines of a file without its header and corrections."""
    return [line for line in lines[1:] if '"kind":"game"' in line]


def test_an_annulled_game_does_not_count_from_the_beginning_and_a_restored_one_does() -> None:
    games = played()
    first = read_public_file()
    correct([games[0]], True, "an account of a computer", "test")
    second = read_public_file()
    correct([games[0]], False, "by mistake", "test")
    third = read_public_file()
    for lines, rated in ((first, 4), (second, 3), (third, 4)):
        assert recompute(lines).rated == rated
    assert numbers(first) == numbers(third) != numbers(second)
    assert '"not_rated":"annulled"' in second[1]
    assert check_current() is not None
    # The earlier generations are published as they were.
    assert [read_public_file(number) for number in generation_numbers()] == [first, second, third]
    apply_all()
    kinds = list(RatingEntry.objects.order_by("seq").values_list("kind", flat=True))
    assert kinds == ["game"] * 4 + ["annulment", "restoration"]


def test_games_are_annulled_together_by_one_generation() -> None:
    games, before = played(), generation_numbers()
    with pytest.raises(CannotRefold, match="Game nowhere has no entry"):
        correct([games[0], "nowhere"], True, "unfair", "test")
    call_command("ratings", "--annul", games[2], games[0], games[2], "--reason", "unfair")
    assert len(generation_numbers()) == len(before) + 1
    assert (recompute(read_public_file()).rated, check_current().entries) == (2, 6)
    with pytest.raises(CannotRefold, match=f"Game {games[0]} is annulled already"):
        correct([games[0], games[1]], True, "unfair", "test")
    correct(games[:1], False, "by mistake", "test")
    assert recompute(read_public_file()).rated == 3


def generation_numbers() -> list[int]:
    return list(Generation.objects.order_by("pk").values_list("pk", flat=True))


def test_games_go_on_after_a_correction() -> None:
    games = played()
    correct([games[1]], True, "unfair", "test")
    ada, bob = create_accounts("dan", "eve")
    rated_game(ada, bob)
    apply_all()
    assert recompute(read_public_file()).games == 5
    assert RatingEntry.objects.get(seq=6).kind == "game"
    assert check_current() is not None


@pytest.mark.parametrize(
    ("slug", "is_annulled", "reason", "words"),
    [
        ("nowhere", True, "unfair", "no entry"),
        ("", True, "", "a reason"),
        ("", True, "x" * 201, "a reason"),
        ("", False, "by mistake", "is not annulled"),
    ],
)
def test_a_refused_correction_changes_nothing(slug, is_annulled, reason, words) -> None:
    games = played(2)
    before = read_public_file(), generation_numbers()
    with pytest.raises(CannotRefold, match=words):
        correct([slug or games[0]], is_annulled, reason, "test")
    assert (read_public_file(), generation_numbers()) == before


def test_a_rebuild_gives_the_same_numbers_in_a_new_generation() -> None:
    played()
    before, standings = read_public_file(), rows(Standing)
    made = rebuild("test")
    assert numbers(read_public_file()) == numbers(before)
    assert rows(Standing) == standings
    assert find_generation(None) == made
    assert check_current() is not None


def rows(model) -> list[dict]:
    """All rows of a table but for what names their generation."""
    order = "entry" if model is RatedGame else ("person", "rules", "speed")
    found = model.objects.order_by(*([order] if isinstance(order, str) else order)).values()
    return [{k: v for k, v in row.items() if k not in ("id", "generation_id")} for row in found]


def test_games_that_end_during_a_rebuild_are_in_it(monkeypatch) -> None:
    played(5)
    monkeypatch.setattr(generations, "MAX_TAIL", 0)
    monkeypatch.setattr(generations, "ROWS_A_WRITE", 2)
    save, names = generations.save_standings, iter("fghijklmn")

    def save_and_play(part) -> None:
        if names is not None and (name := next(names, None)):
            rated_game(*create_accounts(name, name * 2))
        save(part)

    monkeypatch.setattr(generations, "save_standings", save_and_play)
    extend = generations._extend_lease

    def extend_and_rate(process: str) -> None:
        apply_all()
        extend(process)

    monkeypatch.setattr(generations, "_extend_lease", extend_and_rate)
    finish = generations._finish

    def rate_and_finish(*args) -> None:
        apply_all()
        finish(*args)

    monkeypatch.setattr(generations, "_finish", rate_and_finish)
    made = rebuild("test")
    assert made.last_seq > 5
    checked = check_current()
    assert checked is not None
    assert checked.entries == made.last_seq
    apply_all()
    assert check_current() is not None


def test_a_process_that_dies_during_a_rebuild_leaves_nothing_that_is_read(monkeypatch) -> None:
    played()
    before = read_public_file()
    monkeypatch.setattr(generations, "MAX_TAIL", 0)

    class Died(Exception):
        """Stands for the death of the process."""

    def die(*args) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(generations, "_finish", die)
        with pytest.raises(Died):
            rebuild("test")
    [left] = Generation.objects.filter(made=None)
    assert RatedGame.objects.filter(generation=left).count() == 4
    assert find_generation(left.pk) is None
    assert read_public_file() == before
    assert check_current() is not None
    rebuild("test")
    assert not RatedGame.objects.filter(generation=left.pk).exists()
    assert check_current() is not None


def test_one_process_at_a_time_makes_a_generation(monkeypatch) -> None:
    played(2)
    generations._extend_lease("another")
    with pytest.raises(CannotRefold, match="Another process"):
        rebuild("test")


def test_a_correction_by_a_process_that_took_the_lease_over_is_not_undone(monkeypatch) -> None:
    """The first process stands still when it has read the corrections, until its lease ends."""
    games = played()
    create = Generation.objects.create

    def correct_and_create() -> Generation:
        monkeypatch.setattr(Generation.objects, "create", create)
        leases.give_back(generations.LEASE, "slow")
        correct([games[0]], True, "unfair", "fast")
        return create()

    monkeypatch.setattr(Generation.objects, "create", correct_and_create)
    with pytest.raises(CannotRefold, match="corrected the ratings meanwhile"):
        rebuild("slow")
    assert recompute(read_public_file()).rated == 3
    assert check_current() is not None


def test_the_lease_is_extended_while_unfinished_generations_are_deleted(monkeypatch) -> None:
    played(5)
    monkeypatch.setattr(generations, "ROWS_A_WRITE", 2)
    left = Generation.objects.create()
    RatedGame.objects.update(generation=left)
    extended: list[str] = []
    monkeypatch.setattr(generations, "_extend_lease", extended.append)
    generations.delete_unfinished("one")
    assert extended == ["one"] * 3


def test_games_that_end_during_a_check_are_compared(monkeypatch) -> None:
    played()
    lock = fold_check.lock_current

    def rate_and_lock() -> Generation:
        rated_game(*create_accounts("dan", "eve"))
        rated_game(*User.objects.filter(username__in=("ada", "bob")))
        apply_all()
        return lock()

    monkeypatch.setattr(fold_check, "lock_current", rate_and_lock)
    checked = check_current()
    assert checked is not None
    assert (checked.entries, checked.standings) == (6, 5)


def add_one(model, column: str) -> None:
    """Add one to a column of the second row."""
    row = model.objects.order_by("pk")[1]
    model.objects.filter(pk=row.pk).update(**{column: getattr(row, column) + 1})


def take_entry(seq: int) -> None:
    RatedGame.objects.filter(entry=seq).delete()
    RatingEntry.objects.filter(seq=seq).delete()


def change_entry(**columns) -> None:
    RatingEntry.objects.filter(seq=2).update(**columns)


NUMBERS = [
    each.attname for each in RatedGame._meta.fields if each.attname[:5] in ("white", "black")
]
DAMAGES = [
    *((partial(add_one, RatedGame, name), f"entry 2: {name} is ") for name in NUMBERS),
    *(
        (partial(add_one, Standing, name), f"{name} is ")
        for name in ("rating", "deviation", "volatility", "at", "games")
    ),
    (lambda: Standing.objects.update(peak=1), "peak is 1, but must be None"),
    (lambda: RatedGame.objects.filter(entry=2).delete(), "Entry 2 counts"),
    (lambda: RatedGame.objects.filter(entry=4).delete(), "Entry 4 counts"),
    (lambda: change_entry(not_rated="guest"), "Entry 2 does not count"),
    (lambda: change_entry(winner="black"), "Entry 2 differs"),
    (lambda: change_entry(at=F("at") + 1), "Entry 2 differs"),
    (lambda: change_entry(rules="blotto"), "Entry 2 differs"),
    (lambda: change_entry(speed="days"), "entry 2: "),
    (lambda: change_entry(white=F("black"), black=F("white")), "entry 2: "),
    (lambda: take_entry(2), "Entry 2 is missing"),
    (lambda: take_entry(4), "ends with entry 4, not 3"),
    (lambda: Standing.objects.order_by("pk")[:1].get().delete(), "is missing"),
    (lambda: Generation.objects.update(last_seq=5), "ends with entry 5, not 4"),
]


def test_a_check_names_whatever_was_changed_and_changes_nothing() -> None:
    played()
    call_command("ratings", "--check")
    assert len(NUMBERS) == 12
    for damage, words in DAMAGES:
        with transaction.atomic():
            damage()
            before = rows(RatedGame), rows(Standing), generation_numbers()
            with pytest.raises(RatingsDiffer, match=words):
                check_current()
            with pytest.raises(CommandError, match=words) as refused:
                call_command("ratings", "--rebuild", "--check")
            assert refused.value.returncode == 1
            assert (rows(RatedGame), rows(Standing), generation_numbers()) == before
            transaction.set_rollback(True)
    assert check_current() is not None
