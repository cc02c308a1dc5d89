"""A user's ratings in the copy of one's data, and after the account was deleted."""

import pytest

from accounts.account_service import delete_user, suspend
from ratings.models import Person, Standing
from ratings.rating_data import export_ratings
from ratings.rules.generations import correct
from tests.support.rated_games import apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db


def test_the_copy_has_the_number_the_standings_and_every_game() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    games = [rated_game(ada, bob), rated_game(bob, ada, turns=1), rated_game(bob, cy)]
    annulled = rated_game(bob, ada, "black")
    apply_all()
    correct([annulled.slug], True, "unfair", "test")
    copy = export_ratings(ada.pk)
    assert copy is not None
    assert copy["number"] == Person.objects.get(user=ada).number
    [standing] = copy["standings"]
    assert (standing["rules"], standing["speed"], standing["games"]) == ("pincer", "live", 1)
    first, second, last = copy["games"]
    assert [each["game"] for each in copy["games"]] == [
        games[0].slug, games[1].slug, annulled.slug,
    ]  # fmt: skip
    assert first["after"][0] == standing["rating"] > first["before"][0] == 1_500_000
    assert (first["not_rated"], second["not_rated"], last["not_rated"]) == (
        "", "no_turn", "annulled",
    )  # fmt: skip
    assert second["after"] is None is last["after"]


def test_a_user_without_a_rated_game_has_no_ratings() -> None:
    [ada] = create_accounts("ada")
    assert export_ratings(ada.pk) is None
    rated_game(*create_accounts("bob", "cy"))
    apply_all()
    assert export_ratings(ada.pk) is None


def test_deleted_and_suspended_users_leave_the_lists_and_keep_their_numbers() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    rated_game(ada, bob)
    rated_game(bob, cy)
    apply_all()
    before, number = read_public_file(), Person.objects.get(user=ada).number
    assert Standing.objects.listed().count() == 3
    delete_user(ada.pk)
    suspend(bob.pk)
    assert [row.person.user for row in Standing.objects.listed()] == [cy]
    assert read_public_file() == before
    rated_game(*create_accounts("dan", "eve"))
    apply_all()
    assert Person.objects.get(user=ada).number == number
    assert read_public_file()[1:3] == before[1:]
