"""A game stays annulled while any ruling that annuls it has not been reversed."""

from random import Random

import pytest
from django.test import Client

from accounts.models import User
from ratings.fair_play.models import Ruling
from ratings.fair_play.ruling_holds import Decision, Holds, read_holds
from ratings.fair_play.rulings import apply_waiting, make_ruling, rated_games
from ratings.models import Generation, RatingEntry
from ratings.rules.entry_log import annulled_games
from ratings.rules.fold_check import check_current
from ratings.rules.generations import correct
from tests.ratings.fair_play.test_rulings import ADD, form, run_task, staff  # noqa: F401
from tests.support.page_visitors import text_of
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob", "cy")


@pytest.fixture
def games(people) -> dict[str, str]:
    """Games of ada and bob, ada and cy, bob and cy: names and slugs."""
    ada, bob, cy = people
    played = {"ab": rated_game(ada, bob), "ac": rated_game(ada, cy), "bc": rated_game(bob, cy)}
    apply_all()
    return {name: game.slug for name, game in played.items()}


def annulled(games: dict[str, str]) -> set[str]:
    """The names of the games that do not count now."""
    keys = annulled_games(10_000)
    slugs = set(RatingEntry.objects.filter(game__in=keys).values_list("game__slug", flat=True))
    return {name for name, slug in games.items() if slug in slugs}


def rule(staff: Client, **about: str) -> Ruling:  # noqa: F811
    """A ruling by the form of staff, carried out."""
    answer = staff.post(ADD, form(**about))
    assert answer.status_code == 302, text_of(answer)
    run_task()
    return Ruling.objects.latest("pk")


def test_a_game_of_two_annulled_people_counts_when_both_rulings_are_reversed(games, staff) -> None:  # noqa: F811
    of_ada = rule(staff, player="ada")
    of_bob = rule(staff, player="bob")
    assert annulled(games) == {"ab", "ac", "bc"}
    assert games["ab"] in of_bob.games
    rule(staff, action="restore", ruling=str(of_ada.pk))
    assert annulled(games) == {"ab", "bc"}
    rule(staff, action="restore", ruling=str(of_bob.pk))
    assert annulled(games) == set()
    assert check_current() is not None


def test_the_order_of_the_reversals_is_the_same(games, staff) -> None:  # noqa: F811
    of_ada, of_bob = rule(staff, player="ada"), rule(staff, player="bob")
    rule(staff, action="restore", ruling=str(of_bob.pk))
    assert annulled(games) == {"ab", "ac"}
    rule(staff, action="restore", ruling=str(of_ada.pk))
    assert annulled(games) == set()


def test_a_ruling_is_reversed_once(games, staff) -> None:  # noqa: F811
    of_ada = rule(staff, player="ada")
    rule(staff, player="bob")
    rule(staff, action="restore", ruling=str(of_ada.pk))
    again = staff.post(ADD, form(action="restore", ruling=str(of_ada.pk)))
    assert "There is no annulled game to restore." in text_of(again)
    page = staff.get(f"/admin/ratings/ruling/{of_ada.pk}/change/")
    assert "Restore these games" not in text_of(page)


def test_a_ruling_that_changes_no_game_now_can_still_be_reversed(games, staff) -> None:  # noqa: F811
    """All of its games are annulled by another one too."""
    alone = rule(staff, game=games["ab"])
    of_ada = rule(staff, player="ada")
    before = Generation.objects.count()
    rule(staff, action="restore", ruling=str(alone.pk))
    assert (annulled(games), Generation.objects.count()) == ({"ab", "ac"}, before)
    rule(staff, action="restore", ruling=str(of_ada.pk))
    assert annulled(games) == set()


def test_restoring_a_persons_games_leaves_those_annulled_for_the_opponent(games, staff) -> None:  # noqa: F811
    rule(staff, game=games["ac"])
    rule(staff, player="ada")
    rule(staff, player="bob")
    rule(staff, action="restore", player="ada")
    assert annulled(games) == {"ab", "bc"}


def test_restoring_a_game_by_its_name_ends_all_that_annuls_it(games, staff) -> None:  # noqa: F811
    rule(staff, player="ada")
    rule(staff, player="bob")
    rule(staff, action="restore", game=games["ab"])
    assert annulled(games) == {"ac", "bc"}


def test_the_same_person_is_not_annulled_twice_but_new_games_are(games, people, staff) -> None:  # noqa: F811
    rule(staff, player="ada")
    assert "There is no rated game to annul." in text_of(staff.post(ADD, form(player="ada")))
    new = rated_game(people[0], people[2])
    apply_all()
    later = rule(staff, player="ada")
    assert new.slug in later.games
    rule(staff, action="restore", ruling=str(Ruling.objects.earliest("pk").pk))
    assert annulled(games | {"new": new.slug}) == {"ab", "ac", "new"}


def test_a_reversal_can_be_reversed(games, staff) -> None:  # noqa: F811
    of_ada = rule(staff, player="ada")
    back = rule(staff, action="restore", ruling=str(of_ada.pk))
    again = rule(staff, ruling=str(back.pk))
    assert (again.reverses, again.person, annulled(games)) == (back, of_ada.person, {"ab", "ac"})
    rule(staff, action="restore", ruling=str(again.pk))
    assert annulled(games) == set()


def test_what_the_command_has_annulled_is_restored_by_its_name_alone(games, staff) -> None:  # noqa: F811
    correct([games["ab"]], True, "By the command.", "command")
    of_bob = rule(staff, game=games["bc"])
    rule(staff, action="restore", ruling=str(of_bob.pk))
    assert annulled(games) == {"ab"}
    rule(staff, action="restore", game=games["ab"])
    assert annulled(games) == set()


def test_rulings_that_wait_together_make_one_generation(games, people) -> None:
    ada, bob, _ = people
    of_ada = make_ruling(rated_games(ada.pk), True, "About ada.", None, ada)
    make_ruling(rated_games(bob.pk), True, "About bob.", None, bob)
    make_ruling(of_ada.games, False, "Not ada.", None, ada, reverses=of_ada)
    before = Generation.objects.filter(made__isnull=False).count()
    assert apply_waiting("worker")
    assert not apply_waiting("worker")
    assert Generation.objects.filter(made__isnull=False).count() == before + 1
    assert annulled(games) == {"ab", "bc"}
    corrections = RatingEntry.objects.exclude(kind="game").order_by("seq")
    assert [
        (row.kind, row.game.slug, row.reason) for row in corrections.select_related("game")
    ] == [
        ("annulment", games["ab"], "About bob."),
        ("annulment", games["bc"], "About bob."),
    ]
    assert Ruling.objects.filter(applied=None).count() == 0
    assert check_current() is not None


def test_random_rulings_leave_annulled_what_an_unreversed_one_annuls(people) -> None:
    """Against a model that knows each annulment and whether it was reversed."""
    random = Random(18)
    games = [rated_game(people[n % 3], people[(n + 1) % 3]).slug for n in range(5)]
    apply_all()
    for _ in range(6):
        annulments: dict[int, set[str]] = {}
        for _ in range(random.randrange(1, 4)):
            for _ in range(random.randrange(1, 4)):
                if annulments and random.random() < 0.4:
                    pk = random.choice(list(annulments))
                    chosen = sorted(annulments.pop(pk))
                    make_ruling(chosen, False, "Back.", None, None, Ruling.objects.get(pk=pk))
                else:
                    chosen = random.sample(games, random.randrange(1, 5))
                    ruling = make_ruling(chosen, True, "Away.", None, None)
                    annulments[ruling.pk] = set(chosen)
            run_task()
            model = set().union(*annulments.values())
            named = {slug: slug for slug in games}
            assert annulled(named) == model
            assert check_current() is not None
        for pk in list(annulments):
            make_ruling(
                sorted(annulments[pk]), False, "End.", None, None, Ruling.objects.get(pk=pk)
            )
        run_task()
        assert annulled({slug: slug for slug in games}) == set()


def test_the_person_of_a_ruling_says_whose_restoration_ends_it() -> None:
    of_ada, of_bob = Decision(1, True, ["x"], 10, None), Decision(2, True, ["x"], 20, None)
    back = Decision(3, False, ["x"], 10, None)
    assert Holds.after([of_ada, back]).is_held("x") is False
    assert Holds.after([of_ada, of_bob, back]).is_held("x") is True
    assert Holds.after([back, of_ada]).is_held("x") is True
    assert read_holds().is_held("x") is False
