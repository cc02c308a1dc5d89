"""Corrections that keep known numbers give the rows of a whole fold, byte by byte."""

from random import Random

import pytest

from games.rating.entries import GameEntry, SideNumbers
from games.rating.fold import Fold
from games.rating.pools import Pool, Speed
from games.rating.standing import Numbers
from ratings.models import Generation, RatedGame, Standing
from ratings.rules import generations
from ratings.rules.fold_check import check_current
from ratings.rules.generations import correct, correct_all, rebuild
from ratings.rules.rated_rows import RATED_GAME_COLUMNS, STANDING_COLUMNS, RatedGameRow
from tests.ratings.leaderboards.rated_pools import Played, fold_log
from tests.support.rated_games import create_accounts, read_public_file

pytestmark = pytest.mark.django_db
POOLS = [
    Pool(rules, speed)
    for rules in ("pincer", "amazons", "amazons-8x8", "amazons-10x10", "blotto")
    for speed in Speed
]
NUMBERS = Numbers(1_600_000, 80_000, 60_000_000)
OTHER = Numbers(1_400_000, 70_000, 60_000_000)


def all_rows() -> list[tuple]:
    """The rows derived from the log in the current generation, without its number."""
    current = Generation.objects.get(is_current=True)
    games = RatedGame.objects.filter(generation=current).order_by("entry")
    standings = Standing.objects.filter(generation=current)
    ordered = standings.order_by("person", "rules", "speed")
    return [
        *games.values_list(*RATED_GAME_COLUMNS[1:]),
        *ordered.values_list(*STANDING_COLUMNS[1:]),
    ]


def random_log(random: Random, people: int) -> list[Played]:
    """Games in all pools, so that ratings are taken over from one pool into another."""
    games = []
    for n in range(60):
        white, black = random.sample(range(people), 2)
        games.append(
            Played(
                white,
                black,
                random.choice(("white", "black", "")),
                days_ago=300 - 4 * n + random.random() * 8,
                pool=random.choice(POOLS[: random.choice((1, 3, 10))]),
                not_rated=random.choice(("", "", "", "", "aborted")),
            )
        )
    return games


@pytest.mark.parametrize("seed", range(6))
def test_corrections_give_the_rows_of_a_whole_fold(seed, monkeypatch) -> None:
    random = Random(seed)
    monkeypatch.setattr(generations, "MAX_TAIL", 0)
    slugs = fold_log(create_accounts("ada", "bob", "cy", "dan", "eve"), random_log(random, 5))
    annulled: set[str] = set()
    for _ in range(4):
        chosen = random.sample(slugs, random.randrange(1, 5))
        correct_all(
            [generations.Correction(slug, slug not in annulled, "A test.") for slug in chosen],
            "test",
        )
        annulled ^= set(chosen)
        kept, file = all_rows(), read_public_file()
        assert check_current() is not None
        rebuild("test")
        assert all_rows() == kept
        assert read_public_file()[1:] == file[1:]


def test_numbers_are_computed_only_where_they_change(monkeypatch) -> None:
    monkeypatch.setattr(generations, "MAX_TAIL", 0)
    pools = [POOLS[0]] * 4 + [Pool("blotto", Speed.LIVE)] * 4
    games = [Played(n % 2, 2 + n % 2, pool=pool) for n, pool in enumerate(pools)]
    slugs = fold_log(create_accounts("ada", "bob", "cy", "dan"), games)
    computed: list[object] = []
    whole = Fold.play

    def note(self, game, known=None):
        before, after = whole(self, game, known)
        if known is None or known[0] != before:
            computed.append(game.seq)
        return before, after

    monkeypatch.setattr(Fold, "play", note)
    correct([slugs[0]], True, "A test.", "test")
    assert computed == [3]  # the other game of ada and cy in this pool
    computed.clear()
    rebuild("test")
    assert len(computed) == 7


def test_known_numbers_are_used_for_the_same_numbers_before_alone() -> None:
    game = GameEntry(1, 0, POOLS[0], "x", 1, 2, "white", None, None, None)
    before, after = Fold().play(game)
    told = SideNumbers(NUMBERS, OTHER)
    assert Fold().play(game, (before, told)) == (before, told)
    assert Fold().play(game, (told, told)) == (before, after)
    fitted = Fold()
    fitted.advantages["amazons"] = 0
    assert fitted.play(game, (before, told)) == (before, after)


def test_a_rebuild_mends_a_damaged_row_that_a_correction_would_keep(monkeypatch) -> None:
    monkeypatch.setattr(generations, "MAX_TAIL", 0)
    fold_log(create_accounts("ada", "bob"), [Played(0, 1)])
    right = all_rows()
    RatedGame.objects.update(white_rating_after=1)
    rebuild("test")
    assert all_rows() == right


def test_a_row_has_the_numbers_that_it_was_made_of() -> None:
    before, after = SideNumbers(NUMBERS, OTHER), SideNumbers(OTHER, NUMBERS)
    assert RatedGameRow.of(1, 2, before, after).numbers == (before, after)
